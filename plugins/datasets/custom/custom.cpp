// The user's own prompts, one per row. With the same seed and tokenizer they are the same as the
// prompts of `vllm bench serve --dataset-name custom`.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/plugin.hpp>

#include "datasets/prompts/text_rows.hpp"

namespace {

std::string_view prompt_of(const files::json_row& row) {
  const rapidjson::Value& prompt = row.at("prompt");
  if (const auto text = files::string_of(&prompt)) return *text;
  const bool sendable = prompt.IsArray() || prompt.IsObject();
  row.refuse(std::string("\"prompt\" must be a text") +
             (sendable ? " to be counted; --skip-tokenizer-init sends lists and objects as they are"
                       : ""));
}

class custom {
 public:
  static constexpr const char* id = "custom";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Prompts of a JSON-lines file, one for each row.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_DATASET_PARALLEL;

  struct options {
    ifb::path path;
    std::optional<std::int64_t> output_len;
    bool skip_chat_template = false;
    ifb::json_text chat_template_kwargs;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"path", &options::path,
                      "JSON lines file: {\"prompt\", \"output_tokens\"} on each line.", nullptr,
                      IFB_OPT_REQUIRED}
              .general(),
          ifb::option{"output-len", &options::output_len,
                      "Answer length in tokens; -1: each row's output_tokens. If not given, 256, "
                      "and without a tokenizer each row's, where it has any."}
              .general()
              .value_name("TOKENS"),
          ifb::option{"skip-chat-template", &options::skip_chat_template,
                      "Send and count the prompts without the model's chat template.", "false"}
              .general(),
          ifb::option{"chat-template-kwargs", &options::chat_template_kwargs,
                      "Variables for the chat template."}
              .general()};
    }
  };

  custom(ifb::host host, const options& chosen)
      : path_(chosen.path.text),
        rows_(host,
              {.output_len = chosen.output_len,
               .skip_chat_template = chosen.skip_chat_template,
               .variables = chosen.chat_template_kwargs.text,
               .raw = "prompt"},
              prompt_of) {}

  ifb_dataset_info prepare(const ifb_dataset_request&) {
    if (!path_.ends_with(".jsonl"))
      throw ifb::failure(IFB_E_CONFIG,
                         "prompts are read from a file whose name ends in .jsonl, with a JSON "
                         "object on each line; not from " +
                             path_,
                         "path");
    return rows_.prepare(path_);
  }

  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) const {
    return rows_.read(row, memory, out);
  }

 private:
  std::string path_;
  prompts::text_rows rows_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<custom>)
