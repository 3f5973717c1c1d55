// The two requests of vLLM's tokenizer API and their answers.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/host.hpp>

namespace server {

/// [any thread] Every call sends one request to the server under test and blocks. Throws
/// ifb::failure: IFB_E_UNSUPPORTED if the server does not have the path, IFB_E_REMOTE for any other
/// error status, IFB_E_PROTOCOL for an answer of a different form, and the host's failure if there
/// was no answer.
class remote {
 public:
  /// `model` is the model's name; if it is empty, the server uses its own model.
  remote(ifb::host host, std::string model, std::chrono::nanoseconds timeout)
      : host_(host), model_(std::move(model)), timeout_(timeout) {}

  /// POST /tokenize
  [[nodiscard]] std::vector<std::uint32_t> tokenize(std::string_view text, bool special) const;
  /// POST /detokenize
  [[nodiscard]] std::string detokenize(std::span<const std::uint32_t> ids) const;

 private:
  [[nodiscard]] std::string post(std::string_view target, std::string_view body) const;

  ifb::host host_;
  std::string model_;
  std::chrono::nanoseconds timeout_;
};

}  // namespace server
