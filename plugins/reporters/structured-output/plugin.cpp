// The reporter `structured-output` writes the result file of vLLM's
// benchmark_serving_structured_output, and prints the rate of correct answers as the script does.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <inferbench/plugin.hpp>
#include <inferbench/run_description_json.hpp>

#include "answer.hpp"
#include "reporters/common/figures.hpp"
#include "reporters/common/json_value.hpp"
#include "reporters/common/output_file.hpp"
#include "reporters/common/report_file.hpp"
#include "result_file.hpp"

namespace {

class structured_output_reporter {
 public:
  static constexpr const char* id = "structured-output";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Writes the result file of vLLM's benchmark_serving_structured_output, and prints its rate "
      "of correct answers.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = 0;

  struct options {
    ifb::path file;
    bool schemas = false;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"file", &options::file,
                      "File to write; if not given, only the rate is printed."},
          ifb::option{"schemas", &options::schemas,
                      "Add to each output its schema and whether the structure was demanded.",
                      "false"},
      };
    }
  };

  structured_output_reporter(ifb::host host, const options& given)
      : host_(host), schemas_(given.schemas) {
    if (!given.file.empty()) path_ = reporters::report_path(given.file);
  }

  void begin(const ifb_run& run) {
    run_ = ifb::describe(ifb::view(run.config_json));
    started_ns_ = run.started_ns;
    answers_.clear();
  }

  void records(ifb::strided<ifb_record> batch) {
    for (const ifb_record& each : batch) {
      if (ifb::never_sent(each)) continue;
      structured_output::answer one = structured_output::answer_of(each, started_ns_);
      if (!path_) {  // only the score is needed
        const std::optional<double> score = one.score;
        one = {};
        one.score = score;
      }
      answers_.push_back(std::move(one));
    }
  }

  void end(const ifb_summary& result) {
    const std::optional<double> rate = structured_output::correct_rate(answers_);
    if (path_) write(result, rate);
    const auto terminal = host_.find_console();
    if (!terminal) return;
    // print("correct_rate(%)", rate, "\n")
    std::string line = "correct_rate(%) ";
    if (rate)
      ifb::append_python_float(line, *rate);
    else
      line += "None";
    terminal->print(line + " \n\n");
    if (path_) terminal->artifact("structured-output", path_->string());
  }

 private:
  void write(const ifb_summary& ended, std::optional<double> rate) const {
    const reporters::figures found(ended);
    const rapidjson::Document facts = reporters::parse_object(ifb::view(ended.facts_json));
    std::vector<const structured_output::answer*> in_order;
    in_order.reserve(answers_.size());
    for (const structured_output::answer& each : answers_)
      in_order.push_back(&each);
    std::ranges::sort(in_order, {}, [](const auto* each) { return each->row.sequence; });
    reporters::output_file file(*path_, reporters::output_file::mode::replace);
    structured_output::write_result({run_, found, facts, in_order, rate, schemas_},
                                    [&](std::string_view text) { file.write(text); });
    file.commit();
  }

  ifb::host host_;
  bool schemas_;
  std::optional<std::filesystem::path> path_;
  ifb::run_description run_;
  std::uint64_t started_ns_ = 0;
  std::deque<structured_output::answer> answers_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<structured_output_reporter>);
