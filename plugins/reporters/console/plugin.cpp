// The reporter `console` prints upstream's report on standard output, followed by this program's
// own lines. Several runs are printed as columns of one table.
#include <inferbench/plugin.hpp>

#include "side_by_side.hpp"
#include "text.hpp"
#include "turn_report.hpp"

namespace {

class console {
 public:
  static constexpr const char* id = "console";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Prints the report of vllm bench serve when the run is over, and our own figures after it.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_REPORTER_STAMPS_IF_DETAILED;

  struct options {
    bool ours = true;
    bool plots = false;
    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"ours", &options::ours,
                      "Print our own figures after the report of vllm bench serve.", "true"},
          ifb::option{"plots", &options::plots,
                      "Draw output tokens and concurrent requests per second in letters before the "
                      "report.",
                      "false"},
      };
    }
  };

  console(ifb::host host, const options& given)
      : host_(host), terminal_(host.console()), options_(given) {}

  void begin(const ifb_run& run) {
    run_ = ifb::describe(ifb::view(run.config_json));
    errors_ = {};
  }

  void records(ifb::strided<ifb_record> batch) {
    for (const ifb_record& r : batch)
      if (r.status != IFB_OK && !ifb::never_sent(r)) errors_.add(r.sequence, ifb::view(r.error));
  }

  void end(const ifb_summary& result) {
    const reporters::figures found(result);
    std::string text = error_lines(errors_, run_);
    if (found.value("completed") == 0)
      host_.warn("no request succeeded, so every figure of the report is zero");
    const rapidjson::Document facts = reporters::parse_object(ifb::view(result.facts_json));
    if (options_.plots) text += reporters::second_plots(facts, found.value("duration"));
    text += upstream_report(run_, found, facts) + reporters::turn_report(run_, found, facts);
    if (options_.ours)
      text += reporters::steady_report(facts) +
              our_report(found, result, facts, run_.thresholds_certain);
    terminal_.print(text);
  }

  void begin(const ifb_table&) { sides_ = {}; }
  void run(const ifb_table_run& one) { sides_.add(one); }
  void end(const ifb_table_end& all) { terminal_.print(sides_.text(all)); }

 private:
  ifb::host host_;
  ifb::service::console terminal_;
  options options_;
  ifb::run_description run_;
  reporters::first_errors errors_;
  reporters::side_by_side sides_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<console>);
