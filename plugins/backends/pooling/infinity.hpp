// Backends "infinity-embeddings" and "infinity-embeddings-clip": POST /v1/embeddings of an
// Infinity server.
#pragma once

#include <cstdint>

#include <inferbench/abi.h>
#include <inferbench/host.hpp>

#include "pooling.hpp"

namespace openai {

/// Accepts these prompts: text, list of texts, token ids, list of lists of token ids. If the text
/// is empty, the sample may have one medium instead, which is sent as its URL and its modality.
class infinity {
 public:
  static constexpr const char* id = "infinity-embeddings";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Embeddings of texts or media from an Infinity server.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_CODEC_POOLING;

  struct options : common_options {
    static constexpr auto schema() { return common_schema("\"/v1/embeddings\""); }
  };
  using exchange = pooling_exchange;

  /// Throws ifb::failure that names the option at fault.
  infinity(ifb::host host, const options& chosen) : infinity(host, chosen, id) {}
  [[nodiscard]] exchange open(const ifb_sample& sample, ifb::arena memory) const;

 protected:
  infinity(ifb::host host, const options& chosen, const char* backend);
  [[nodiscard]] exchange open_medium(const ifb_sample& sample, ifb::arena memory) const;

 private:
  pooling_way way_;
  bodies::body_layout for_text_;
  bodies::body_layout for_media_;
};

/// Like infinity, but if a sample has text and a medium, its text is left out.
class infinity_clip : public infinity {
 public:
  static constexpr const char* id = "infinity-embeddings-clip";
  static constexpr const char* summary =
      "Embeddings of texts or images from an Infinity server, for CLIP.";

  infinity_clip(ifb::host host, const options& chosen) : infinity(host, chosen, id) {}
  [[nodiscard]] exchange open(const ifb_sample& sample, ifb::arena memory) const;
};

}  // namespace openai
