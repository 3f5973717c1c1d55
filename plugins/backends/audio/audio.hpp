// Backend "openai-audio": POST /v1/audio/transcriptions and /v1/audio/translations.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/abi.h>
#include <inferbench/backend.hpp>
#include <inferbench/host.hpp>

#include "backends/bodies/body.hpp"
#include "backends/openai_family/options.hpp"
#include "backends/openai_family/tokens.hpp"
#include "form.hpp"
#include "sound_lengths.hpp"

namespace openai {

/// Accepts every prompt that contains exactly one sound, and sends only the sound. The record
/// attribute "input_audio_duration" contains the length of the sound in seconds, unless the
/// sample's metadata already has that field.
class audio {
 public:
  static constexpr const char* id = "openai-audio";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "OpenAI transcriptions and translations of sounds.";
  static constexpr const char* license = "Apache-2.0";

  struct options : common_options {
    bool enable_vad = false;

    static constexpr auto schema() {
      return std::tuple_cat(
          common_schema("\"/v1/audio/transcriptions\""),
          std::tuple{ifb::option{"enable-vad", &options::enable_vad,
                                 "Ask the server to detect voice activity: vad_config.enabled.",
                                 "false"}
                         .flag("enable-vad")});
    }
  };

  class exchange {
   public:
    exchange(bodies::post request, bool streamed, std::optional<double> seconds)
        : tokens_(protocol::transcription, std::move(request), streamed), seconds_(seconds) {}

    void request(ifb_http_request& out) const { tokens_.request(out); }
    std::uint32_t on_head(const ifb_http_head& head) const { return tokens_.on_head(head); }
    /// Same contract as token_exchange::on_message().
    void on_message(const ifb::http_message& message, ifb::output out) {
      tokens_.on_message(message, out);
    }
    void on_end(ifb::output out);

   private:
    token_exchange tokens_;
    std::optional<double> seconds_;
  };

  /// Throws ifb::failure that names the option at fault.
  audio(ifb::host host, const options& chosen);
  [[nodiscard]] exchange open(const ifb_sample& sample, ifb::arena memory) const;

 private:
  std::string endpoint_;
  std::string model_;
  std::string boundary_;
  std::string content_type_;
  bodies::body_layout layout_;
  std::optional<form> form_;
  sound_lengths lengths_;
};

}  // namespace openai
