// Slices of a text as prompts. They are the samples of the file that vLLM's txt-slices writes, as
// vLLM's dataset `custom` reads them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <inferbench/plugin.hpp>
#include <inferbench/random.hpp>

#include "datasets/synthetic/draws.hpp"
#include "datasets/synthetic/length.hpp"
#include "datasets/synthetic/mismatch.hpp"
#include "datasets/synthetic/options.hpp"
#include "datasets/synthetic/prompt_maker.hpp"
#include "datasets/synthetic/range_ratio.hpp"
#include "datasets/synthetic/row_random.hpp"
#include "datasets/synthetic/text.hpp"
#include "datasets/synthetic/tokenizer.hpp"
#include "remote_text.hpp"

namespace {

class txt_slices {
 public:
  static constexpr const char* id = "txt-slices";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Slices of a text, of given lengths.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_DATASET_ENDLESS | IFB_DATASET_PARALLEL;

  struct options {
    ifb::path path;
    std::string input_len = "1024";
    std::string output_len = "128";
    ifb::json_text range;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"path", &options::path,
                      "Text to cut, in UTF-8: a file, or an http or https address.", nullptr,
                      IFB_OPT_REQUIRED}
              .general()
              .flag("txt-slices-input"),
          ifb::option{"input-len", &options::input_len,
                      "Mean prompt length in tokens, or a distribution: uniform(A, B), "
                      "normal(MEAN, SD), lognormal(MEAN, SIGMA), file(PATH).",
                      "1024"}
              .general()
              .value_name("LENGTH"),
          ifb::option{"output-len", &options::output_len,
                      "Mean answer length in tokens, or a distribution.", "128"}
              .general()
              .value_name("LENGTH"),
          synthetic::range_ratio_option(&options::range)};
    }
  };

  txt_slices(ifb::host host, const options& chosen) : host_(host), chosen_(chosen) {}

  ifb_dataset_info prepare(const ifb_dataset_request& request) {
    const auto input = synthetic::length::parse(chosen_.input_len, "input-len");
    const auto output = synthetic::length::parse(chosen_.output_len, "output-len");
    const auto ratio = synthetic::range_ratio::parse(chosen_.range.text);
    tokenizer_ = synthetic::tokenizer_of(host_);
    const auto words = synthetic::vocabulary_of(*tokenizer_);
    const auto inputs = synthetic::length_range::of_inputs(input, words.special, ratio.input);
    if (inputs.least() < 1)
      throw ifb::failure(IFB_E_CONFIG,
                         "a prompt may come out empty, once special tokens and the range ratio "
                         "are taken off; ask for longer prompts",
                         "input-len");
    const std::string text = whole();
    host_.progress().report("encoding " + chosen_.path.text, 0);
    text_ = tokenizer_->encode(text);
    if (text_.empty())
      throw ifb::failure(IFB_E_DATA, chosen_.path.text + ": the text has no tokens", "path");
    const auto outputs = synthetic::length_range::of_outputs(output, ratio.output);
    endless_.reset();
    if (request.wanted <= 0) {
      edges_.expect(synthetic::looked_at);
      endless_.emplace(endless{inputs, outputs, request.seed});
      return ifb::dataset_info(-1);
    }
    const auto count = static_cast<std::size_t>(request.wanted);
    ifb::numpy_pcg64 random(request.seed);
    draws_ = synthetic::draw_all(random, count, inputs, outputs, words.size);
    ifb::python_random places(request.seed);
    starts_.resize(count);
    for (std::uint64_t& each : starts_)
      each = static_cast<std::uint64_t>(
          places.randint(0, static_cast<std::int64_t>(text_.size()) - 1));
    // A custom file is shuffled. There are as many rows as the run wants, so the host repeats none
    // of them.
    edges_.expect(draws_.size());
    return ifb::dataset_info(request.wanted, IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE);
  }

  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) const {
    if (!endless_ && row >= draws_.size()) return ifb::row_result::end();
    const auto [wanted, start] = endless_ ? slice_of(row) : slice{draws_[row], starts_[row]};
    const std::string text = tokenizer_->decode(synthetic::id_run({}, text_, start, wanted.input));
    const auto parts = memory.array<ifb_part>(1);
    parts[0] = ifb::text_part(memory.copy(text));
    out.shape = IFB_PROMPT_TEXT;
    out.prompt = ifb::list_of(parts);
    out.input_tokens = static_cast<std::int64_t>(tokenizer_->count(text, IFB_ENCODE_SPECIAL));
    out.output_tokens = wanted.output;
    const auto own = static_cast<std::int64_t>(tokenizer_->count(text, 0));
    if (const std::string off = edges_.add(row, own - static_cast<std::int64_t>(wanted.input));
        !off.empty())
      host_.warn(off);
    return ifb::row_result::ok();
  }

 private:
  struct slice {
    synthetic::draw wanted;
    std::uint64_t start;
  };
  // The data from which the rows of a run without an end are made. Each row has its own generator.
  struct endless {
    synthetic::length_range inputs;
    synthetic::length_range outputs;
    std::uint64_t seed;
  };

  [[nodiscard]] slice slice_of(std::uint64_t row) const {
    ifb::numpy_pcg64 random(synthetic::seed_of_row(endless_->seed, row));
    slice out{};
    out.wanted.input = endless_->inputs.draw(random);
    out.wanted.output = endless_->outputs.draw(random);
    out.start =
        static_cast<std::uint64_t>(random.integer(0, static_cast<std::int64_t>(text_.size())));
    return out;
  }

  [[nodiscard]] std::string whole() const {
    if (!is_address(chosen_.path.text)) return synthetic::read_text(chosen_.path.text);
    host_.progress().report("fetching " + chosen_.path.text, 0);
    return fetch_text(host_, chosen_.path.text);
  }

  ifb::host host_;
  options chosen_;
  std::optional<ifb::service::tokenizer> tokenizer_;
  std::vector<std::uint32_t> text_;
  std::vector<synthetic::draw> draws_;
  std::vector<std::uint64_t> starts_;
  std::optional<endless> endless_;  // instead of draws_ and starts_: any number of rows
  mutable synthetic::row_mismatches edges_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<txt_slices>)
