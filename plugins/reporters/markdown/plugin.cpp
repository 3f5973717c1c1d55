// The reporter `markdown` writes a report for a pull request: of one run, or of several runs side
// by side.
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>

#include <inferbench/plugin.hpp>

#include "comparison.hpp"
#include "report.hpp"
#include "reporters/common/output_file.hpp"
#include "reporters/common/report_file.hpp"

namespace {

class markdown {
 public:
  static constexpr const char* id = "markdown";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Writes a report in Markdown, for pull requests; of several runs, a comparison.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_REPORTER_STAMPS_IF_DETAILED;

  struct options {
    ifb::path file;
    std::string title;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"file", &options::file, "File to write.", "\"inferbench.md\""},
          ifb::option{"title", &options::title,
                      "Title of the report, instead of model and backend."},
      };
    }
  };

  markdown(ifb::host host, const options& given)
      : host_(host), title_(given.title), path_(reporters::report_path(given.file)) {}

  void begin(const ifb_run& run) {
    from_ = {std::string(host_.version()),
             std::string(ifb::view(run.name)),
             run.started_ns,
             run.started_unix_ns,
             std::string(ifb::view(run.environment_json)),
             std::string(ifb::view(run.config_json))};
  }
  void end(const ifb_summary& result) { write(reporters::markdown_report(from_, result, title_)); }

  void begin(const ifb_table& table) { several_.emplace(table, title_); }
  void run(const ifb_table_run& one) { several_->add(one); }
  void end(const ifb_table_end& points) { write(several_->text(points)); }

 private:
  void write(const std::string& text) {
    reporters::output_file file(path_, reporters::output_file::mode::replace);
    file.write(text);
    file.commit();
    if (const auto terminal = host_.find_console()) terminal->artifact("markdown", path_.string());
  }

  ifb::host host_;
  std::string title_;
  std::filesystem::path path_;
  reporters::origin from_;
  std::optional<reporters::markdown_comparison> several_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<markdown>);
