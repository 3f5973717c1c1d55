// Helpers for rows that are conversations, and tokenizers for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/abi.h>
#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "support/plugin_box.hpp"
#include "support/tokenizer_cache.hpp"

namespace support {

/// A message of a row with a single text.
struct said {
  std::string role;
  std::string text;
  std::int64_t tokens = -1;

  friend bool operator==(const said&, const said&) = default;
  friend void PrintTo(const said& s, std::ostream* out) {
    *out << s.role << " " << s.tokens << " \"" << s.text << "\"";
  }
};

inline std::vector<said> messages_of(const ifb_sample& row) {
  EXPECT_EQ(row.shape, std::uint32_t{IFB_PROMPT_CHAT});
  std::vector<said> out;
  for (const ifb_message& each : ifb::view(row.messages)) {
    const auto parts = ifb::view(each.parts);
    EXPECT_GE(parts.size(), 1U);
    out.push_back(
        {std::string(ifb::view(each.role)), std::string(ifb::view(parts[0].data)), each.tokens});
  }
  return out;
}

/// The row as one line of a golden file; only the beginning of each text is included.
inline std::string line_of(const ifb_sample& row) {
  ifb::json_writer out;
  out.begin_array();
  for (const said& each : messages_of(row)) {
    out.begin_object();
    out.member("role", each.role);
    out.member("tokens", each.tokens);
    out.member("text", ifb::cut_utf8(each.text, 60));
    out.end_object();
  }
  out.end_array();
  return out.take() + "\n";
}

/// One token per byte, and the model adds one token. The state of the host is null, or a
/// std::uint64_t with the number of texts whose tokens were counted.
inline constexpr ifb_tokenizer_service byte_tokenizer = {
    sizeof(ifb_tokenizer_service),
    0,
    "bytes",
    [](const ifb_host*, ifb_vocabulary*, ifb_error*) -> ifb_status { return IFB_E_UNSUPPORTED; },
    [](const ifb_host* h, ifb_str text, std::uint32_t flags, std::uint64_t* out,
       ifb_error*) -> ifb_status {
      *out = text.size + ((flags & IFB_ENCODE_SPECIAL) != 0 ? 1 : 0);
      if (auto* const counted = static_cast<std::uint64_t*>(host::of(h).state)) ++*counted;
      return IFB_OK;
    },
    [](const ifb_host*, ifb_str text, std::uint32_t, std::uint32_t* ids, std::size_t capacity,
       std::size_t* needed, ifb_error*) -> ifb_status {
      *needed = text.size;
      for (std::size_t i = 0; i < std::min(capacity, text.size); ++i)
        ids[i] = static_cast<unsigned char>(text.data[i]);
      return IFB_OK;
    },
    [](const ifb_host*, const std::uint32_t* ids, std::size_t count, std::uint32_t, char* text,
       std::size_t capacity, std::size_t* needed, ifb_error*) -> ifb_status {
      *needed = count;
      for (std::size_t i = 0; i < std::min(capacity, count); ++i)
        text[i] = static_cast<char>(ids[i]);
      return IFB_OK;
    },
    nullptr,
    nullptr};

/// For a test that needs the tokenizer: skips the test without it, or fails if all are required.
#define SUPPORT_NEEDS_TOKENIZER(name)                                                    \
  if (!std::filesystem::exists((inferbench::support::tokenizer_cache() / (name)) /       \
                               "tokenizer.json")) {                                      \
    const char* const required = std::getenv("INFERBENCH_REQUIRE_TOKENIZERS");           \
    if (required != nullptr && std::string_view(required) == "1")                        \
      FAIL() << (inferbench::support::tokenizer_cache() / (name)) << " is missing; "     \
             << "tests/tools/fetch_tokenizers fetches it";                               \
    GTEST_SKIP() << (inferbench::support::tokenizer_cache() / (name)) << " is missing; " \
                 << "tests/tools/fetch_tokenizers fetches it";                           \
  }

}  // namespace support
