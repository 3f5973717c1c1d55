// Equal prompts of one repeated text: the prompts that upstream's benchmark_prioritization makes
// itself.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include <inferbench/plugin.hpp>

namespace {

class repeated_text {
 public:
  static constexpr const char* id = "repeated-text";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Equal prompts of one repeated text.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_DATASET_ENDLESS | IFB_DATASET_PARALLEL;

  struct options {
    std::int64_t input_len = 1024;
    std::int64_t output_len = 128;
    std::string text = "hi";

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"input-len", &options::input_len,
                      "Prompt length in tokens: the text is repeated once less, which is this "
                      "length if each repetition is a token and the model adds a token in front.",
                      "1024"}
              .general()
              .value_name("TOKENS")
              .range(2, 100'000'000),
          ifb::option{"output-len", &options::output_len, "Answer length in tokens.", "128"}
              .general()
              .value_name("TOKENS")
              .range(1, 2147483647),
          ifb::option{"text", &options::text, "Text that is repeated, without blanks between.",
                      "\"hi\""}};
    }
  };

  repeated_text(ifb::host host, const options& chosen) : host_(host), chosen_(chosen) {}

  ifb_dataset_info prepare(const ifb_dataset_request& request) {
    if (chosen_.text.empty() || chosen_.text.size() > longest_text)
      throw ifb::failure(IFB_E_CONFIG,
                         chosen_.text.empty() ? "an empty text has no tokens; give a word"
                                              : "is longer than 1000 bytes; give a word",
                         "text");
    prompt_.clear();
    prompt_.reserve(chosen_.text.size() * static_cast<std::size_t>(chosen_.input_len));
    for (std::int64_t i = 1; i < chosen_.input_len; ++i)
      prompt_ += chosen_.text;
    tokens_ = chosen_.input_len;
    // A server is measured with the tokens that the prompt really has.
    if (const auto tokenizer = host_.find_tokenizer())
      tokens_ = static_cast<std::int64_t>(tokenizer->count(prompt_, IFB_ENCODE_SPECIAL));
    rows_ = request.wanted > 0 ? request.wanted : -1;
    return ifb::dataset_info(rows_);
  }

  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) const {
    if (rows_ >= 0 && row >= static_cast<std::uint64_t>(rows_)) return ifb::row_result::end();
    const auto parts = memory.array<ifb_part>(1);
    parts[0] = ifb::text_part(prompt_);  // lives as long as this object
    out.shape = IFB_PROMPT_TEXT;
    out.prompt = ifb::list_of(parts);
    out.input_tokens = tokens_;
    out.output_tokens = chosen_.output_len;
    return ifb::row_result::ok();
  }

 private:
  static constexpr std::size_t longest_text = 1000;  // bytes

  ifb::host host_;
  options chosen_;
  std::string prompt_;
  std::int64_t tokens_ = 0;
  std::int64_t rows_ = -1;  // -1: any number
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<repeated_text>)
