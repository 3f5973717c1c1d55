// Writes a table of several runs to the database: its axes, its runs, and its points with their
// figures.
#pragma once

#include <cstdint>
#include <optional>

#include <inferbench/table_reporter.hpp>

#include "run_writer.hpp"

namespace reporters {

/// For one thread. The database must outlive it. Each function is one transaction, or one for each
/// part of a run. Every function throws ifb::failure.
class table_writer {
 public:
  /// Adds the table with the state "unfinished". If the database already has this table, its rows
  /// are removed.
  table_writer(const database& to, const ifb_table& table, const sqlite_content& content);

  void add(const ifb_table_run& of, ifb::strided<ifb_record> batch);
  void add(const ifb_table_run& run);
  void finish(const ifb_table_end& end);

 private:
  run_writer& writer_of(const ifb_table_run& run);
  void add_interval(std::int64_t point, std::int64_t run, const ifb_interval& interval);
  void add_axis_values(std::int64_t point, std::span<const ifb_field> axes);

  const database& to_;
  sqlite_content content_;
  std::int64_t id_ = 0;
  std::optional<run_writer> run_;  // the run whose records come
};

}  // namespace reporters
