// Backends "vllm-pooling" and "vllm-rerank": POST /pooling and /v1/rerank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/host.hpp>

#include "pooling.hpp"

namespace openai {

/// Accepts these prompts: text, list of texts, token ids, list of lists of token ids; or a JSON
/// object, whose members become members of the request.
class vllm_pooling {
 public:
  static constexpr const char* id = "vllm-pooling";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "vLLM's pooling of texts, token ids or whole requests.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_CODEC_POOLING;

  struct options : common_options {
    static constexpr auto schema() { return common_schema("\"/pooling\""); }
  };
  using exchange = pooling_exchange;

  /// Throws ifb::failure that names the option at fault.
  vllm_pooling(ifb::host host, const options& chosen);
  [[nodiscard]] exchange open(const ifb_sample& sample, ifb::arena memory) const;

 private:
  options chosen_;
  pooling_way way_;
  bodies::body_layout layout_;
};

/// The argument of the template pooling (pooling.hpp) for the backend "vllm-rerank". A prompt must
/// be a list of texts: the first text is the query, and at least one document follows.
struct rerank {
  static constexpr const char* id = "vllm-rerank";
  static constexpr const char* summary = "Rerank of documents by a query, as vLLM has it.";
  static constexpr const char* endpoint = "\"/v1/rerank\"";
  static constexpr std::string_view ending = "rerank";
  static constexpr std::string_view example = "/v1/rerank";
  static void lay_out(bodies::body_layout& layout);
  static void write_prompt(bodies::slot what, const ifb_sample& sample, bodies::gather_list& out);
  /// Returns the number of documents, at least 1.
  static std::size_t inputs(const ifb_sample& sample);
};

}  // namespace openai
