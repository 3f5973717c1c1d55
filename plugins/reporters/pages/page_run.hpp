// One run of a page: its description, figures, facts and requests. For one thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/json_writer.hpp>
#include <inferbench/run_description_json.hpp>
#include <inferbench/views.hpp>

#include "page_rows.hpp"

namespace reporters {

class page_run {
 public:
  /// `run` is used only during the call. The page shows at most `chosen.texts` answers. A run in
  /// constant memory (--summary bounded) keeps the rows of at most 200,000 requests.
  page_run(page_rows::settings chosen, const ifb_run& run);

  void records(ifb::strided<ifb_record> batch);
  /// Returns whether a request was sent.
  [[nodiscard]] bool empty() const noexcept { return rows_.total() == 0; }

  /// The place of a run among several runs; a single run has none.
  struct place {
    std::string source, label;                              // file of the run; the name for people
    std::vector<std::pair<std::string, std::string>> axes;  // values as JSON
    std::uint32_t point = 0;
  };
  /// The run has ended. `summary` is used only during the call.
  void end(const ifb_summary& summary, place at, ifb::strided<ifb_interval> intervals = {});

  [[nodiscard]] const ifb::run_description& about() const noexcept { return about_; }

  /// Writes the JSON of the run (docs/page-data.md). `id` names the script element that
  /// write_bytes() fills. Both need end().
  void write(ifb::json_writer& out, std::string_view id) const;
  void write_bytes(const request_columns::sink& out) const { rows_.write_bytes(out); }

 private:
  ifb::run_description about_;
  page_rows rows_;
  std::string name_, config_json_, environment_json_;
  std::int64_t started_unix_ns_;
  bool replayed_;
  // set by end()
  place at_;
  std::int64_t finished_unix_ns_ = 0;
  bool interrupted_ = false;
  std::string metrics_, intervals_, facts_;  // JSON
};

/// The names and values of axes, with their own memory.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> fields_of(
    std::span<const ifb_field> axes);
/// Writes an axis value or a fact: `json` as it is, or null if it is not JSON.
void write_json(ifb::json_writer& out, std::string_view json);
/// Writes a list of intervals, each with the members of ifb_interval; an unknown limit is null.
void write_intervals(ifb::json_writer& out, ifb::strided<ifb_interval> all);
/// Writes {"NAME": VALUE, ...}; the values are JSON.
void write_axes(ifb::json_writer& out,
                const std::vector<std::pair<std::string, std::string>>& axes);

}  // namespace reporters
