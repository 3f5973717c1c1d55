// The prompts of an offline benchmark, in memory: all samples of a dataset, or random token ids.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/draft/batch_engine.h>

#include "base/arena.hpp"
#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"
#include "dataset/sample.hpp"
#include "offline/dataset_options.hpp"
#include "options/environment.hpp"
#include "services/loaded_dataset.hpp"

namespace inferbench::batch {

/// The arguments of `inferbench dataset show` that yield the samples; the parameters are those of
/// prompt_list.
[[nodiscard]] std::vector<std::string> prompt_words(const offline::dataset_options& wanted,
                                                    const std::string& tokenizer, bool chat);

/// All samples of a dataset. Owned by the command; used by the main thread.
class prompt_list {
 public:
  /// Reads all samples. `tokenizer`: the name of the tokenizer if `wanted` names no tokenizer;
  /// empty: no tokenizer. `chat`: the engine gets messages and not texts. `plugin_flags`: further
  /// words of the command line, such as --plugin-dir and its value. `log` and `out` must outlive
  /// this object. Throws base::error.
  prompt_list(const offline::dataset_options& wanted, const std::string& tokenizer, bool chat,
              std::span<const std::string> plugin_flags, const options::environment& env,
              base::log& log, base::output& out);

  /// Valid as long as this object.
  [[nodiscard]] std::span<const dataset::sample_ptr> samples() const noexcept { return samples_; }

 private:
  std::unique_ptr<config::plan> plan_;
  std::unique_ptr<services::loaded_dataset> data_;  // samples may point into the plugin's instance
  std::unique_ptr<base::arena> memory_;             // the contents of most samples
  std::vector<dataset::sample_ptr> samples_;
};

/// The samples of `list`, valid as long as the list; an empty span if `list` is nullopt.
[[nodiscard]] inline std::span<const dataset::sample_ptr> samples_of(
    const std::optional<prompt_list>& list) {
  return list ? list->samples() : std::span<const dataset::sample_ptr>();
}

/// A batch of prompts with random token ids. The ids are uniform from 0 to 9999, as in upstream's
/// latency benchmark. Any thread, after the constructor.
class random_prompts {
 public:
  /// `count`: the number of prompts. `length`: of each prompt, in tokens. `output_tokens`: the
  /// wanted length of each output, in tokens. `seed`: for Python's random.Random.
  random_prompts(std::int64_t count, std::int64_t length, std::int64_t output_tokens,
                 std::uint64_t seed);
  random_prompts(const random_prompts&) = delete;
  random_prompts& operator=(const random_prompts&) = delete;

  /// Valid as long as this object.
  [[nodiscard]] std::span<const ifb_batch_item> items() const noexcept { return items_; }

 private:
  std::vector<std::vector<std::uint32_t>> ids_;
  std::vector<ifb_part> parts_;
  std::vector<ifb_sample> samples_;
  std::vector<ifb_batch_item> items_;
};

}  // namespace inferbench::batch
