// Prompts that were made to a length by the client's tokenizer, brought to that length by
// the server's count: upstream's rule, over POST /tokenize and /detokenize. Prompts that
// the server counts shorter stay as they are, and nothing is checked a second time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "dataset/sample.hpp"
#include "services/target.hpp"

namespace inferbench::prompts {

/// Main thread, but for align(). References outlive it.
class alignment {
 public:
  static constexpr std::size_t at_once = 64;  // prompts

  /// `model`: what requests name. `stop`, asked by any thread: from when it says yes, the
  /// server is asked no more, and what is waited for is given up.
  alignment(const services::target& server, std::string model, base::log& log,
            std::function<bool()> stop = {})
      : server_(server), model_(std::move(model)), log_(log), stop_(std::move(stop)) {}

  /// Whether the server counts `first` differently than the client; what is then to be done
  /// with all prompts, or why they stay as they are, is told to the log. False for prompts
  /// that are no text, and without a word where it was stopped. The server is asked about this
  /// prompt here and not again.
  [[nodiscard]] bool needed_after(const dataset::sample& first);

  /// Cuts those that are too long to their input_tokens. One that the server will not take
  /// stays as it is; where it takes none of several, it is not asked again. [feeding thread]
  void align(std::span<const dataset::sample_ptr> prompts);

 private:
  struct tokens {
    std::vector<std::uint32_t> ids;
    std::string trouble;  // not empty: there are none
  };
  struct outcome {
    bool good = false;                // the server took the prompt
    std::optional<std::string> text;  // what takes its place, if it is too long
  };
  /// The result of the first prompt, which ready check, warm-up and run have in common.
  struct known {
    std::string prompt;
    std::size_t wanted = 0;
    outcome found;
  };
  [[nodiscard]] bool stopped() const { return stop_ && stop_(); }
  [[nodiscard]] tokens tokenize(std::string_view prompt) const;
  [[nodiscard]] std::optional<std::string> detokenize(std::span<const std::uint32_t> ids) const;
  [[nodiscard]] outcome cut(const tokens& counted, std::size_t wanted) const;
  [[nodiscard]] bool align(dataset::sample& one) const;

  const services::target& server_;
  std::string model_;
  base::log& log_;
  std::function<bool()> stop_;
  std::optional<known> first_;
  bool given_up_ = false;
};

}  // namespace inferbench::prompts
