// Synthetic prompts with the lengths of a BurstGPT trace. With the same seed and tokenizer they are
// the same as the prompts of `vllm bench serve --dataset-name burstgpt`.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <inferbench/plugin.hpp>
#include <inferbench/random.hpp>

#include "datasets/common/text_file.hpp"
#include "datasets/synthetic/mismatch.hpp"
#include "datasets/synthetic/tokenizer.hpp"
#include "trace.hpp"

namespace {

class burstgpt {
 public:
  static constexpr const char* id = "burstgpt";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Synthetic prompts with the lengths of prompts and answers in a BurstGPT trace.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_DATASET_PARALLEL;

  struct options {
    ifb::path path;

    static constexpr auto schema() {
      return std::tuple{ifb::option{"path", &options::path,
                                    "CSV file with the columns Model, Request tokens and Response "
                                    "tokens; rows of GPT-4 that were answered count.",
                                    nullptr, IFB_OPT_REQUIRED}
                            .general()};
    }
  };

  burstgpt(ifb::host host, const options& chosen) : host_(host), chosen_(chosen) {}

  ifb_dataset_info prepare(const ifb_dataset_request& request) {
    tokenizer_ = synthetic::tokenizer_of(host_);
    vocabulary_ = static_cast<std::uint64_t>(synthetic::vocabulary_of(*tokenizer_).size);
    {
      const files::text_file file(chosen_.path.text);
      rows_ = read_trace(host_, file);
    }
    draw(request);
    wrong_.expect(drawn_.size());
    // If there are too few rows, rows are drawn with repetition here, so the host never has to
    // repeat a row. The flag allows repetition, so that the host does not count the rows first.
    return ifb::dataset_info(static_cast<std::int64_t>(drawn_.size()), IFB_DATASET_OVERSAMPLE);
  }

  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) const {
    if (row >= drawn_.size()) return ifb::row_result::end();
    const trace_row& lengths = rows_[drawn_[row]];
    std::vector<std::uint32_t> ids(lengths.request);
    for (std::uint64_t i = 0; i < ids.size(); ++i)
      ids[i] = static_cast<std::uint32_t>((row + i) % vocabulary_);
    const auto parts = memory.array<ifb_part>(1);
    parts[0] = ifb::text_part(memory.copy(tokenizer_->decode(ids)));
    compare(row, ifb::view(parts[0].data), lengths.request);
    out.shape = IFB_PROMPT_TEXT;
    out.prompt = ifb::list_of(parts);
    out.input_tokens = lengths.request;
    out.output_tokens = lengths.response;
    return ifb::row_result::ok();
  }

 private:
  // If a text is decoded and encoded again, its number of tokens may change, and upstream does not
  // check this.
  void compare(std::uint64_t row, std::string_view prompt, std::int64_t wanted) const {
    const auto tokens = static_cast<std::int64_t>(tokenizer_->count(prompt, 0));
    if (const std::string text = wrong_.add(row, tokens - wanted); !text.empty()) host_.warn(text);
  }

  // Draws the same rows as DataFrame.sample(random_state=seed).
  void draw(const ifb_dataset_request& request) {
    ifb::numpy_legacy random(static_cast<std::uint32_t>(request.seed));
    const std::uint64_t wanted =
        request.wanted > 0 ? static_cast<std::uint64_t>(request.wanted) : rows_.size();
    drawn_.clear();
    if (wanted <= rows_.size()) {
      drawn_ = random.permutation(rows_.size());
      drawn_.resize(wanted);
      drawn_.shrink_to_fit();
      return;
    }
    drawn_.reserve(wanted);
    while (drawn_.size() < wanted)
      drawn_.push_back(
          static_cast<std::uint64_t>(random.randint(0, static_cast<std::int64_t>(rows_.size()))));
  }

  ifb::host host_;
  options chosen_;
  std::optional<ifb::service::tokenizer> tokenizer_;
  std::uint64_t vocabulary_ = 1;
  std::vector<trace_row> rows_;
  std::vector<std::uint64_t> drawn_;
  mutable synthetic::row_mismatches wrong_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<burstgpt>)
