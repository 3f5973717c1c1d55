// Conversations of the dataset random, for tests.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/bench.hpp"
#include "plugins/datasets/conversation_rows.hpp"

namespace support {

using message_list = std::vector<said>;

/// The box hands over integers, and a number of the contract has the same bytes.
inline setting float_value(double value) { return std::bit_cast<std::int64_t>(value); }

inline settings with_conversations(settings given) {
  given["conversations"] = 1;
  return given;
}

struct conversation_bench : dataset_bench {
  explicit conversation_bench(settings given, number_tokenizer t = {})
      : dataset_bench("random", with_conversations(std::move(given)), std::move(t)) {}

  message_list row(std::uint64_t i) {
    EXPECT_EQ(box.read(i), IFB_OK) << box.message();
    return messages_of(box.sample);
  }
  std::vector<message_list> rows(std::uint64_t count) {
    std::vector<message_list> out;
    for (std::uint64_t i = 0; i < count; ++i)
      out.push_back(row(i));
    return out;
  }
};

inline std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == ' ')
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

inline std::vector<std::string> first_words(const std::string& text, std::size_t count) {
  auto out = split_words(text);
  out.resize(std::min(count, out.size()));
  return out;
}

/// The messages of the user.
inline message_list user_messages(const message_list& all) {
  message_list out;
  for (const said& each : all)
    if (each.role == "user") out.push_back(each);
  return out;
}

/// The roles alternate, each answer is an empty text, and each message has its tokens.
inline void expect_alternation(const message_list& all) {
  ASSERT_EQ(all.size() % 2, 0U);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].role, i % 2 == 0 ? "user" : "assistant");
    if (i % 2 == 0) {
      EXPECT_EQ(all[i].tokens, static_cast<std::int64_t>(split_words(all[i].text).size()));
    } else {
      EXPECT_EQ(all[i].text, "");
    }
  }
}

/// Options that the dataset refuses, the option at fault and a part of the message.
struct unfit_options {
  settings given;
  const char* option;
  const char* text;
};

inline void expect_unfit(const unfit_options& expected, bool conversations,
                         number_tokenizer t = {}) {
  SCOPED_TRACE(expected.text);
  dataset_bench b("random", conversations ? with_conversations(expected.given) : expected.given,
                  std::move(t));
  EXPECT_EQ(b.box.prepare(1), IFB_E_CONFIG);
  EXPECT_EQ(b.box.option_at_fault(), expected.option);
  EXPECT_THAT(b.box.message(), ::testing::HasSubstr(expected.text));
}

}  // namespace support
