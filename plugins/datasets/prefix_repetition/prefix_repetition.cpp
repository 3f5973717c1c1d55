// Groups of prompts with a common prefix. With the same seed and tokenizer they are the same as the
// prompts of `vllm bench serve --dataset-name prefix_repetition`.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <inferbench/plugin.hpp>
#include <inferbench/random.hpp>

#include "datasets/synthetic/draws.hpp"
#include "datasets/synthetic/length.hpp"
#include "datasets/synthetic/mismatch.hpp"
#include "datasets/synthetic/options.hpp"
#include "datasets/synthetic/parts.hpp"
#include "datasets/synthetic/row_random.hpp"
#include "datasets/synthetic/tokenizer.hpp"
#include "endless_pieces.hpp"
#include "pieces.hpp"

namespace {

class prefix_repetition {
 public:
  static constexpr const char* id = "prefix_repetition";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Synthetic prompts in groups that begin alike.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_DATASET_ENDLESS;

  struct options {
    std::string prefix_len = "256";
    std::string suffix_len = "256";
    std::int64_t num_prefixes = 10;
    std::string output_len = "128";
    bool token_ids = false;
    bool no_cache = false;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"prefix-len", &options::prefix_len,
                      "Tokens that the prompts of a group begin with, or a distribution: "
                      "uniform(A, B), normal(MEAN, SD), lognormal(MEAN, SIGMA), file(PATH).",
                      "256"}
              .value_name("LENGTH"),
          ifb::option{"suffix-len", &options::suffix_len,
                      "Tokens of its own in each prompt, behind the prefix, or a distribution.",
                      "256"}
              .value_name("LENGTH"),
          ifb::option{"num-prefixes", &options::num_prefixes, "Groups.", "10"}
              .value_name("N")
              .range(1, 2147483647),
          ifb::option{"output-len", &options::output_len,
                      "Answer length in tokens, or a distribution.", "128"}
              .general()
              .value_name("LENGTH"),
          ifb::option{"prompt-token-ids", &options::token_ids,
                      "Send the prompts as token ids instead of as text.", "false"}
              .flag("prompt-token-ids"),
          synthetic::no_cache_option(&options::no_cache)};
    }
  };

  prefix_repetition(ifb::host host, const options& chosen) : host_(host), chosen_(chosen) {}

  ifb_dataset_info prepare(const ifb_dataset_request& request) {
    const auto prefix = synthetic::length::parse(chosen_.prefix_len, "prefix-len");
    const auto suffix = synthetic::length::parse(chosen_.suffix_len, "suffix-len");
    const auto output = synthetic::length::parse(chosen_.output_len, "output-len");
    if (prefix.plain() == 0 && suffix.plain() == 0)
      throw ifb::failure(IFB_E_CONFIG, "prompts of no tokens; give one of the lengths",
                         "suffix-len");
    if (request.wanted > 0 && request.wanted < chosen_.num_prefixes)
      throw ifb::failure(IFB_E_CONFIG,
                         std::to_string(request.wanted) + " requests are too few for " +
                             std::to_string(chosen_.num_prefixes) +
                             " prefixes; ask for more with --num-prompts, or for fewer prefixes",
                         "num-prefixes");
    tokenizer_ = synthetic::tokenizer_of(host_);
    const auto words = synthetic::vocabulary_of(*tokenizer_);
    host_.info(description(prefix, suffix) + ", answers of " + output.text());

    pieces_.reset();
    endless_.reset();
    const synthetic::prompt_maker maker(*tokenizer_, words.size);
    if (request.wanted <= 0) {
      joints_.expect(synthetic::looked_at);
      endless_.emplace(
          maker,
          endless_layout{synthetic::length_range::of(prefix), synthetic::length_range::of(suffix),
                         synthetic::length_range::of(output), chosen_.num_prefixes},
          request.seed);
      return ifb::dataset_info(-1, IFB_DATASET_SYNTHETIC | IFB_DATASET_PARALLEL);
    }
    // The lengths have their own generator, so that drawing them does not change any other draw.
    ifb::numpy_pcg64 lengths(request.seed);
    lay_out(static_cast<std::uint64_t>(request.wanted), lengths,
            synthetic::length_range::of(prefix), synthetic::length_range::of(suffix),
            synthetic::length_range::of(output));
    std::uint64_t tokens = 0;
    for (const std::uint32_t each : pieces_to_make_)
      tokens += each;
    std::optional<synthetic::cache_place> cache;
    if (!chosen_.no_cache)
      cache = synthetic::cache_place::of(words.digest,
                                         "prefix_repetition|" + prefix.key() + "|" + suffix.key() +
                                             "|" + std::to_string(chosen_.num_prefixes) + "|" +
                                             std::to_string(request.seed),
                                         pieces_to_make_.size(), tokens);
    pieces_.emplace(host_, maker, std::move(pieces_to_make_),
                    static_cast<std::uint32_t>(request.seed), std::move(cache));
    joints_.expect(rows_.size());
    return ifb::dataset_info(static_cast<std::int64_t>(rows_.size()),
                             IFB_DATASET_SYNTHETIC | IFB_DATASET_SHUFFLE);
  }

  // Without an end several threads may call this function.
  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) {
    if (endless_) {
      const endless_pieces::row made = endless_->at(row);
      put(row, made.prefix, made.suffix, memory, out);
      out.output_tokens = made.output;
      return ifb::row_result::ok();
    }
    if (row >= rows_.size()) return ifb::row_result::end();
    const place& where = rows_[row];
    put(row, pieces_->at(where.prefix), pieces_->at(where.suffix), memory, out);
    out.output_tokens = where.output;
    return ifb::row_result::ok();
  }

 private:
  /// The lengths of the prompts, in words.
  [[nodiscard]] std::string description(const synthetic::length& prefix,
                                        const synthetic::length& suffix) const {
    if (prefix.plain() == 0)
      return "prompts of " + suffix.text() + " tokens without a common prefix";
    const std::string of = chosen_.num_prefixes == 1
                               ? "one common prefix"
                               : "one of " + std::to_string(chosen_.num_prefixes) + " prefixes";
    return "prompts of " + prefix.text() + " tokens from " + of + " and " + suffix.text() +
           " of their own";
  }

  void put(std::uint64_t row, std::span<const std::uint32_t> prefix,
           std::span<const std::uint32_t> suffix, ifb::arena memory, ifb_sample& out) {
    std::vector<std::uint32_t> ids(prefix.begin(), prefix.end());
    ids.insert(ids.end(), suffix.begin(), suffix.end());
    const auto parts = memory.array<ifb_part>(1);
    if (chosen_.token_ids) {
      parts[0] = synthetic::token_part(ids, memory);
    } else {
      // Tokens may join or split at the border between prefix and suffix.
      const std::string_view text = memory.copy(tokenizer_->decode(ids));
      const auto tokens = static_cast<std::int64_t>(tokenizer_->count(text, 0));
      const auto wanted = static_cast<std::int64_t>(ids.size());
      if (const std::string off = joints_.add(row, tokens - wanted); !off.empty()) host_.warn(off);
      parts[0] = ifb::text_part(text);
    }
    out.shape = chosen_.token_ids ? IFB_PROMPT_TOKENS : IFB_PROMPT_TEXT;
    out.prompt = ifb::list_of(parts);
    out.input_tokens = static_cast<std::int64_t>(ids.size());
  }

  struct place {
    std::size_t prefix;  // index of the piece
    std::size_t suffix;
    std::uint32_t output;
  };

  // Lays out the pieces group by group: the prefix of the group, then a suffix for each of its
  // requests. If the requests cannot be divided evenly, the first groups get the remaining
  // requests.
  void lay_out(std::uint64_t wanted, ifb::numpy_pcg64& random,
               const synthetic::length_range& prefixes, const synthetic::length_range& suffixes,
               const synthetic::length_range& outputs) {
    const auto groups = static_cast<std::uint64_t>(chosen_.num_prefixes);
    rows_.clear();
    pieces_to_make_.clear();
    for (std::uint64_t group = 0; group < groups; ++group) {
      const std::size_t prefix = pieces_to_make_.size();
      pieces_to_make_.push_back(prefixes.draw(random));
      const std::uint64_t members = wanted / groups + (group < wanted % groups ? 1 : 0);
      for (std::uint64_t i = 0; i < members; ++i) {
        rows_.push_back({prefix, pieces_to_make_.size(), 0});
        pieces_to_make_.push_back(suffixes.draw(random));
      }
    }
    for (place& each : rows_)
      each.output = outputs.draw(random);
  }

  ifb::host host_;
  options chosen_;
  std::optional<ifb::service::tokenizer> tokenizer_;
  std::vector<place> rows_;
  std::vector<std::uint32_t> pieces_to_make_;  // lengths in tokens
  std::optional<pieces> pieces_;
  std::optional<endless_pieces> endless_;  // instead of pieces_: any number of rows
  synthetic::row_mismatches joints_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<prefix_repetition>)
