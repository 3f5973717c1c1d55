// Whole conversations, in which each message of the user is a request. The conversations are read
// from a file, or generated from texts and a config. Both use the layouts of vLLM's
// benchmark_serving_multi_turn. A ShareGPT file needs no conversion: the dataset sharegpt reads it
// with --sharegpt-multi-turn.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <inferbench/plugin.hpp>

#include "conversation_file.hpp"
#include "datasets/common/text_file.hpp"
#include "datasets/synthetic/prefetcher.hpp"
#include "datasets/synthetic/tokenizer.hpp"
#include "datasets/synthetic/worker_thread.hpp"
#include "generator.hpp"
#include "generator_config.hpp"
#include "saved_conversations.hpp"
#include "source.hpp"
#include "statistics.hpp"

namespace conversations {

namespace {

constexpr std::size_t room = 16;  // number of conversations that are prepared in advance

class dataset {
 public:
  static constexpr const char* id = "conversations";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Conversations of several turns: from a file, or built from texts by the rules of a "
      "configuration.";
  static constexpr const char* license = "Apache-2.0";

  struct options {
    ifb::path path;
    std::int64_t max_turns = 0;
    std::int64_t min_tokens = 0;
    std::int64_t max_tokens = 0;
    ifb::path save;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{
              "path", &options::path,
              "JSON file: a list of {\"id\", \"messages\": [{\"role\", \"content\"}, ...]}, "
              "or an object that says how to make conversations.",
              nullptr, IFB_OPT_REQUIRED}
              .general(),
          ifb::option{"max-turns", &options::max_turns,
                      "Most messages of user and assistant in a conversation; with an odd number "
                      "the answer to the last message counts, too. 0: all.",
                      "0"}
              .value_name("COUNT")
              .range(0, 2147483647),
          ifb::option{"min-tokens", &options::min_tokens,
                      "Fewest tokens that an answer is asked for; 0: the length of the recorded "
                      "answer.",
                      "0"}
              .value_name("TOKENS")
              .range(0, 2147483647),
          ifb::option{"max-tokens", &options::max_tokens,
                      "Most tokens that an answer is asked for, and their number if no answer is "
                      "recorded; 0: the length of the recorded answer; -1: the requests have no "
                      "length.",
                      "0"}
              .value_name("TOKENS")
              .range(-1, 2147483647),
          ifb::option{"save", &options::save,
                      "File to write the conversations to before the run, as a list of {\"id\", "
                      "\"messages\"}: for those that are built by the rules of a configuration."}};
    }
  };

  dataset(ifb::host host, const options& chosen) : host_(host), chosen_(chosen) {}

  ifb_dataset_info prepare(const ifb_dataset_request& request) {
    if (chosen_.max_tokens > 0 && chosen_.min_tokens > chosen_.max_tokens)
      throw ifb::failure(
          IFB_E_CONFIG,
          "must not be above --conversations-max-tokens, " + std::to_string(chosen_.max_tokens),
          "min-tokens");
    ready_.reset();
    const bool print = open(request.seed);
    std::vector<double> turns(source_->size());
    for (std::size_t i = 0; i < turns.size(); ++i)
      turns[i] = static_cast<double>(source_->turns(i));
    if (!turns.empty()) host_.info(statistics_line("turns of a conversation", std::move(turns)));
    ready_.emplace(synthetic::usual_threads(), room,
                   [this](std::uint64_t i) { return source_->make(static_cast<std::size_t>(i)); });
    if (print) print_tokens();
    if (!chosen_.save.empty()) save();
    // Each conversation is used once, in the order of the file, like in upstream.
    return ifb::dataset_info(static_cast<std::int64_t>(source_->size()), IFB_DATASET_SESSIONS);
  }

  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) {
    if (row >= source_->size()) return ifb::row_result::end();
    const conversation one = take(row);
    if (!one.trouble.empty()) return ifb::row_result::skip(one.trouble);
    const auto messages = memory.array<ifb_message>(one.messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const message& said = one.messages[i];
      const auto parts = memory.array<ifb_part>(1);
      parts[0] = ifb::text_part(memory.copy(said.text));
      messages[i] =
          ifb::message(said.role, ifb::list_of(parts),
                       said.role == "assistant" ? answer_tokens(said.tokens) : said.tokens);
    }
    const auto metadata = memory.array<ifb_field>(1);
    metadata[0] = ifb::field("conversation_id", memory.copy(one.id));
    out.shape = IFB_PROMPT_CHAT;
    out.messages = ifb::list_of(messages);
    out.metadata = metadata.data();
    out.metadata_count = metadata.size();
    if (chosen_.max_tokens > 0) out.output_tokens = chosen_.max_tokens;
    return ifb::row_result::ok();
  }

 private:
  /// Opens the source. Returns whether statistics of the tokens shall be printed.
  bool open(std::uint64_t seed) {
    const auto tokenizer = synthetic::tokenizer_of(host_);
    auto file = std::make_unique<files::text_file>(chosen_.path.text);
    const auto most = static_cast<std::size_t>(chosen_.max_turns);
    const std::size_t begin = file->text().find_first_not_of("\xEF\xBB\xBF \t\r\n");
    if (begin != std::string_view::npos && file->text()[begin] == '{') {
      const generator_config config = read_generator_config(host_, *file);
      source_ = std::make_unique<generator>(host_, config, file->path(), tokenizer, seed, most);
      return config.print_stats;
    }
    source_ = std::make_unique<conversation_file>(host_, std::move(file), tokenizer, most);
    return false;
  }

  // Rows that are read in order are prepared in advance.
  conversation take(std::uint64_t row) {
    if (ready_->next() != row || row == 0) ready_->start(row, source_->size());
    return ready_->take();
  }

  void print_tokens() {
    std::vector<double> prompts;
    std::vector<double> answers;
    std::vector<double> inputs;  // tokens of each request, including its history
    std::vector<double> outputs;
    for (std::uint64_t row = 0; row < source_->size(); ++row) {
      std::int64_t prompt = 0;
      std::int64_t answer = 0;
      for (const message& said : take(row).messages) {
        const bool user = said.role == "user";
        const std::int64_t tokens =
            user || chosen_.max_tokens < 0 ? said.tokens : answer_tokens(said.tokens);
        (user ? prompt : answer) += tokens;
        (user ? inputs : outputs).push_back(static_cast<double>(user ? prompt + answer : tokens));
      }
      prompts.push_back(static_cast<double>(prompt));
      answers.push_back(static_cast<double>(answer));
      if (host_.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
    }
    host_.info(statistics_line("prompt tokens of a conversation", std::move(prompts)));
    host_.info(statistics_line("answer tokens of a conversation", std::move(answers)));
    host_.info(statistics_line("input tokens of a request", std::move(inputs)));
    host_.info(statistics_line("output tokens of a request", std::move(outputs)));
  }

  /// Writes the conversations to the file of the option "save".
  void save() {
    saved_conversations to(chosen_.save.text);
    for (std::uint64_t row = 0; row < source_->size(); ++row) {
      to.add(take(row));
      if (host_.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
    }
    to.close();
  }

  /// Returns at least 1, because every answer has at least one token; -1 if the requests have no
  /// length.
  [[nodiscard]] std::int64_t answer_tokens(std::int64_t recorded) const {
    if (chosen_.max_tokens < 0) return -1;
    std::int64_t out = std::max<std::int64_t>({recorded, chosen_.min_tokens, 1});
    if (chosen_.max_tokens != 0) out = std::min(out, chosen_.max_tokens);
    return out;
  }

  ifb::host host_;
  options chosen_;
  std::unique_ptr<source> source_;
  // last member: its threads use the other members
  std::optional<synthetic::prefetcher<conversation>> ready_;
};

}  // namespace

}  // namespace conversations

INFERBENCH_PLUGINS(ifb::dataset<conversations::dataset>)
