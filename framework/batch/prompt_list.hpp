// The prompts of an offline benchmark: all samples of a data set, in memory.
#pragma once

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

/// Owned by the command; main thread.
class prompt_list {
 public:
  /// Reads all samples. `tokenizer`: used if the options name none; empty: none. `chat`: the engine
  /// gets messages. `plugin_flags`: --plugin-dir and the like. `log` and `out` must outlive this
  /// object. Throws base::error.
  prompt_list(const offline::dataset_options& wanted, const std::string& tokenizer, bool chat,
              std::span<const std::string> plugin_flags, const options::environment& env,
              base::log& log, base::output& out);

  [[nodiscard]] std::span<const dataset::sample_ptr> samples() const noexcept { return samples_; }

 private:
  std::unique_ptr<config::plan> plan_;
  std::unique_ptr<services::loaded_dataset> data_;  // samples may point into its instance
  std::unique_ptr<base::arena> memory_;             // the contents of most samples
  std::vector<dataset::sample_ptr> samples_;
};

/// The samples of a list; none without a list.
[[nodiscard]] inline std::span<const dataset::sample_ptr> samples_of(
    const std::optional<prompt_list>& list) {
  return list ? list->samples() : std::span<const dataset::sample_ptr>();
}

/// A batch of `count` prompts with random token ids, which are uniform from 0 to 9999, as those of
/// upstream's latency benchmark.
class random_prompts {
 public:
  /// `length`, `output_tokens`: in tokens.
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
