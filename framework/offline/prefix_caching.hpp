// The options and texts of `inferbench prefix-caching`, upstream's benchmark_prefix_caching: the
// time of one call with prompts that begin alike or are repeated. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "offline/dataset_options.hpp"
#include "offline/offline_line.hpp"
#include "offline/throughput_options.hpp"
#include "options/node.hpp"

namespace inferbench::offline {

/// The shortest and the longest prompt, in tokens; both are included.
struct prompt_range {
  std::int64_t least = 0, most = 0;
};

/// Reads "128:256". Throws base::error (--input-length-range) for a text of another form, a
/// negative length, and limits in the wrong order.
[[nodiscard]] prompt_range prompt_range_in(const std::string& text);

/// A value type.
struct prefix_caching_options {
  std::string engine;     // with a server a backend of serve
  std::string model;      // empty: the default of the engine
  std::string tokenizer;  // --tokenizer, otherwise the model
  bool server = false;    // --base-url
  dataset_options data;   // the different prompts
  std::int64_t output_len = 10;
  std::int64_t repeats = 1;  // --repeat-count
  bool sorted = false;
  bool detokenize = true;
  std::optional<std::string> output_json;
  engine_options passed_on;  // without the flags of the command
};

/// Checks the options in the order of upstream. The prompts are the conversations of a file whose
/// length is in the range, or random tokens: --prefix-len tokens that are equal in all prompts, and
/// behind them tokens of its own, so many that the lengths are uniform in the range. (The part of
/// its own has at least 1 token, unless the range has one length only.) Throws options::usage_error
/// for a missing --num-prompts or --input-length-range and for other errors of upstream's parser
/// (status 2). Throws base::error for a range of another form, --prefix-len with a file or above
/// the range, --output-len below 4 with a file, and more than 2^31 - 1 requests (status 1).
[[nodiscard]] prefix_caching_options prefix_caching_options_of(
    const offline_line& line, const installed_names& installed = {});

/// The lines about the lengths of the prompts; there must be at least one.
[[nodiscard]] std::string sampled_text(std::span<const std::int64_t> lengths);

/// The order of the requests as numbers of prompts. All prompts are repeated, and the list is
/// sorted by length (equal lengths keep their order), or shuffled like a list of Python's
/// random.Random(seed).shuffle.
[[nodiscard]] std::vector<std::size_t> repeated_order(const prefix_caching_options& options,
                                                      std::span<const std::int64_t> lengths);

/// "cost time 1.25" and a line break, the number as Python prints it.
[[nodiscard]] std::string prefix_caching_text(double elapsed_s);
/// The members of --output-json, which upstream does not have. `requests`: with repetitions.
[[nodiscard]] options::node prefix_caching_json(double elapsed_s, std::size_t requests);

}  // namespace inferbench::offline
