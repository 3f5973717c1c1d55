// The reporter `multi-turn`: the table, the files and the workbook of vLLM's
// benchmark_serving_multi_turn, for runs with conversations.
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <inferbench/plugin.hpp>

#include "conversation_answers.hpp"
#include "datasets/common/text_file.hpp"
#include "reporters/common/output_file.hpp"
#include "reporters/common/report_file.hpp"
#include "request_json.hpp"
#include "run_summary.hpp"
#include "turn_request.hpp"
#include "workbook.hpp"

namespace multi_turn {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_differences = 10;  // that are named in the log

class reporter {
 public:
  static constexpr const char* id = "multi-turn";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Prints and writes the statistics of vLLM's multi-turn benchmark, for datasets of "
      "conversations.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_REPORTER_STAMPS_IF_DETAILED;

  struct options {
    ifb::path file;
    ifb::path excel;
    ifb::path answers;
    ifb::path conversations;
    bool verify = false;
    bool turn_times = false;
    std::vector<std::string> warmup_percentages;
    std::vector<std::string> parameters;
    std::vector<std::string> generator_parameters;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"file", &options::file, "File for the figures of each request, a JSON list."},
          ifb::option{"excel", &options::excel,
                      "Workbook for the statistics and the figures of each request (.xlsx)."},
          ifb::option{"answers", &options::answers,
                      "File for the conversations with the answers of the server; needs "
                      "--multi-turn-conversations."},
          ifb::option{"conversations", &options::conversations,
                      "The file of conversations of the run, for the two options that need their "
                      "texts."},
          ifb::option{"verify", &options::verify,
                      "Fail if an answer differs from the recorded answer; needs "
                      "--multi-turn-conversations.",
                      "false"},
          ifb::option{"turn-times", &options::turn_times,
                      "Add a row: the time between two requests of a conversation.", "false"},
          ifb::option{"warmup-percentages", &options::warmup_percentages,
                      "Shares of the requests that a summary leaves out at the start, such as 0% "
                      "50%: one summary for each."}
              .value_name("PERCENT"),
          ifb::option{"parameters", &options::parameters,
                      "Lines NAME=VALUE to print before the statistics."}
              .value_name("NAME=VALUE"),
          ifb::option{"generator-parameters", &options::generator_parameters,
                      "Lines NAME=VALUE about the generated conversations to print."}
              .value_name("NAME=VALUE")};
    }
  };

  reporter(ifb::host host, const options& given)
      : host_(host), options_(given), requests_(counter_of(host)) {
    shares_ = warmup_shares(given.warmup_percentages, "warmup-percentages");
    if (shares_.empty()) shares_.push_back({});
    if ((!given.answers.empty() || given.verify) && given.conversations.empty())
      throw ifb::failure(IFB_E_CONFIG, "the file of conversations is not given", "conversations");
    for (const ifb::path* file : {&given.file, &given.answers, &given.excel})
      if (!file->empty()) std::ignore = reporters::report_path(*file);
  }

  void begin(const ifb_run&) {}

  void records(ifb::strided<ifb_record> batch) {
    for (const ifb_record& r : batch) {
      if (r.status != IFB_OK || r.session.size == 0) continue;
      requests_.add(r);
      if (!options_.conversations.empty()) answers_.add(r);
    }
  }

  void end(const ifb_summary&) {
    const std::vector<turn_request> all = by_start(requests_.all());
    std::vector<shared_summary> summaries;
    for (const warmup_share& each : shares_)
      summaries.emplace_back(each.share > 0 ? each.text : std::string(),
                             summarise(all, each.share, options_.turn_times));
    print(summaries, all.empty());
    if (!options_.file.empty()) write("requests", options_.file, requests_json(all));
    if (!options_.excel.empty()) {
      write_workbook(options_.excel.text, options_.parameters, summaries, all);
      tell("workbook", options_.excel);
    }
    merge_answers();
  }

 private:
  static token_counter counter_of(ifb::host host) {
    const auto found = host.find_tokenizer();
    if (!found) return {};
    return [tokenizer = *found](std::string_view text) {
      return static_cast<std::int64_t>(tokenizer.count(text));
    };
  }

  void tell(const char* what, const ifb::path& file) const {
    if (const auto terminal = host_.find_console()) terminal->artifact(what, file.text);
  }

  void write(const char* what, const ifb::path& file, std::string_view text) const {
    reporters::output_file to(file.text, reporters::output_file::mode::replace);
    to.write(text);
    to.commit();
    tell(what, file);
  }

  void print(std::span<const shared_summary> summaries, bool empty) const {
    const auto terminal = host_.find_console();
    if (!terminal) return;
    std::string text;
    if (!options_.parameters.empty()) text += parameters_text("Parameters", options_.parameters);
    if (!options_.generator_parameters.empty())
      text += parameters_text("Conversations Generation Parameters", options_.generator_parameters);
    if (empty) text += rule() + "No request of a conversation succeeded.\n";
    for (const auto& [share, each] : summaries)
      if (!empty) text += summary_text(each, share);
    terminal->print(text + rule());
  }

  /// Writes the answers, and compares them. Throws ifb::failure if they differ and shall not.
  void merge_answers() const {
    if (options_.answers.empty() && !options_.verify) return;
    const std::string& from = options_.conversations.text;
    const conversation_answers::merged found =
        answers_.merge_into(files::text_file(from).text(), from);
    if (!options_.answers.empty()) write("answers", options_.answers, found.text);
    if (!options_.verify || found.differences.empty()) return;
    const std::size_t all = found.differences.size();
    for (std::size_t i = 0; i < all && i < most_differences; ++i)
      host_.error("an answer differs from the recorded answer: " + found.differences[i]);
    if (all > most_differences)
      host_.error("more answers that differ: " + std::to_string(all - most_differences));
    throw ifb::failure(IFB_E_DATA,
                       "the verification has failed: " + std::to_string(all) + " of " +
                           std::to_string(found.compared) +
                           " answers differ from the recorded answers; the figures and files of "
                           "the run are complete, and the command ends with status 1");
  }

  ifb::host host_;
  options options_;
  std::vector<warmup_share> shares_;
  turn_requests requests_;
  conversation_answers answers_;
};

}  // namespace

}  // namespace multi_turn

INFERBENCH_PLUGINS(ifb::reporter<multi_turn::reporter>);
