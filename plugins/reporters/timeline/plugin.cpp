// The reporter `timeline` writes a page with a bar for every request.
#include <optional>
#include <tuple>

#include <inferbench/plugin.hpp>

#include "chart.hpp"
#include "reporters/common/figures.hpp"
#include "reporters/common/output_file.hpp"
#include "reporters/common/plot.hpp"

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
      : host_(host),
        options_(given),
        limits_(reporters::thresholds_of(given.itl_thresholds.empty() ? "25,50"
                                                                      : given.itl_thresholds)) {}

  void begin(const ifb_run& run) {
    place_.begin(run);
    run_ = ifb::describe(ifb::view(run.config_json));
    if (options_.label) run_.label = options_.label;
    chart_.emplace(limits_);
    if (run_.pooling)
      host_.warn("no timeline: answers that come whole have no tokens to be drawn over time");
  }

  void records(ifb::strided<ifb_record> batch) {
    if (run_.pooling) return;
    for (const ifb_record& r : batch)
      if (!ifb::never_sent(r)) chart_->add(r);
  }

  void end(const ifb_summary& result) {
    if (run_.pooling) return;
    if (chart_->empty()) return host_.warn("no timeline: no request was sent");
    reporters::draw_beside(host_, options_, place_, run_, result, "timeline", ".timeline.html",
                           [&](const std::filesystem::path& path) {
                             reporters::output_file file(path,
                                                         reporters::output_file::mode::replace);
                             chart_->write(run_.backend + ", " + run_.model_id,
                                           [&](std::string_view text) { file.write(text); });
                             file.commit();
                           });
  }

 private:
  ifb::host host_;
  options options_;
  reporters::thresholds limits_;
  reporters::own_place place_;
  ifb::run_description run_;
  std::optional<reporters::chart> chart_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<timeline>);
