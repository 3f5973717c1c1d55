// Passes several runs to the reporters of a table (inferbench.table-reporter/1), one run after the
// other:
//
//   table_fanout table(targets, log);
//   table.begin(about);
//   for (each run) {
//     fanout lanes(table.run_targets(entry), log);  // begin, records, ..., finish
//   }
//   table.finish(end);
//
// For each run, every reporter of the table acts as a reporter of this run, so records pass through
// a thread and a queue for each reporter as they do in a single run (fanout.hpp). Memory holds the
// waiting records of one run.
//
// A reporter that fails is dropped: it is not called again, a warning names the reporter and the
// reason, and the other reporters continue. If a reporter never returns, begin() and finish() never
// return; they log for which reporter they wait.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/abi.h>

#include "base/log.hpp"
#include "plugin/instance.hpp"
#include "plugin/operations.hpp"
#include "report/fanout.hpp"

namespace inferbench::report {

/// A reporter of several runs. `self` must outlive the table.
struct table_target {
  std::string name;  // the name in messages: "console"
  ifb_instance* self = nullptr;
  plugin::table_reporter calls{};
  bool stamps = true;  // the reporter reads ifb_record.token_ns
  /// Adds the line or flag that set the refused option to a refusal of begin. May be empty.
  std::function<plugin::refused(const plugin::refused&)> explain{};
};

/// Throws base::error if the instance is not a reporter of several runs that this host can use.
[[nodiscard]] table_target table_target_of(const plugin::instance& reporter);

/// The place of a run in its table.
struct table_entry {
  std::uint32_t index = 0;
  std::uint32_t point = 0;
  std::string source;                                       // the file of the run; may be empty
  std::string label;                                        // unique in the table
  std::vector<std::pair<std::string, std::string>> axes{};  // name and value as JSON
};

/// One thread calls these functions.
class table_fanout {
 public:
  /// After `patience`, begin() and finish() log the names of the reporters for which they wait.
  table_fanout(std::vector<table_target> targets, base::log& log,
               std::chrono::milliseconds patience = std::chrono::milliseconds(10'000));
  table_fanout(const table_fanout&) = delete;
  table_fanout& operator=(const table_fanout&) = delete;
  ~table_fanout();

  /// Calls begin of every reporter and waits until all calls have returned. Throws plugin::refused
  /// with the reason if a reporter refuses.
  void begin(const ifb_table& table);

  /// The reporters that were not dropped, as reporters of the run `of`: their end() is the call
  /// `run` of the table. Valid until the next call of this function; by then the fanout with these
  /// targets must be finished or destroyed.
  [[nodiscard]] std::vector<target> run_targets(const table_entry& of);

  /// The last call. Calls end of every reporter that was not dropped and waits until all calls have
  /// returned. Returns false if a reporter has failed.
  [[nodiscard]] bool finish(const ifb_table_end& end);

  /// Names of the reporters that have been dropped so far, in the order of the targets.
  [[nodiscard]] std::vector<std::string> failed() const;

 private:
  struct member;
  class run_view;

  /// Makes the same call to each reporter, at the same time, and waits for all.
  void call_all(const char* name, const std::function<void(member&)>& call);

  base::log& log_;
  std::chrono::milliseconds patience_;
  std::vector<std::unique_ptr<member>> members_;
  std::vector<std::unique_ptr<run_view>> views_;
};

}  // namespace inferbench::report
