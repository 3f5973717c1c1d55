// Prompts that consist of lines of a poem. With the same seed and tokenizer they are the same as
// the prompts of `vllm bench serve --dataset-name sonnet`.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <inferbench/json_writer.hpp>
#include <inferbench/plugin.hpp>
#include <inferbench/random.hpp>

#include "datasets/synthetic/draws.hpp"
#include "datasets/synthetic/length.hpp"
#include "datasets/synthetic/row_random.hpp"
#include "datasets/synthetic/text.hpp"
#include "datasets/synthetic/tokenizer.hpp"
#include "default_poem.hpp"
#include "poem.hpp"

namespace {

constexpr double most_tokens = 16'777'216;

class sonnet {
 public:
  static constexpr const char* id = "sonnet";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Prompts of poem lines, which all begin with the same lines.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_DATASET_ENDLESS;

  struct options {
    ifb::path path;
    std::string input_len = "550";
    std::string output_len = "150";
    std::int64_t prefix_len = 200;
    bool skip_chat_template = false;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"path", &options::path,
                      "Text file of lines to choose from, instead of sonnets of Shakespeare."}
              .general(),
          ifb::option{"input-len", &options::input_len,
                      "Most tokens of a prompt, those of the chat template with them, or a "
                      "distribution of that.",
                      "550"}
              .general()
              .value_name("LENGTH"),
          ifb::option{"output-len", &options::output_len,
                      "Answer length in tokens, or a distribution: uniform(A, B), "
                      "normal(MEAN, SD), lognormal(MEAN, SIGMA), file(PATH).",
                      "150"}
              .general()
              .value_name("LENGTH"),
          ifb::option{"prefix-len", &options::prefix_len,
                      "Tokens that all prompts begin with, in whole lines.", "200"}
              .value_name("TOKENS")
              .range(0, most_tokens),
          ifb::option{"skip-chat-template", &options::skip_chat_template,
                      "Send and count the prompts without the model's chat template.", "false"}
              .general()};
    }
  };

  sonnet(ifb::host host, const options& chosen) : host_(host), chosen_(chosen) {}

  ifb_dataset_info prepare(const ifb_dataset_request& request) {
    const auto outputs =
        synthetic::length_range::of(synthetic::length::parse(chosen_.output_len, "output-len"));
    const auto inputs = synthetic::length::parse(chosen_.input_len, "input-len");
    tokenizer_ = synthetic::tokenizer_of(host_);
    std::vector<std::string> lines = read_lines();
    const std::int64_t base = count(sent(std::string(poem_task)));
    if (inputs.plain() && *inputs.plain() <= base)
      throw ifb::failure(IFB_E_CONFIG,
                         inputs.text() +
                             " tokens are too few for a prompt: without a single line it has " +
                             std::to_string(base),
                         "input-len");
    std::int64_t tokens = 0;
    for (const std::string& line : lines)
      tokens += count(line);
    if (tokens == 0) throw ifb::failure(IFB_E_DATA, "the lines of the poem have no tokens", "path");
    const double average = static_cast<double>(tokens) / static_cast<double>(lines.size());
    const std::size_t amount = lines.size();
    const auto plan_of_length = [=, this](std::int64_t most) {
      poem_plan out = poem_plan::of(most, chosen_.prefix_len, base, average, amount);
      out.fewer = !inputs.plain();
      return out;
    };
    const auto count_sent = [this](const std::string& text) { return count(sent(text)); };
    endless_.reset();
    if (request.wanted <= 0) {
      prompts_.emplace(std::move(lines), plan_of_length(inputs.least()).fixed, nullptr,
                       request.seed, count_sent);
      endless_.emplace(endless{inputs, outputs, request.seed, plan_of_length});
      return ifb::dataset_info(-1, IFB_DATASET_PARALLEL);
    }
    ifb::numpy_pcg64 random(request.seed);
    outputs_.resize(static_cast<std::size_t>(request.wanted));
    for (std::uint32_t& each : outputs_)
      each = outputs.draw(random);
    most_.clear();
    if (!inputs.plain())
      for (std::size_t i = 0; i < outputs_.size(); ++i)
        most_.push_back(inputs.draw(random));
    const auto plan_of = [=, this](std::uint64_t row) {
      return plan_of_length(most_.empty() ? *inputs.plain() : std::int64_t{most_[row]});
    };
    prompts_.emplace(std::move(lines), plan_of(0).fixed, plan_of, request.seed, count_sent);

    // There are as many rows as the run wants. The flag allows the host to repeat rows, so that the
    // host does not count the rows first.
    return ifb::dataset_info(request.wanted, IFB_DATASET_OVERSAMPLE);
  }

  // Without an end several threads may call this function.
  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) {
    if (endless_) {
      ifb::numpy_pcg64 lengths(synthetic::seed_of_row(endless_->seed, row));
      ifb::python_random lines(synthetic::seed_of_row(endless_->seed, row));
      out.output_tokens = endless_->outputs.draw(lengths);
      const auto plain = endless_->inputs.plain();
      const std::int64_t most = plain ? *plain : std::int64_t{endless_->inputs.draw(lengths)};
      put(prompts_->draw(endless_->plan_of(most), lines), memory, out);
      return ifb::row_result::ok();
    }
    if (row >= outputs_.size()) return ifb::row_result::end();
    put(prompts_->at(row), memory, out);
    out.output_tokens = outputs_[row];
    return ifb::row_result::ok();
  }

 private:
  // The data from which the rows of a run without an end are made. Each row has its own generators.
  struct endless {
    synthetic::length inputs;
    synthetic::length_range outputs;
    std::uint64_t seed;
    std::function<poem_plan(std::int64_t)> plan_of;  // of a maximum number of tokens
  };

  // The rendered prompt is for completions. The message is for chat, in which the server renders
  // the prompt.
  void put(const poem_prompts::row& drawn, ifb::arena memory, ifb_sample& out) const {
    const std::string plain = prompts_->text(drawn);
    const auto parts = memory.array<ifb_part>(1);
    parts[0] = ifb::text_part(memory.copy(sent(plain)));
    out.shape = IFB_PROMPT_TEXT;
    out.prompt = ifb::list_of(parts);
    if (!chosen_.skip_chat_template) {
      const auto messages = memory.array<ifb_message>(1);
      messages[0] = ifb::json_message("user", memory.copy(message_of(plain)));
      out.messages = ifb::list_of(messages);
    }
    out.input_tokens = drawn.tokens;
  }

  [[nodiscard]] std::vector<std::string> read_lines() const {
    if (chosen_.path.empty()) return lines_of(default_poem);
    return lines_of(synthetic::read_text(chosen_.path.text));
  }

  [[nodiscard]] std::int64_t count(const std::string& text) const {
    return static_cast<std::int64_t>(tokenizer_->count(text, IFB_ENCODE_SPECIAL));
  }

  // Returns a message in the form in which upstream's chat backend writes a prompt with one text.
  [[nodiscard]] static std::string message_of(const std::string& text) {
    ifb::json_writer out;
    out.begin_object();
    out.member("role", "user");
    out.key("content");
    out.begin_array();
    out.begin_object();
    out.member("type", "text");
    out.member("text", text);
    out.end_object();
    out.end_array();
    out.end_object();
    return out.take();
  }

  // Returns the prompt for completions.
  [[nodiscard]] std::string sent(const std::string& plain) const {
    if (chosen_.skip_chat_template) return plain;
    ifb::json_writer chat;
    chat.begin_object();
    chat.key("messages");
    chat.begin_array();
    chat.begin_object();
    chat.member("role", "user");
    chat.member("content", plain);
    chat.end_object();
    chat.end_array();
    chat.member("add_generation_prompt", true);
    chat.end_object();
    try {
      return tokenizer_->render(chat.text());
    } catch (const ifb::failure& e) {
      if (e.code() != IFB_E_UNSUPPORTED) throw;
      throw ifb::failure(IFB_E_CONFIG, "the lines go into the model's chat template, and " +
                                           e.message() +
                                           "; give --skip-chat-template to send them without");
    }
  }

  ifb::host host_;
  options chosen_;
  std::optional<ifb::service::tokenizer> tokenizer_;
  std::optional<poem_prompts> prompts_;
  std::optional<endless> endless_;  // instead of the next two members: any number of rows
  std::vector<std::uint32_t> outputs_;
  std::vector<std::uint32_t> most_;  // maximum tokens of each prompt; empty: equal for all prompts
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<sonnet>)
