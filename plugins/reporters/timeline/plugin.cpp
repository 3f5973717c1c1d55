// The reporter `timeline` writes a page with a bar for every request. The page comes from the code
// of the reporter `html`.
#include <memory>
#include <tuple>

#include <inferbench/plugin.hpp>

#include "embedded_page.hpp"
#include "reporters/common/output_file.hpp"
#include "reporters/common/plot.hpp"
#include "reporters/pages/itl_limits.hpp"
#include "reporters/pages/page_report.hpp"

namespace {

class timeline {
 public:
  static constexpr const char* id = "timeline";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Draws every request with its tokens over time, as a page for a browser.";
  static constexpr const char* license = "Apache-2.0";

  struct options : reporters::place_options {
    std::string itl_thresholds;

    static constexpr auto schema() {
      return std::tuple_cat(
          place_schema(),
          std::tuple{
              ifb::option{"itl-thresholds", &options::itl_thresholds,
                          "Two times in ms: intervals between tokens are coloured by whether they "
                          "are below the first, between them, or longer.",
                          "\"25,50\""}
                  .general()
                  .value_name("MS,MS"),
          });
    }
  };

  timeline(ifb::host host, const options& given)
      : host_(host), options_(given), report_("inferbench " + std::string(host.version()), 0) {
    rows_.limits =
        reporters::limits_of(given.itl_thresholds.empty() ? "25,50" : given.itl_thresholds);
  }

  void begin(const ifb_run& run) {
    place_.begin(run);
    current_ = std::make_unique<reporters::page_run>(rows_, run);
    about_ = current_->about();
    if (options_.label) about_.label = options_.label;
    if (about_.pooling)
      host_.warn("no timeline: answers that come whole have no tokens to be drawn over time");
  }

  void records(ifb::strided<ifb_record> batch) {
    if (!about_.pooling) current_->records(batch);
  }

  void end(const ifb_summary& result) {
    if (about_.pooling) return;
    if (current_->empty()) return host_.warn("no timeline: no request was sent");
    current_->end(result, {});
    report_.add(std::move(current_));
    reporters::draw_beside(
        host_, options_, place_, about_, result, "timeline", ".timeline.html",
        [&](const std::filesystem::path& path) {
          reporters::output_file file(path, reporters::output_file::mode::replace);
          report_.write(reporters::embedded_page, about_.backend + ", " + about_.model_id,
                        [&](std::string_view text) { file.write(text); });
          file.commit();
        });
  }

 private:
  ifb::host host_;
  options options_;
  reporters::page_rows::settings rows_;
  reporters::page_report report_;
  reporters::own_place place_;
  ifb::run_description about_;
  std::unique_ptr<reporters::page_run> current_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<timeline>);
