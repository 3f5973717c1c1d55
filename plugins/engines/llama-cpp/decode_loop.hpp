// Continuous batching over libllama: a call of llama_decode gets the next token of every generation
// in progress, and parts of the prompts of generations that begin.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <vector>

#include "model.hpp"

namespace llama_cpp {

enum class end_reason : std::uint8_t {
  length,  // the wanted number of tokens, or the end of the context
  stop     // the model ended the text
};

/// Receives the tokens of one sequence, on the thread of the loop.
class token_sink {
 public:
  virtual ~token_sink() = default;
  /// `at` is the time when the token was sampled, on the host's clock. `ends`: it is the last one,
  /// for the reason `why`. An exception leaves step().
  virtual void on_token(llama_token token, std::uint64_t at, bool ends, end_reason why) = 0;
};

/// One output that is to be generated.
struct generation {
  std::shared_ptr<const std::vector<llama_token>> prompt;  // not empty
  std::int64_t max_tokens = 1;                             // at least 1
  double temperature = 1;
  double top_p = 1;
  std::uint32_t seed = 0;
  bool ignore_eos = false;
  token_sink* sink = nullptr;  // borrowed until on_token() with `ends`, or remove(), or clear()
};

/// Counters of all steps since the last reset.
struct loop_counts {
  std::uint64_t steps = 0;
  std::uint64_t decode_ns = 0;    // in llama_decode and the wait for its result
  std::uint64_t sampling_ns = 0;  // in the sampler
};

/// Generations begin in the order of add(), as soon as a sequence of the model's context is free. A
/// step decodes first the next token of each generation in progress, then tokens of prompts, oldest
/// prompt first, at most model::batch_tokens() in all. Used by one thread at a time.
class decode_loop {
 public:
  explicit decode_loop(model& with);
  ~decode_loop();
  decode_loop(const decode_loop&) = delete;
  decode_loop& operator=(const decode_loop&) = delete;

  void add(const generation& wanted);
  /// Forgets the outputs of this sink.
  void remove(const token_sink* sink) noexcept;
  /// Forgets everything.
  void clear() noexcept;
  [[nodiscard]] bool idle() const noexcept { return waiting_.empty() && active_ == 0; }

  /// Carries out one call of llama_decode, if there is something to do, and hands over the sampled
  /// tokens. Throws failure: IFB_E_CANCELLED if the model's `stopping` ended the decoding,
  /// IFB_E_REMOTE if libllama failed; the loop must then be cleared.
  void step();

  [[nodiscard]] const loop_counts& counts() const noexcept { return counts_; }
  void reset_counts() noexcept { counts_ = {}; }

 private:
  struct free_sampler {
    const llama_api* api;
    void operator()(llama_sampler* each) const { api->llama_sampler_free(each); }
  };
  using sampler = std::unique_ptr<llama_sampler, free_sampler>;

  /// A sequence of the context.
  struct slot {
    generation wanted;
    sampler chooses;
    std::size_t decoded = 0;    // tokens of the prompt that have been put into a step
    std::int64_t produced = 0;  // tokens of the output
    llama_token last = 0;       // the last of them
    std::int32_t row = -1;      // of this step's logits
    [[nodiscard]] bool used() const noexcept { return wanted.sink != nullptr; }
    [[nodiscard]] bool in_prompt() const noexcept { return decoded < wanted.prompt->size(); }
    [[nodiscard]] std::int64_t length() const noexcept {
      return static_cast<std::int64_t>(wanted.prompt->size()) + produced;
    }
  };

  [[nodiscard]] sampler sampler_for(const generation& wanted) const;
  void begin_waiting();
  void fill_batch();
  void put(std::size_t sequence, llama_token token, std::int64_t position, bool wants_logits);
  void decode();
  void sample(std::size_t sequence);
  void release(std::size_t sequence) noexcept;

  model& model_;
  const llama_api& api_;
  llama_batch batch_;
  std::size_t room_;  // tokens of a batch
  std::vector<slot> slots_;
  std::size_t active_ = 0;
  std::deque<generation> waiting_;
  std::vector<std::size_t> order_;  // sequences with a prompt in progress, oldest first
  loop_counts counts_;
};

}  // namespace llama_cpp
