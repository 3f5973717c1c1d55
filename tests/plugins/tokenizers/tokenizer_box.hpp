// Drives a tokenizer through the C contract like a host: calls it with a guessed size, and again if
// the size was too small.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/text.hpp>

#include "support/plugin_box.hpp"

namespace tokenizers {

class tokenizer_box {
 public:
  tokenizer_box(const char* file, std::string_view id)
      : plugin(support::plugin_file(file), IFB_TOKENIZER, id),
        calls(plugin.query<ifb_tokenizer>(IFB_TOKENIZER_OPS)) {}

  /// `guess`: the number of ids that the first call has room for.
  std::vector<std::uint32_t> encode(std::string_view text, std::uint32_t flags = 0,
                                    std::size_t guess = 4096) {
    std::vector<std::uint32_t> ids(guess);
    std::size_t needed = 0;
    status = calls.encode(plugin.get(), ifb::str(text), flags, ids.data(), ids.size(), &needed,
                          &last_error);
    if (status == IFB_OK && needed > ids.size()) {
      ids.resize(needed);
      status = calls.encode(plugin.get(), ifb::str(text), flags, ids.data(), ids.size(), &needed,
                            &last_error);
    }
    ids.resize(status == IFB_OK ? needed : 0);
    return ids;
  }
  std::string decode(const std::vector<std::uint32_t>& ids, std::uint32_t flags = 0,
                     std::size_t guess = 4096) {
    std::string text(guess, '#');
    std::size_t needed = 0;
    status = calls.decode(plugin.get(), ids.data(), ids.size(), flags, text.data(), text.size(),
                          &needed, &last_error);
    if (status == IFB_OK && needed > text.size()) {
      text.resize(needed);
      status = calls.decode(plugin.get(), ids.data(), ids.size(), flags, text.data(), text.size(),
                            &needed, &last_error);
    }
    text.resize(status == IFB_OK ? needed : 0);
    return text;
  }
  ifb_vocabulary vocabulary() {
    ifb_vocabulary out{};
    out.struct_size = sizeof out;
    status = calls.vocabulary(plugin.get(), &out, &last_error);
    return out;
  }
  std::uint64_t count(std::string_view text, std::uint32_t flags = 0) {
    std::uint64_t n = 0;
    status = calls.count(plugin.get(), ifb::str(text), flags, &n, &last_error);
    return n;
  }

  support::plugin_box plugin;
  const ifb_tokenizer& calls;
  // The result of the last call.
  ifb_status status = IFB_OK;
  ifb_error last_error = IFB_ERROR_INIT;
};

}  // namespace tokenizers
