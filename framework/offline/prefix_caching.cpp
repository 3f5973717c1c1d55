#include "offline/prefix_caching.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <inferbench/random.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "offline/script_prompts.hpp"
#include "options/refusal.hpp"
#include "pytext/python_number.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::offline {

namespace {

constexpr const char* range_flag = "--input-length-range";

// Longest length that the data sets of random prompts draw.
constexpr std::int64_t longest_prompt = 16'777'216;

[[noreturn]] void refuse_range(const std::string& text, const char* why) {
  throw base::error("\"" + base::one_line(text) + "\" " + why,
                    "write the shortest and the longest prompt in tokens, such as 128:256",
                    {range_flag});
}

template <typename value>
value required(std::optional<value> given, const char* flag, const char* example) {
  if (given) return std::move(*given);
  throw options::usage_error("is required", "give it, such as " + std::string(example), {flag});
}

void add_prefixes(dataset_options& to, std::int64_t prefix, const prompt_range& range,
                  std::int64_t output_len) {
  if (prefix > range.least)
    throw base::error(
        fmt::format("is {} tokens, but the shortest prompt has {}", prefix, range.least),
        "give a shorter prefix, or a larger minimum of " + std::string(range_flag),
        {"--prefix-len"});
  const std::int64_t least = range.least - prefix;
  const std::int64_t most = range.most - prefix;
  to.repetition = {
      {"prefix-repetition-prefix-len", std::to_string(prefix)},
      {"prefix-repetition-suffix-len",
       least == most ? std::to_string(least) : fmt::format("uniform({}, {})", least, most)},
      {"prefix-repetition-num-prefixes", "1"},
      {"prefix-repetition-output-len", std::to_string(output_len)}};
}

}  // namespace

prompt_range prompt_range_in(const std::string& text) {
  const std::vector<std::string_view> parts = base::split(text, ':');
  if (parts.size() != 2) refuse_range(text, "is not MIN:MAX");
  const auto least = pytext::python_int(parts[0]);
  const auto most = pytext::python_int(parts[1]);
  if (!least || !most) refuse_range(text, "is not MIN:MAX with two whole numbers");
  if (*least < 0) refuse_range(text, "has a negative minimum");
  if (*least > *most) refuse_range(text, "has a minimum above its maximum");
  if (*most > longest_prompt) refuse_range(text, "has a maximum above 16777216 tokens");
  return {*least, *most};
}

prefix_caching_options prefix_caching_options_of(const offline_line& line,
                                                 const installed_names& installed) {
  const offline_values values(line);
  prefix_caching_options out;
  dataset_options& data = out.data;
  data.num_prompts = required(values.whole("num-prompts"), "--num-prompts", "--num-prompts 100");
  const std::string written =
      required(values.text("input-length-range"), range_flag, "--input-length-range 128:256");
  out.server = values.given("base-url");
  out.engine = engine_of(line, values, installed);
  out.output_len = values.whole("output-len").value_or(out.output_len);
  out.repeats = values.whole("repeat-count").value_or(out.repeats);
  out.sorted = values.on("sort");
  out.detokenize = !values.on("disable-detokenize");
  out.output_json = values.text("output-json");
  out.passed_on = line.engine;
  if (const std::string* model = line.engine.text("model")) out.model = *model;
  const std::int64_t prefix = values.whole("prefix-len").value_or(0);

  const prompt_range range = prompt_range_in(written);
  data.path = values.text("dataset-path");
  if (data.path) {
    if (prefix > 0)
      throw base::error("is for random prompts, not for those of --dataset-path",
                        "leave out one of the two", {"--prefix-len"});
    data.output_len = out.output_len;
    read_file(data, line);
    data.own_flags.emplace_back("sharegpt-input-length-range",
                                fmt::format("{}:{}", range.least, range.most));
  } else {
    make_random_prompts(data, line);
    add_prefixes(data, prefix, range, out.output_len);
  }
  out.tokenizer = tokenizer_of_prompts(data, out.model);
  require_countable(data.num_prompts, out.repeats);
  return out;
}

std::string sampled_text(std::span<const std::int64_t> lengths) {
  std::vector<std::int64_t> sorted(lengths.begin(), lengths.end());
  std::ranges::sort(sorted);
  const double all =
      static_cast<double>(std::accumulate(sorted.begin(), sorted.end(), std::int64_t{0}));
  return fmt::format(
      "Sampled {} requests.\nAverage input length: {}\nP50 input length: {}\n"
      "Min Prompt Length: {}\nMax Prompt Length: {}\n",
      sorted.size(),
      pytext::python_text(options::node::of(all / static_cast<double>(sorted.size()))),
      sorted[sorted.size() / 2], sorted.front(), sorted.back());
}

std::vector<std::size_t> repeated_order(const prefix_caching_options& options,
                                        std::span<const std::int64_t> lengths) {
  std::vector<std::size_t> out;
  out.reserve(lengths.size() * static_cast<std::size_t>(options.repeats));
  for (std::int64_t k = 0; k < options.repeats; ++k)
    for (std::size_t i = 0; i < lengths.size(); ++i)
      out.push_back(i);
  if (options.sorted)
    std::ranges::stable_sort(out, {}, [&](std::size_t i) { return lengths[i]; });
  else
    ifb::python_random(options.data.seed).shuffle(out);
  return out;
}

std::string prefix_caching_text(double elapsed_s) {
  return "cost time " + pytext::python_text(options::node::of(elapsed_s)) + "\n";
}

options::node prefix_caching_json(double elapsed_s, std::size_t requests) {
  using options::node;
  node out = node::table();
  out.set("elapsed_time", node::of(elapsed_s));
  out.set("num_requests", node::of(static_cast<std::int64_t>(requests)));
  return out;
}

}  // namespace inferbench::offline
