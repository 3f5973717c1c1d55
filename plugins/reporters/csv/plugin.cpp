// The reporter `csv` writes a line for each request while the run goes on. From several runs it
// makes a line for each run and each point.
#include <memory>
#include <optional>
#include <tuple>

#include <inferbench/plugin.hpp>
#include <inferbench/run_description_json.hpp>

#include "reporters/common/output_file.hpp"
#include "reporters/common/report_file.hpp"
#include "requests.hpp"
#include "table.hpp"

namespace {

class csv {
 public:
  static constexpr const char* id = "csv";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Writes a line of comma-separated values for each request; of several runs, a line for each "
      "run.";
  static constexpr const char* license = "Apache-2.0";

  struct options {
    ifb::path file;
    bool texts = false;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"file", &options::file, "File to write.", "\"inferbench.csv\""},
          ifb::option{"texts", &options::texts, "Add the answers of the server as last column.",
                      "false"},
      };
    }
  };

  csv(ifb::host host, const options& given)
      : host_(host), options_(given), path_(reporters::report_path(given.file)) {}

  void begin(const ifb_run& run) {
    file_.emplace(path_, reporters::output_file::mode::replace);
    run_ = {run.started_ns, run.started_unix_ns, ifb::describe(ifb::view(run.config_json)).pooling,
            options_.texts};
    reporters::add_request_names(lines_, run_);
    write();
  }

  void records(ifb::strided<ifb_record> batch) {
    for (const ifb_record& r : batch)
      if (!ifb::never_sent(r)) reporters::add_request(lines_, r, run_);
    write();
  }

  void end(const ifb_summary&) { commit(); }

  void begin(const ifb_table& several) {
    file_.emplace(path_, reporters::output_file::mode::replace);
    table_.emplace(several);
  }

  void run(const ifb_table_run& one) { table_->add(one); }

  void end(const ifb_table_end& points) {
    table_->add(points);
    file_->write(table_->text());
    commit();
  }

 private:
  void write() {
    file_->write(lines_.all());
    lines_.clear();
  }
  void commit() {
    file_->commit();
    file_.reset();
    if (const auto terminal = host_.find_console()) terminal->artifact("csv", path_.string());
  }

  ifb::host host_;
  options options_;
  std::filesystem::path path_;
  reporters::csv_run run_;
  reporters::csv_lines lines_;
  std::optional<reporters::output_file> file_;
  std::optional<reporters::csv_table> table_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<csv>);
