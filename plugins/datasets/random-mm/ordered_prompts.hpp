// The prompts of a run with a number of requests, for threads that read rows at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>

#include <inferbench/host.hpp>
#include <inferbench/random.hpp>

#include "datasets/synthetic/prompt_cache.hpp"
#include "datasets/synthetic/prompt_maker.hpp"
#include "datasets/synthetic/run_prompts.hpp"

namespace random_mm {

/// One generator draws the padding of a prompt, its items, the padding of the next prompt, and so
/// on. So the prompts are finished in their order, on the thread that needs the next prompt, under
/// a lock; the tokenizer's work is done by other threads in advance. A prompt that was finished
/// before its thread asked for it waits here. Any thread.
class ordered_prompts {
 public:
  struct request_prompt {
    synthetic::prompt text;
    ifb::numpy_pcg64 random;  // its state before the first item of the request
  };
  /// Draws the numbers of the items of a request, without making the items.
  using skip_items = std::function<void(ifb::numpy_pcg64&)>;

  ordered_prompts(ifb::host host, const synthetic::prompt_maker& maker,
                  synthetic::run_recipe recipe, skip_items skip);
  ordered_prompts(const ordered_prompts&) = delete;
  ordered_prompts& operator=(const ordered_prompts&) = delete;

  [[nodiscard]] std::uint64_t size() const noexcept { return prompts_.size(); }

  /// Returns prompt `i`, which must be less than size(); every call returns the same content.
  /// Throws like synthetic::run_prompts::at().
  [[nodiscard]] request_prompt at(std::uint64_t i);

 private:
  [[nodiscard]] synthetic::run_recipe with_items(synthetic::run_recipe recipe, skip_items skip);
  [[nodiscard]] request_prompt make(std::uint64_t i);

  std::mutex mutex_;
  ifb::numpy_pcg64 random_{0};  // before the items of the latest prompt
  std::map<std::uint64_t, request_prompt>
      waiting_;             // finished prompts that no thread asked for yet
  std::uint64_t next_ = 0;  // the first prompt that at() has not made
  synthetic::run_prompts prompts_;
};

}  // namespace random_mm
