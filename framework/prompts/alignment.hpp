// Cuts prompts that the client's tokenizer made to a length to that length by the server's count:
// upstream's rule, over POST /tokenize and /detokenize. Prompts that the server counts shorter are
// not changed, and nothing is checked a second time.
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

/// For the main thread, except align(). References outlive the object.
class alignment {
 public:
  static constexpr std::size_t at_once = 64;  // prompts

  /// `model`: the model name in requests. `stop` is called by any thread: once it returns true, the
  /// server is not asked any more, and pending requests are given up.
  alignment(const services::target& server, std::string model, base::log& log,
            std::function<bool()> stop = {})
      : server_(server), model_(std::move(model)), log_(log), stop_(std::move(stop)) {}

  /// Whether the server counts `first` differently from the client. The log gets what will be done
  /// with all prompts, or why they are not changed. False for prompts that are not text; false
  /// without a log line if it was stopped. The server is asked about this prompt here and not
  /// again.
  [[nodiscard]] bool needed_after(const dataset::sample& first);

  /// Cuts prompts that are too long to their input_tokens. A prompt that the server refuses is not
  /// changed; if it refuses all of several prompts, it is not asked again. [feeding thread]
  void align(std::span<const dataset::sample_ptr> prompts);

 private:
  struct tokens {
    std::vector<std::uint32_t> ids;
    std::string trouble;  // if not empty, there are no ids
  };
  struct outcome {
    bool good = false;                // the server took the prompt
    std::optional<std::string> text;  // the replacement, if the prompt is too long
  };
  /// The result for the first prompt, which ready check, warm-up and run share.
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
