// Requests whose answers must have a structure: JSON of a schema, a grammar, a pattern or a choice.
// They are the requests of upstream's benchmark_serving_structured_output.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/draft/scorer.h>
#include <inferbench/json_writer.hpp>
#include <inferbench/plugin.hpp>

#include "constrained_rows.hpp"
#include "datasets/prompts/chat.hpp"
#include "evaluation_rows.hpp"
#include "json_schema.hpp"
#include "random_prefix.hpp"
#include "task.hpp"
#include "unique_name.hpp"
#include "xgrammar_features.hpp"

namespace structured {

namespace {

class structured_output {
 public:
  static constexpr const char* id = "structured-output";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Requests for answers with a structure: JSON of a schema, a grammar, a pattern, a choice.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_DATASET_ENDLESS | IFB_DATASET_PARALLEL;

  struct options {
    task_kind dataset = task_kind::json;
    double ratio = 1;
    ifb::path schema_path;
    ifb::path path;
    std::int64_t output_len = 128;
    std::int64_t random_prefix_len = 0;
    bool guided = false;
    bool skip_chat_template = false;
    ifb::json_text chat_template_kwargs;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"dataset", &options::dataset,
                      "Structure of the answers: json: a JSON schema; json-unique: a schema that "
                      "differs in each request; grammar: a part of SQL; regex: an e-mail address; "
                      "choice: one of two words; xgrammar_bench: the schemas of "
                      "NousResearch/json-mode-eval.",
                      "\"json\""}
              .choices(task_names),
          ifb::option{"ratio", &options::ratio,
                      "Share of the requests that ask the server for the structure.", "1.0"}
              .value_name("SHARE")
              .range(0, 1),
          ifb::option{"schema-path", &options::schema_path,
                      "File with the JSON schema of json and json-unique; if not given, a list of "
                      "characters of a game."}
              .value_name("FILE"),
          ifb::option{"path", &options::path,
                      "Data set of the hub, folder or file with the rows of xgrammar_bench; if not "
                      "given, NousResearch/json-mode-eval."}
              .general(),
          ifb::option{"output-len", &options::output_len, "Answer length in tokens.", "128"}
              .general()
              .flag("structured-output-len")
              .value_name("TOKENS")
              .range(1, 2147483647),
          ifb::option{"random-prefix-len", &options::random_prefix_len,
                      "Random tokens that all prompts begin with.", "0"}
              .value_name("TOKENS")
              .range(0, 16'777'216),
          ifb::option{"guided", &options::guided,
                      "Ask in the older form of vLLM: guided_json, guided_grammar, guided_regex or "
                      "guided_choice at the top level of the request.",
                      "false"},
          ifb::option{"skip-chat-template", &options::skip_chat_template,
                      "Send and count the prompts of xgrammar_bench without the model's chat "
                      "template.",
                      "false"}
              .general(),
          ifb::option{"chat-template-kwargs", &options::chat_template_kwargs,
                      "Variables for the chat template."}
              .general()};
    }
  };

  structured_output(ifb::host host, const options& chosen) : host_(host), chosen_(chosen) {}

  ifb_dataset_info prepare(const ifb_dataset_request& request) {
    warn_of_unused();
    wanted_ = request.wanted;
    seed_ = request.seed;
    tokenizer_ = host_.find_tokenizer();
    prefix_.reset();
    if (chosen_.random_prefix_len > 0) {
      require_tokenizer("a random prefix is made of tokens, which needs a tokenizer");
      prefix_.emplace(*tokenizer_, chosen_.random_prefix_len, seed_);
      prefix_text_ = prefix_->text();
    }
    constrained_.emplace(wanted_, chosen_.ratio, seed_);
    if (is_xgrammar_bench(chosen_.dataset))
      prepare_evaluation();
    else
      prepare_task();
    if (wanted_ <= 0) return ifb::dataset_info(-1);
    // There are as many rows as the run wants. The flag allows the host to repeat rows, so that the
    // host does not count the rows first.
    return ifb::dataset_info(wanted_, IFB_DATASET_OVERSAMPLE);
  }

  // Several threads may call this function.
  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) const {
    if (wanted_ > 0 && row >= static_cast<std::uint64_t>(wanted_)) return ifb::row_result::end();
    out.output_tokens = chosen_.output_len;
    if (evaluation_)
      put_evaluation(row, memory, out);
    else if (chosen_.dataset == task_kind::json_unique)
      put_unique(row, memory, out);
    else
      put(row, shared_, memory, out);
    return ifb::row_result::ok();
  }

 private:
  // The texts of one sample; they live as long as the sample.
  struct texts {
    std::string_view prompt;
    std::int64_t tokens = -1;
    std::string_view schema;
    std::string_view members;  // of the request, if it is constrained
    std::optional<std::string_view> expected;
  };

  // Upstream's script accepts these combinations.
  void warn_of_unused() const {
    const std::string kind = task_names[static_cast<std::size_t>(chosen_.dataset)];
    if (!chosen_.schema_path.empty() && !has_schema_file(chosen_.dataset))
      host_.warn("the schema file is not used with the kind " + kind);
    if (!chosen_.path.empty() && !is_xgrammar_bench(chosen_.dataset))
      host_.warn("the data set " + chosen_.path.text + " is not used with the kind " + kind);
  }

  void require_tokenizer(const char* why) const {
    if (!tokenizer_)
      throw ifb::failure(IFB_E_CONFIG, std::string(why) + "; choose one with --tokenizer-mode");
  }

  void prepare_evaluation() {
    if (!chosen_.skip_chat_template) {
      require_tokenizer(
          "the prompts of xgrammar_bench go through the model's chat template, which needs a "
          "tokenizer");
      chat_.emplace(*tokenizer_, chosen_.chat_template_kwargs.text);
      chat_->require_template();
    }
    evaluation_ = std::make_unique<evaluation_rows>(
        host_, chosen_.path.text, chosen_.guided ? xgrammar_rules::older : xgrammar_rules::newest);
  }

  void prepare_task() {
    task made;
    if (has_schema_file(chosen_.dataset)) {
      schema_.emplace(chosen_.schema_path.empty() ? json_schema::bundled()
                                                  : json_schema::of_file(chosen_.schema_path.text));
      if (chosen_.dataset == task_kind::json_unique) return;
      made = {prompt_for_schema(schema_->text()), schema_->text(), schema_->text()};
    } else {
      made = fixed_task(chosen_.dataset);
    }
    prompt_ = with_prefix(made.prompt);
    members_ = request_members(chosen_.dataset, made.value, chosen_.guided);
    text_of_schema_ = made.schema;
    shared_ = {.prompt = prompt_,
               .tokens = count(prompt_),
               .schema = text_of_schema_,
               .members = members_,
               .expected = {}};
    if (tokenizer_ && !has_schema_file(chosen_.dataset))
      host_.info("all requests have the same prompt of " + std::to_string(shared_.tokens) +
                 " tokens");
  }

  void put_unique(std::uint64_t row, ifb::arena memory, ifb_sample& out) const {
    const std::string schema = schema_->with_property(unique_name(seed_, row));
    const std::string prompt = with_prefix(prompt_for_schema(schema));
    put(row,
        {.prompt = memory.copy(prompt),
         .tokens = count(prompt),
         .schema = memory.copy(schema),
         .members = memory.copy(request_members(chosen_.dataset, schema, chosen_.guided)),
         .expected = {}},
        memory, out);
  }

  // The rendered prompt is for completions. The messages are for chat, in which the server renders
  // them.
  void put_evaluation(std::uint64_t row, ifb::arena memory, ifb_sample& out) const {
    const evaluation_row found = evaluation_->read(row, prefix_text_);
    const auto messages = memory.array<ifb_message>(found.messages.size());
    std::ranges::transform(found.messages, messages.begin(), [&](const evaluation_message& each) {
      return ifb::json_message(memory.copy(each.role), memory.copy(each.json));
    });
    out.messages = ifb::list_of(messages);
    const std::string prompt = with_prefix(chat_ ? rendered(found) : found.contents);
    std::string value;
    ifb::append_json_string(value, found.schema);
    texts of{.prompt = memory.copy(prompt),
             .tokens = count(prompt),
             .schema = memory.copy(found.schema),
             .members = memory.copy(request_members(chosen_.dataset, value, chosen_.guided)),
             .expected = {}};
    if (found.completion) of.expected = memory.copy(*found.completion);
    put(row, of, memory, out);
  }

  /// The template's own error does not know the row of the file.
  [[nodiscard]] std::string rendered(const evaluation_row& of) const {
    try {
      return chat_->render(of.conversation, {});
    } catch (const ifb::failure& e) {
      throw ifb::failure(e.code(),
                         of.place + ": the model's chat template refuses the messages: " +
                             e.message() + "; --skip-chat-template sends them without it",
                         "path");
    }
  }

  void put(std::uint64_t row, const texts& of, ifb::arena memory, ifb_sample& out) const {
    const auto parts = memory.array<ifb_part>(1);
    parts[0] = ifb::text_part(of.prompt);
    out.shape = IFB_PROMPT_TEXT;
    out.prompt = ifb::list_of(parts);
    out.input_tokens = of.tokens;
    const bool constrained = constrained_->contains(row);
    if (constrained) out.overrides = ifb::str(of.members);
    const auto fields = memory.array<ifb_field>(of.expected ? 4 : 3);
    fields[0] = ifb::field(IFB_STRUCTURE, structure_of(chosen_.dataset));
    fields[1] = ifb::field(IFB_STRUCTURE_SCHEMA, of.schema);
    fields[2] = ifb::field(IFB_STRUCTURED, constrained ? "true" : "false");
    if (of.expected) fields[3] = ifb::field(IFB_EXPECTED, *of.expected);
    out.metadata = fields.data();
    out.metadata_count = fields.size();
  }

  [[nodiscard]] std::string with_prefix(const std::string& prompt) const {
    return prefix_ ? prefix_->in_front_of(prompt) : prompt;
  }

  [[nodiscard]] std::int64_t count(const std::string& text) const {
    if (!tokenizer_) return -1;
    return static_cast<std::int64_t>(tokenizer_->count(text, IFB_ENCODE_SPECIAL));
  }

  ifb::host host_;
  options chosen_;
  std::int64_t wanted_ = 0;
  std::uint64_t seed_ = 0;
  std::optional<ifb::service::tokenizer> tokenizer_;
  std::optional<random_prefix> prefix_;
  std::string prefix_text_;
  std::optional<constrained_rows> constrained_;
  std::optional<json_schema> schema_;            // of json and json-unique
  std::unique_ptr<evaluation_rows> evaluation_;  // of xgrammar_bench
  std::optional<prompts::chat> chat_;            // of xgrammar_bench with the chat template
  // The sample of the kinds whose requests are all the same, and the texts that it points into.
  std::string prompt_;
  std::string text_of_schema_;
  std::string members_;
  texts shared_;
};

}  // namespace

}  // namespace structured

INFERBENCH_PLUGINS(ifb::dataset<structured::structured_output>)
