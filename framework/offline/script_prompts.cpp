#include "offline/script_prompts.hpp"

#include <cstdint>
#include <limits>

#include "base/error.hpp"
#include "offline/upstream.hpp"

namespace inferbench::offline {

namespace {

// The mode of serve with which nothing is counted.
constexpr const char* no_tokenizer = "none";

void take_tokenizer(dataset_options& data, const offline_line& line) {
  if (const std::string* named = line.engine.text("tokenizer")) data.tokenizer = *named;
  if (const std::string* mode = line.engine.text("tokenizer-mode")) data.tokenizer_mode = *mode;
}

}  // namespace

void read_file(dataset_options& data, const offline_line& line) {
  constexpr std::int64_t shortest_output = 4;
  if (data.output_len && *data.output_len < shortest_output)
    throw base::error(
        "must be at least 4 with a file of conversations, not " + std::to_string(*data.output_len),
        {}, {"--output-len"});
  data.name = upstream::script_dataset(line.command, true);
  data.no_oversample = true;
  data.seed = seed_of(line.engine);
  take_tokenizer(data, line);
}

void make_random_prompts(dataset_options& data, const offline_line& line) {
  data.name = upstream::script_dataset(line.command, false);
  data.path.reset();
  data.seed = seed_of(line.engine);
  take_tokenizer(data, line);
}

void make_prompts(dataset_options& data, const offline_line& line) {
  make_random_prompts(data, line);
  const bool named = data.tokenizer || line.engine.has("tokenizer-mode");
  if (offline_values(line).given("base-url") && named) return;
  data.tokenizer.reset();
  data.tokenizer_mode = no_tokenizer;
}

void require_countable(std::int64_t prompts, std::int64_t repeats) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (prompts > most / repeats)
    throw base::error(std::to_string(prompts) + " prompts, repeated " + std::to_string(repeats) +
                          " times, are more than " + std::to_string(most) + " requests",
                      "give fewer prompts or repetitions", {"--repeat-count"});
}

std::string tokenizer_of_prompts(const dataset_options& data, const std::string& model) {
  if (data.tokenizer_mode == no_tokenizer) return {};
  return data.tokenizer.value_or(model);
}

}  // namespace inferbench::offline
