// The reporters of several runs, with all that they use while their table is made: services, files
// and instances. `inferbench report` and sweeps make tables.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <inferbench/abi.h>

#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"
#include "options/plugin_choice.hpp"
#include "plugin/instance.hpp"
#include "report/table.hpp"
#include "run/report_files.hpp"
#include "run/report_services.hpp"

namespace inferbench::run {

/// The beginning of a table. The object and all that it points to must outlive the reporter_table.
struct table_beginning {
  std::string name;
  std::string command;  // the command line of the user
  std::vector<ifb_axis> axes;
  std::uint64_t run_count = 0;
  std::int64_t started_unix_ns = 0;
};

struct table_ending {
  bool interrupted = false;
  std::int64_t finished_unix_ns = 0;
  std::span<const ifb_table_point> points;
  std::string facts_json;
};

/// The texts are borrowed. `unit`: nullptr if the values are no numbers.
[[nodiscard]] ifb_axis axis_view(const char* name, const char* unit, const char* title) noexcept;

/// One thread calls these functions.
class reporter_table {
 public:
  /// Creates the reporters; "{result}" in the names of their files is the name of the table.
  /// `server`: the proxies for requests of reporters. Throws base::error if a reporter does not
  /// offer the interface or cannot be created.
  reporter_table(const table_beginning& about, std::span<const options::plugin_choice> reporters,
                 const config::server& server, base::log& log, base::output& printed);
  reporter_table(const reporter_table&) = delete;
  reporter_table& operator=(const reporter_table&) = delete;

  /// Throws plugin::refused with the reason if a reporter refuses.
  void begin();
  /// The reporters for the run `of`; see table_fanout::run_targets().
  [[nodiscard]] std::vector<report::target> run_targets(const report::table_entry& of) {
    return table_->run_targets(of);
  }
  /// Ends the table and prints the files of the reporters. Returns false if a reporter has failed.
  [[nodiscard]] bool finish(const table_ending& with);

 private:
  const table_beginning& about_;
  report_services services_;
  report_files files_;
  std::vector<std::unique_ptr<plugin::instance>> instances_;
  std::unique_ptr<report::table_fanout> table_;  // last: its threads use the instances
};

}  // namespace inferbench::run
