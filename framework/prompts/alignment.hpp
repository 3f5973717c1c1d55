// Aligns the length of generated prompts with the server's tokenizer. The client's tokenizer
// generated each prompt with a wanted length. If the server counts more tokens, the prompt is cut
// to the wanted length by the server's count. This is upstream's rule; it uses POST /tokenize and
// /detokenize. If the server counts fewer tokens, the prompt is not changed. A cut prompt is not
// checked again.
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

/// Used by the main thread, except align(). Everything that the constructor takes by reference must
/// outlive the object.
class alignment {
 public:
  static constexpr std::size_t at_once = 64;  // the best number of prompts for one call of align()

  /// `model`: the model name in requests. Any thread may call `stop`. After it returns true, no
  /// further request is sent, and pending requests are cancelled.
  alignment(const services::target& server, std::string model, base::log& log,
            std::function<bool()> stop = {})
      : server_(server), model_(std::move(model)), log_(log), stop_(std::move(stop)) {}

  /// Whether the server counts the tokens of `first` differently from the client. The log reports
  /// what happens to all prompts, or why they are not changed. False if the prompt is not text.
  /// False without a log line if `stop` returned true. The server's answer is kept, so that align()
  /// does not send this prompt again.
  [[nodiscard]] bool needed_after(const dataset::sample& first);

  /// Cuts prompts that are too long to their input_tokens. A prompt that the server refuses is not
  /// changed. If the server refuses all of several prompts, no further prompts are sent to it.
  /// [feeding thread]
  void align(std::span<const dataset::sample_ptr> prompts);

 private:
  struct tokens {
    std::vector<std::uint32_t> ids;
    std::string trouble;  // the reason why there are no ids; empty if there are ids
  };
  struct outcome {
    bool good = false;                // the server accepted the prompt
    std::optional<std::string> text;  // the shortened prompt, if the prompt is too long
  };
  /// The result for the first prompt, which the ready check, the warm-up and the run all use.
  struct first_prompt {
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
  std::optional<first_prompt> first_;
  bool given_up_ = false;
};

}  // namespace inferbench::prompts
