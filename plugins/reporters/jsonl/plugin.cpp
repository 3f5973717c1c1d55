// The reporter `jsonl` writes a JSON object for each request as soon as it ends. The first line
// describes the run, the last line has its figures.
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>

#include <inferbench/plugin.hpp>
#include <inferbench/run_description_json.hpp>

#include "lines.hpp"
#include "reporters/common/report_file.hpp"

namespace {

class jsonl {
 public:
  static constexpr const char* id = "jsonl";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Writes a line of JSON for each request as it ends, so that other programs can follow the "
      "run.";
  static constexpr const char* license = "Apache-2.0";

  struct options {
    ifb::path file;
    bool itl = false;
    bool texts = false;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"file", &options::file, "File to write.", "\"inferbench.jsonl\""},
          ifb::option{"itl", &options::itl, "Add the times between the events of each answer.",
                      "false"},
          ifb::option{"texts", &options::texts,
                      "Add the answers of the server, with reasoning and tool calls.", "false"},
      };
    }
  };

  jsonl(ifb::host host, const options& given)
      : host_(host),
        content_{given.itl, given.texts},
        path_(reporters::report_path(given.file, reporters::output_file::mode::append)) {}

  void begin(const ifb_run& run) {
    started_ns_ = run.started_ns;
    pooling_ = ifb::describe(ifb::view(run.config_json)).pooling;
    file_.emplace(path_);
    file_->write(reporters::first_line(run));
  }

  void records(ifb::strided<ifb_record> batch) {
    std::string lines;
    for (const ifb_record& r : batch)
      if (!ifb::never_sent(r))
        reporters::add_request_line(lines, r, started_ns_, pooling_, content_);
    file_->write(lines);
  }

  void end(const ifb_summary& result) {
    file_->write(reporters::last_line(result));
    file_->close();
    if (const auto terminal = host_.find_console()) terminal->artifact("jsonl", path_.string());
  }

 private:
  ifb::host host_;
  reporters::jsonl_content content_;
  std::filesystem::path path_;
  std::uint64_t started_ns_ = 0;
  bool pooling_ = false;
  std::optional<reporters::growing_file> file_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<jsonl>);
