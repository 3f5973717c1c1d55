// Long documents of one repeated word, each of them several times: the prompts of upstream's
// benchmark_long_document_qa_throughput.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <inferbench/plugin.hpp>

#include "repetition.hpp"

namespace long_document {

namespace {

class long_document {
 public:
  static constexpr const char* id = "long-document";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Long documents of one repeated word, each several times, for prefix caches.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = 0;

  struct options {
    std::int64_t length = 20000;
    std::int64_t count = 8;
    std::int64_t output_len = 10;
    std::int64_t repeat_count = 2;
    repeat_mode mode = repeat_mode::random;
    std::int64_t shuffle_seed = 0;
    bool warm_up = false;

    static constexpr const char* modes[] = {"random", "tile", "interleave"};

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"length", &options::length, "Words of a document.", "20000"}
              .value_name("WORDS")
              .range(1, 100'000'000),
          ifb::option{"count", &options::count, "Number of documents.", "8"}.value_name("N").range(
              1, 2147483647),
          ifb::option{"output-len", &options::output_len, "Answer length in tokens.", "10"}
              .general()
              .value_name("TOKENS")
              .range(1, 2147483647),
          ifb::option{"repeat-count", &options::repeat_count, "Repetitions of each document.", "2"}
              .value_name("N")
              .range(1, 2147483647),
          ifb::option{"repeat-mode", &options::mode,
                      "Order of the repetitions: random; tile: all documents, again and again; "
                      "interleave: all repetitions of a document one after the other.",
                      "\"random\""}
              .choices(modes),
          ifb::option{"shuffle-seed", &options::shuffle_seed,
                      "Seed of the order of repeat-mode random.", "0"}
              .value_name("N")
              .range(0, 9007199254740992),
          ifb::option{"warm-up", &options::warm_up,
                      "Send the documents of the warm-up instead: each once, behind another "
                      "beginning.",
                      "false"}};
    }
  };

  long_document(ifb::host host, const options& chosen) : host_(host), chosen_(chosen) {}

  ifb_dataset_info prepare(const ifb_dataset_request& request) {
    if (chosen_.count > std::numeric_limits<std::int32_t>::max() / chosen_.repeat_count)
      throw ifb::failure(IFB_E_CONFIG,
                         std::to_string(chosen_.count) + " documents, repeated " +
                             std::to_string(chosen_.repeat_count) +
                             " times, are more than 2147483647 requests",
                         "repeat-count");
    const bool in_order = (request.flags & IFB_DATASET_IN_ORDER) != 0;
    const repeat_mode mode =
        in_order && chosen_.mode == repeat_mode::random ? repeat_mode::tile : chosen_.mode;
    const std::int64_t repeats = chosen_.warm_up ? 1 : chosen_.repeat_count;
    order_ =
        repeated(static_cast<std::uint32_t>(chosen_.count), static_cast<std::uint32_t>(repeats),
                 chosen_.warm_up ? repeat_mode::tile : mode,
                 static_cast<std::uint64_t>(chosen_.shuffle_seed));
    tokenizer_ = host_.find_tokenizer();
    documents_.assign(static_cast<std::size_t>(chosen_.count), {});
    return ifb::dataset_info(static_cast<std::int64_t>(order_.size()), 0);
  }

  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) {
    if (row >= order_.size()) return ifb::row_result::end();
    document& what = documents_[order_[row]];
    if (what.text.empty()) make(order_[row], what);
    const auto parts = memory.array<ifb_part>(1);
    parts[0] = ifb::text_part(what.text);  // lives as long as this object
    out.shape = IFB_PROMPT_TEXT;
    out.prompt = ifb::list_of(parts);
    out.input_tokens = what.tokens;
    out.output_tokens = chosen_.output_len;
    return ifb::row_result::ok();
  }

 private:
  // A document is made when it is asked for the first time, and all of its repetitions share it.
  struct document {
    std::string text;
    std::int64_t tokens = -1;  // -1: nobody counts
  };

  // The number in front makes the documents differ from the first token on.
  void make(std::uint32_t number, document& to) const {
    std::string text = chosen_.warm_up ? "Document of the warm-up with the number " : "";
    text += std::to_string(number);
    text.reserve(text.size() + static_cast<std::size_t>(chosen_.length) * 3);
    text += "hi";
    for (std::int64_t i = 1; i < chosen_.length; ++i)
      text += " hi";
    if (tokenizer_)
      to.tokens = static_cast<std::int64_t>(tokenizer_->count(text, IFB_ENCODE_SPECIAL));
    to.text = std::move(text);
  }

  ifb::host host_;
  options chosen_;
  std::optional<ifb::service::tokenizer> tokenizer_;
  std::vector<std::uint32_t> order_;  // for each row the number of its document
  std::vector<document> documents_;
};

}  // namespace

}  // namespace long_document

INFERBENCH_PLUGINS(ifb::dataset<long_document::long_document>)
