// Writes one run to the database. Each function is one transaction, so a crash keeps everything
// before it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <inferbench/views.hpp>

#include "database.hpp"

namespace reporters {

/// What the user wants in the rows of requests.
struct sqlite_content {
  bool gaps = false;   // a row for each time between two events
  bool texts = false;  // the answers, with reasoning and tool calls
};

/// For one thread. The database must outlive it. Every function throws ifb::failure.
class run_writer {
 public:
  /// Adds the run with the state "unfinished". If the database already has this run, all its rows
  /// are removed, and its id stays.
  run_writer(const database& to, const ifb_run& run, const sqlite_content& content);

  [[nodiscard]] std::int64_t id() const noexcept { return id_; }
  void add(ifb::strided<ifb_record> batch);
  /// Adds figures, goals and facts, and the final state of the run.
  void finish(const ifb_summary& summary);

 private:
  void insert(const ifb_run& run);
  void remove_rows();
  void add_request(const ifb_record& record);
  void add_gaps(const ifb_record& record);
  void add_figures(const ifb_summary& summary);
  void add_facts(const ifb_summary& summary);

  const database& to_;
  sqlite_content content_;
  std::uint64_t started_ns_;
  bool pooling_ = false;
  std::int64_t id_ = 0;
  std::optional<sql_statement> request_;
  std::optional<sql_statement> gap_;
};

}  // namespace reporters
