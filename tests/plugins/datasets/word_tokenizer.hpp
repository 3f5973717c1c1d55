// A tokenizer of words with a chat template.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

#include <inferbench/abi.h>
#include <inferbench/text.hpp>

namespace support {

/// Each word is a token, with any white space between words, and the model adds one token. The
/// template writes "<user> TEXT <assistant>". Has no state, so it works with any host.
inline constexpr ifb_tokenizer_service word_tokenizer = {
    sizeof(ifb_tokenizer_service),
    0,
    "words",
    [](const ifb_host*, ifb_vocabulary*, ifb_error*) -> ifb_status { return IFB_E_UNSUPPORTED; },
    [](const ifb_host*, ifb_str text, std::uint32_t flags, std::uint64_t* out,
       ifb_error*) -> ifb_status {
      *out = (flags & IFB_ENCODE_SPECIAL) != 0 ? 1 : 0;
      bool inside = false;
      for (const char c : ifb::view(text)) {
        const bool blank = c == ' ' || c == '\n';
        if (!blank && !inside) ++*out;
        inside = !blank;
      }
      return IFB_OK;
    },
    [](const ifb_host*, ifb_str, std::uint32_t, std::uint32_t*, std::size_t, std::size_t*,
       ifb_error*) -> ifb_status { return IFB_E_UNSUPPORTED; },
    [](const ifb_host*, const std::uint32_t*, std::size_t, std::uint32_t, char*, std::size_t,
       std::size_t*, ifb_error*) -> ifb_status { return IFB_E_UNSUPPORTED; },
    nullptr,
    [](const ifb_host*, ifb_str chat, char* text, std::size_t capacity, std::size_t* needed,
       ifb_error*) -> ifb_status {
      rapidjson::Document document;
      document.Parse(chat.data, chat.size);
      if (!document["add_generation_prompt"].GetBool()) return IFB_E_INTERNAL;
      const auto& message = document["messages"][0];
      const std::string out = std::string("<") + message["role"].GetString() + "> " +
                              message["content"].GetString() + " <assistant>";
      *needed = out.size();
      std::copy_n(out.begin(), std::min(capacity, out.size()), text);
      return IFB_OK;
    }};

}  // namespace support
