// Backend "openai-chat": POST /v1/chat/completions.
#pragma once

#include <cstdint>
#include <string>

#include <inferbench/abi.h>
#include <inferbench/host.hpp>

#include "backends/bodies/body.hpp"
#include "backends/openai_family/options.hpp"
#include "backends/openai_family/tokens.hpp"

namespace openai {

/// Accepts these prompts: text with media, content parts, chat messages.
class chat {
 public:
  static constexpr const char* id = "openai-chat";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "OpenAI chat completions.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_CODEC_SAMPLING | IFB_CODEC_CHAT;

  struct options : common_options {
    static constexpr auto schema() { return common_schema("\"/v1/chat/completions\""); }
  };
  using exchange = token_exchange;

  /// Throws ifb::failure that names the option at fault.
  chat(ifb::host host, const options& chosen);
  [[nodiscard]] exchange open(const ifb_sample& sample, ifb::arena memory) const;

 private:
  std::string endpoint_;
  std::string model_;  // the model's name as a JSON string
  bodies::body_layout layout_;
};

}  // namespace openai
