// Several runs as reporters of tables see them, with made-up contents.
#pragma once

#include <cstddef>
#include <cstdint>

#include <inferbench/abi.h>

#include "check/lent_memory.hpp"
#include "check/run.hpp"

namespace inferbench::check {

/// The contents of a table.
struct table_story {
  std::uint32_t runs = 2;
  std::size_t records = 3;
  bool axes = true;
  bool counted = true;   // the number of runs is known in advance
  bool unknown = false;  // includes figures that no host has yet, and texts for terminals to escape
  bool interrupted = false;
};

[[nodiscard]] ifb_table* lend_table(lent_memory& memory, const table_story& what);
/// The run with this index. `ended`: with summary and intervals, for the call `run`.
[[nodiscard]] ifb_table_run* lend_table_run(lent_memory& memory, const table_story& what,
                                            std::uint32_t index, bool ended);
/// The end of the table; each run is a point.
[[nodiscard]] ifb_table_end* lend_table_end(lent_memory& memory, const table_story& what);

/// Records as a damaged journal or a broken server can cause them: without times, with times before
/// the start of the run, with the largest numbers, with empty and with long texts, with stamps that
/// descend, never sent.
[[nodiscard]] lent_array<ifb_record> lend_hostile_records(lent_memory& memory);

}  // namespace inferbench::check
