// Synthetic prompts with images and videos of noise. With the same seed and tokenizer the texts,
// the sizes and the pixels are the same as in `vllm bench serve --dataset-name random-mm`.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <inferbench-media/media.hpp>

#include <inferbench/plugin.hpp>
#include <inferbench/random.hpp>

#include "bucket.hpp"
#include "datasets/common/multimodal.hpp"
#include "datasets/synthetic/draws.hpp"
#include "datasets/synthetic/endless_prompts.hpp"
#include "datasets/synthetic/length.hpp"
#include "datasets/synthetic/options.hpp"
#include "datasets/synthetic/prefixes.hpp"
#include "datasets/synthetic/prompt_maker.hpp"
#include "datasets/synthetic/range_ratio.hpp"
#include "datasets/synthetic/run_maker.hpp"
#include "datasets/synthetic/run_prompts.hpp"
#include "datasets/synthetic/tokenizer.hpp"
#include "item_draws.hpp"
#include "noise.hpp"
#include "ordered_prompts.hpp"

namespace {

class prompts_with_media {
 public:
  static constexpr const char* id = "random-mm";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Synthetic prompts of given lengths with images and videos of noise.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags =
      IFB_DATASET_SYNTHETIC | IFB_DATASET_ENDLESS | IFB_DATASET_PARALLEL;

  struct options {
    std::string input_len = "1024";
    std::string output_len = "128";
    ifb::json_text range;
    std::string prefix_len = "0";
    std::int64_t base_items = 1;
    double items_ratio = 0;
    ifb::json_text limits;
    std::string buckets = "{(256, 256, 1): 0.5, (720, 1280, 1): 0.5, (720, 1280, 16): 0.0}";
    bool multimodal_chat = false;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"input-len", &options::input_len,
                      "Mean length of the text of a prompt in tokens, or a distribution.", "1024"}
              .general()
              .flag("random-input-len")
              .value_name("LENGTH"),
          ifb::option{"output-len", &options::output_len,
                      "Mean answer length in tokens, or a distribution.", "128"}
              .general()
              .flag("random-output-len")
              .value_name("LENGTH"),
          synthetic::range_ratio_option(&options::range).flag("random-range-ratio"),
          ifb::option{"prefix-len", &options::prefix_len,
                      "Tokens that all prompts begin with, on top of the prompt length.", "0"}
              .flag("random-prefix-len")
              .value_name("LENGTH"),
          ifb::option{"base-items-per-request", &options::base_items,
                      "Mean number of images and videos in a request; 0: none.", "1"}
              .value_name("N")
              .range(0, 2147483647),
          ifb::option{"num-mm-items-range-ratio", &options::items_ratio,
                      "Spread of the number of images and videos around its mean, from 0 to 1.",
                      "0.0"}
              .value_name("RATIO"),
          ifb::option{"limit-mm-per-prompt", &options::limits,
                      "Most images and most videos in a request.",
                      "'{\"image\": 255, \"video\": 1}'"},
          ifb::option{"bucket-config", &options::buckets,
                      "Sizes and how often they are drawn, {(HEIGHT, WIDTH, FRAMES): WEIGHT, ...}; "
                      "1 frame is an image, more are a video of 30 frames per second.",
                      "\"{(256, 256, 1): 0.5, (720, 1280, 1): 0.5, (720, 1280, 16): 0.0}\""}
              .value_name("BUCKETS"),
          multimodal::chat_option(&options::multimodal_chat)};
    }
  };

  prompts_with_media(ifb::host host, const options& chosen) : host_(host), chosen_(chosen) {}

  ifb_dataset_info prepare(const ifb_dataset_request& request) {
    const auto input = synthetic::length::parse(chosen_.input_len, "input-len");
    const auto output = synthetic::length::parse(chosen_.output_len, "output-len");
    const auto prefix = synthetic::length::parse(chosen_.prefix_len, "prefix-len");
    const auto ratio = synthetic::range_ratio::parse(chosen_.range.text);
    const auto tokenizer = synthetic::tokenizer_of(host_);
    const auto words = synthetic::vocabulary_of(tokenizer);
    synthetic::endless_lengths lengths{
        synthetic::length_range::of_inputs(input, words.special, ratio.input),
        synthetic::length_range::of_outputs(output, ratio.output),
        synthetic::length_range::of(prefix)};
    prompts_.reset();
    endless_.reset();
    items_.emplace(random_mm::parse_buckets(chosen_.buckets),
                   random_mm::item_draws::choices{chosen_.base_items, chosen_.items_ratio,
                                                  random_mm::parse_limits(chosen_.limits.text)});
    host_.info(
        "prompts of " + lengths.inputs.text() + " tokens" +
        (prefix.plain() == 0 ? std::string() : " after a prefix of " + lengths.prefixes.text()) +
        ", with " + items_->text() + ", answers of " + lengths.outputs.text());
    for (const random_mm::bucket& each : items_->used())
      noise_.check(each);

    const synthetic::prompt_maker maker(tokenizer, words.size);
    synthetic::run_recipe recipe;
    // The placeholders of images and videos are special tokens.
    recipe.allowed = words.unmarked(words.size);
    if (request.wanted <= 0) {
      synthetic::draw_endless_prefix(host_, maker, lengths, request.seed, recipe);
      endless_.emplace(host_, synthetic::run_maker(maker, std::move(recipe)), std::move(lengths),
                       words.size, request.seed);
      return ifb::dataset_info(-1);
    }

    ifb::numpy_pcg64 random(request.seed);
    recipe.draws = synthetic::draw_all(random, static_cast<std::size_t>(request.wanted),
                                       lengths.inputs, lengths.outputs, words.size);
    synthetic::draw_prefixes(host_, maker, lengths.prefixes, random, recipe);
    recipe.random = random;
    outputs_.clear();
    outputs_.reserve(recipe.draws.size());
    for (const synthetic::draw& each : recipe.draws)
      outputs_.push_back(each.output);
    prompts_ = std::make_unique<random_mm::ordered_prompts>(
        host_, maker, std::move(recipe), [this](ifb::numpy_pcg64& items) { items_->skip(items); });
    return ifb::dataset_info(request.wanted);
  }

  // Any thread. The media are made without a lock.
  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) const {
    if (prompts_ && row >= prompts_->size()) return ifb::row_result::end();
    ifb::numpy_pcg64 random(0);
    std::uint32_t output = 0;
    const synthetic::prompt text = prompt_of(row, random, output);

    std::vector<ifb_part> parts{ifb::text_part(memory.copy(text.text))};
    items_->draw(random, [&](const random_mm::bucket& of, ifb::numpy_pcg64& pixels) {
      parts.push_back(medium(of, pixels, memory));
    });
    const auto kept = memory.copy(std::span<const ifb_part>(parts));
    multimodal::put(kept, chosen_.multimodal_chat, out);
    out.input_tokens = static_cast<std::int64_t>(text.tokens);
    out.output_tokens = output;
    return ifb::row_result::ok();
  }

 private:
  // Sets the generator to its state before the first item of the row.
  [[nodiscard]] synthetic::prompt prompt_of(std::uint64_t row, ifb::numpy_pcg64& random,
                                            std::uint32_t& output) const {
    if (endless_) {
      synthetic::endless_prompts::finished_prompt made = endless_->at(row, random);
      output = made.output;
      return std::move(made.text);
    }
    random_mm::ordered_prompts::request_prompt made = prompts_->at(row);
    random = made.random;
    output = outputs_[row];
    return std::move(made.text);
  }

  [[nodiscard]] ifb_part medium(const random_mm::bucket& of, ifb::numpy_pcg64& pixels,
                                ifb::arena memory) const {
    if (host_.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
    const bool image = of.kind() == random_mm::modality::image;
    ifb_part out{};
    out.struct_size = sizeof out;
    out.kind = image ? IFB_PART_IMAGE : IFB_PART_VIDEO;
    out.mime = image ? "image/jpeg" : "video/mp4";
    try {
      out.data = ifb::bytes(memory.copy(noise_.file(of, pixels)));
    } catch (const inferbench::media::failure& e) {
      throw ifb::failure(IFB_E_DATA, "the item " + of.text() + " cannot be encoded: " + e.what());
    }
    return out;
  }

  ifb::host host_;
  options chosen_;
  std::optional<random_mm::item_draws> items_;
  mutable random_mm::noise noise_;
  std::vector<std::uint32_t> outputs_;
  std::unique_ptr<random_mm::ordered_prompts> prompts_;  // a run with a number of requests
  std::optional<synthetic::endless_prompts> endless_;    // instead of prompts_: any number of rows
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<prompts_with_media>)
