// A tokenizer whose chat template shows its input.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

namespace support {

/// One token per byte, and the model adds one token. The template writes the conversation
/// unchanged, in JSON, and fails if it contains the word "explode". Has no state, so it works with
/// any host.
inline constexpr ifb_tokenizer_service echo_tokenizer = {
    sizeof(ifb_tokenizer_service),
    0,
    "echo",
    [](const ifb_host*, ifb_vocabulary*, ifb_error*) -> ifb_status { return IFB_E_UNSUPPORTED; },
    [](const ifb_host*, ifb_str text, std::uint32_t flags, std::uint64_t* out,
       ifb_error*) -> ifb_status {
      *out = text.size + ((flags & IFB_ENCODE_SPECIAL) != 0 ? 1 : 0);
      return IFB_OK;
    },
    [](const ifb_host*, ifb_str, std::uint32_t, std::uint32_t*, std::size_t, std::size_t*,
       ifb_error*) -> ifb_status { return IFB_E_UNSUPPORTED; },
    [](const ifb_host*, const std::uint32_t*, std::size_t, std::uint32_t, char*, std::size_t,
       std::size_t*, ifb_error*) -> ifb_status { return IFB_E_UNSUPPORTED; },
    nullptr,
    [](const ifb_host*, ifb_str chat, char* text, std::size_t capacity, std::size_t* needed,
       ifb_error* error) -> ifb_status {
      if (ifb::view(chat).find("explode") != std::string_view::npos) {
        ifb::fill(error, IFB_E_DATA, "TemplateError: it exploded");
        return IFB_E_DATA;
      }
      *needed = chat.size;
      std::copy_n(chat.data, std::min(capacity, chat.size), text);
      return IFB_OK;
    }};

}  // namespace support
