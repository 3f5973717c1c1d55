// The reporter `sqlite` adds runs to a database that people can query: requests, figures, goals and
// facts.
#include <filesystem>
#include <optional>
#include <system_error>
#include <tuple>

#include <inferbench/plugin.hpp>

#include "database.hpp"
#include "reporters/common/report_file.hpp"
#include "run_writer.hpp"
#include "schema.hpp"
#include "table_writer.hpp"

namespace {

class sqlite {
 public:
  static constexpr const char* id = "sqlite";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Adds the requests and figures of runs to an SQLite database, which several runs may write "
      "to.";
  static constexpr const char* license = "Apache-2.0";

  struct options {
    ifb::path file;
    bool append_result = true;
    bool requests = true;
    bool gaps = false;
    bool texts = false;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"file", &options::file, "Database to add the run to.",
                      "\"inferbench.sqlite\""},
          ifb::option{"append-result", &options::append_result,
                      "Write all runs of --num-runs to one database; false: a database for each.",
                      "true"},
          ifb::option{"requests", &options::requests, "Add a row for each request.", "true"},
          ifb::option{"gaps", &options::gaps, "Add a row for each time between two events.",
                      "false"},
          ifb::option{"texts", &options::texts,
                      "Add the answers of the server, with reasoning and tool calls.", "false"},
      };
    }
  };

  sqlite(ifb::host host, const options& given)
      : host_(host), options_(given), path_(database_path(given.file)) {}

  void begin(const ifb_run& run) {
    open();
    run_.emplace(*database_, run, content());
  }
  void records(ifb::strided<ifb_record> batch) {
    if (options_.requests) run_->add(batch);
  }
  void end(const ifb_summary& result) {
    run_->finish(result);
    close();
  }

  void begin(const ifb_table& table) {
    open();
    table_.emplace(*database_, table, content());
  }
  void records(const ifb_table_run& of, ifb::strided<ifb_record> batch) {
    if (options_.requests) table_->add(of, batch);
  }
  void run(const ifb_table_run& one) { table_->add(one); }
  void end(const ifb_table_end& points) {
    table_->finish(points);
    close();
  }

 private:
  static std::filesystem::path database_path(const ifb::path& file) {
    std::filesystem::path out = reporters::report_path(file, reporters::output_file::mode::append);
    std::error_code unknown;
    if (std::filesystem::exists(out, unknown) && !std::filesystem::is_regular_file(out, unknown))
      throw ifb::failure{IFB_E_CONFIG,
                         out.string() + " is a device or a pipe, and a database needs a file",
                         "file"};
    return out;
  }
  [[nodiscard]] reporters::sqlite_content content() const {
    return {options_.gaps, options_.texts};
  }
  void open() {
    database_.emplace(path_);
    reporters::prepare_schema(*database_, path_);
    database_->use_write_ahead_log();
    database_->execute("PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON");
  }
  void close() {
    run_.reset();
    table_.reset();
    database_.reset();
    if (const auto terminal = host_.find_console()) terminal->artifact("sqlite", path_.string());
  }

  ifb::host host_;
  options options_;
  std::filesystem::path path_;
  std::optional<reporters::database> database_;
  std::optional<reporters::run_writer> run_;
  std::optional<reporters::table_writer> table_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<sqlite>);
