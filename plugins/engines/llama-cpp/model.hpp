// A model and its context in libllama.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/draft/batch_engine.h>
#include <inferbench/host.hpp>

#include "library.hpp"
#include "log_relay.hpp"
#include "options.hpp"

namespace llama_cpp {

/// The library, the model and one context with n-seq-max sequences. Tokens and pieces may be asked
/// for on any thread; decoding is for one thread at a time.
class model {
 public:
  /// Loads everything. Throws failure: IFB_E_CONFIG for a library, model or options that cannot be
  /// used (with libllama's own reason), IFB_E_UNSUPPORTED for a model that does not generate text,
  /// IFB_E_CANCELLED if the run was stopped meanwhile.
  model(ifb::host host, const engine_options& options);
  model(const model&) = delete;
  model& operator=(const model&) = delete;

  [[nodiscard]] const llama_api& api() const noexcept { return library_.api; }
  [[nodiscard]] llama_context* context() const noexcept { return context_.get(); }
  [[nodiscard]] const llama_vocab* vocabulary() const noexcept { return vocabulary_; }
  [[nodiscard]] log_relay& log() noexcept { return log_; }
  [[nodiscard]] ifb::host host() const noexcept { return host_; }

  [[nodiscard]] std::int64_t context_of_sequence() const noexcept;  // tokens
  [[nodiscard]] std::size_t sequences() const noexcept;
  [[nodiscard]] std::size_t batch_tokens() const noexcept;

  /// Throws failure with IFB_E_DATA if libllama refuses the text.
  [[nodiscard]] std::vector<llama_token> tokens_of(std::string_view text, bool special) const;
  /// The text of a token: bytes, not always whole characters. Empty for a special token.
  void append_piece(llama_token token, std::string& to) const;
  /// The prompt that the model's chat template makes. Throws failure with IFB_E_UNSUPPORTED if the
  /// model has no template, or one that libllama does not know.
  [[nodiscard]] std::string chat_prompt(std::span<const llama_chat_message> messages) const;

  /// Construction of model and context, without the library: duration, and its parts.
  [[nodiscard]] std::uint64_t load_ns() const noexcept { return load_ns_; }
  [[nodiscard]] std::span<const ifb_measure> stages() const noexcept { return stages_; }
  /// The model, llama.cpp's version and the devices.
  [[nodiscard]] const std::string& description() const noexcept { return description_; }

  /// While it is true, a decoding in progress ends early (on a CPU), and loading ends. [any]
  std::atomic<bool> stopping = false;

 private:
  struct freed {
    const llama_api* api;
    void operator()(llama_model* each) const { api->llama_model_free(each); }
    void operator()(llama_context* each) const { api->llama_free(each); }
  };

  void load_weights(const engine_options& options);
  void make_context(const engine_options& options);
  void warm_up();
  void describe();
  template <typename stage>
  void measured(std::string_view name, stage&& body);

  ifb::host host_;
  loaded_library library_;
  log_relay log_;
  std::unique_ptr<llama_model, freed> weights_;
  std::unique_ptr<llama_context, freed> context_;
  const llama_vocab* vocabulary_ = nullptr;
  std::uint64_t load_ns_ = 0;
  std::vector<ifb_measure> stages_;
  std::string description_;
};

}  // namespace llama_cpp
