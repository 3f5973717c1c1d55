// Backend "openai" (and "vllm"): POST /v1/completions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include <inferbench/abi.h>
#include <inferbench/host.hpp>

#include "backends/bodies/body.hpp"
#include "backends/openai_family/options.hpp"
#include "backends/openai_family/tokens.hpp"

namespace openai {

/// Accepts these prompts: text, list of texts, token ids, list of lists of token ids.
class completions {
 public:
  static constexpr const char* id = "openai";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "OpenAI completions, as vLLM and most servers speak it.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_CODEC_SAMPLING;

  struct options : common_options {
    std::optional<std::int64_t> logprobs;
    static constexpr auto schema() {
      return std::tuple_cat(
          common_schema("\"/v1/completions\""),
          std::tuple{ifb::option{"logprobs", &options::logprobs,
                                 "Log-probabilities that the server computes for each token."}
                         .general()});
    }
  };
  using exchange = token_exchange;

  /// Throws ifb::failure that names the option at fault.
  completions(ifb::host host, const options& chosen);
  [[nodiscard]] exchange open(const ifb_sample& sample, ifb::arena memory) const;

 private:
  std::string endpoint_;
  std::string model_;  // the model's name as a JSON string
  bodies::body_layout layout_;
};

}  // namespace openai
