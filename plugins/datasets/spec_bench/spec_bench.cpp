// Makes a prompt from the first turn of each question of Spec-Bench. With the same seed and
// tokenizer the prompts are the same as in `vllm bench serve --dataset-name spec_bench`.
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/plugin.hpp>

#include "datasets/prompts/text_rows.hpp"

namespace {

std::string_view first_turn(const files::json_row& row) {
  const rapidjson::Value& turns = row.at("turns");
  if (!turns.IsArray() || turns.Empty() || !turns[0].IsString())
    row.refuse("\"turns\" must be a list that begins with a text");
  return *files::string_of(&turns[0]);
}

class spec_bench {
 public:
  static constexpr const char* id = "spec_bench";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Questions of Spec-Bench, the first turn of each.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_DATASET_PARALLEL;

  struct options {
    ifb::path path;
    std::int64_t output_len = 256;
    std::string category;
    bool skip_chat_template = false;
    ifb::json_text chat_template_kwargs;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"path", &options::path,
                      "The question.jsonl of Spec-Bench: {\"turns\", \"category\"} on each line.",
                      nullptr, IFB_OPT_REQUIRED}
              .general(),
          ifb::option{"output-len", &options::output_len, "Answer length in tokens.", "256"}
              .general()
              .value_name("TOKENS"),
          ifb::option{"category", &options::category,
                      "Category of the questions to take, such as coding; if not given, all."}
              .value_name("NAME"),
          ifb::option{"skip-chat-template", &options::skip_chat_template,
                      "Send and count the prompts without the model's chat template.", "false"}
              .general(),
          ifb::option{"chat-template-kwargs", &options::chat_template_kwargs,
                      "Variables for the chat template."}
              .general()};
    }
  };

  spec_bench(ifb::host host, const options& chosen)
      : path_(chosen.path.text),
        rows_(host,
              {.output_len = chosen.output_len,
               .category = chosen.category,
               .skip_chat_template = chosen.skip_chat_template,
               .variables = chosen.chat_template_kwargs.text},
              first_turn) {}

  ifb_dataset_info prepare(const ifb_dataset_request&) { return rows_.prepare(path_); }

  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) const {
    return rows_.read(row, memory, out);
  }

 private:
  std::string path_;
  prompts::text_rows rows_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<spec_bench>)
