#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/tokenizer.hpp>

#include "sdk/layer/fake_host.hpp"

namespace {

using sdk_test::fake_host;
using sdk_test::made;
using sdk_test::stale_error;

ifb_vocabulary bytes_vocabulary() {
  ifb_vocabulary out{};
  out.struct_size = sizeof out;
  out.size = 256;
  return out;
}

/// One token per byte; fails for "!".
class returning {
 public:
  static constexpr const char *id = "bytes", *version = "1.0.0", *summary = "Bytes.",
                              *license = "MIT";
  explicit returning(ifb::host) {}
  ifb_vocabulary vocabulary() const { return bytes_vocabulary(); }
  std::vector<std::uint32_t> encode(std::string_view text, std::uint32_t) const {
    if (text == "!") throw std::runtime_error("cannot say !");
    return {text.begin(), text.end()};
  }
  std::string decode(std::span<const std::uint32_t> ids, std::uint32_t) const {
    std::string out;
    for (const auto id_of_byte : ids)
      out += static_cast<char>(id_of_byte);
    return out;
  }
};

class writing {
 public:
  static constexpr const char *id = "bytes", *version = "1.0.0", *summary = "Bytes.",
                              *license = "MIT";
  explicit writing(ifb::host) {}
  ifb_vocabulary vocabulary() const { return bytes_vocabulary(); }
  std::uint64_t count(std::string_view text, std::uint32_t) const { return text.size(); }
  std::size_t encode(std::string_view text, std::uint32_t, std::span<std::uint32_t> to) const {
    if (text == "!") throw std::runtime_error("cannot say !");
    for (std::size_t i = 0; i < std::min(text.size(), to.size()); ++i)
      to[i] = static_cast<unsigned char>(text[i]);
    return text.size();
  }
  std::size_t decode(std::span<const std::uint32_t> ids, std::uint32_t, std::span<char> to) const {
    for (std::size_t i = 0; i < std::min(ids.size(), to.size()); ++i)
      to[i] = static_cast<char>(ids[i]);
    return ids.size();
  }
};

template <typename plugin>
class tokenizer : public testing::Test {
 protected:
  [[nodiscard]] const ifb_tokenizer& calls() const {
    return self_.template table<ifb_tokenizer>(IFB_TOKENIZER_OPS);
  }
  fake_host host_;
  made self_{ifb::tokenizer<plugin>::descriptor, host_};
};
using both_ways = testing::Types<returning, writing>;
TYPED_TEST_SUITE(tokenizer, both_ways);

TYPED_TEST(tokenizer, writes_as_far_as_there_is_room_and_says_what_it_needs) {
  const auto& calls = this->calls();
  for (const std::size_t room : {0U, 2U, 3U, 5U}) {
    std::array<std::uint32_t, 5> ids{99, 99, 99, 99, 99};
    std::size_t needed = 0;
    ASSERT_EQ(
        calls.encode(this->self_.get(), ifb::str("abc"), 0, ids.data(), room, &needed, nullptr),
        IFB_OK);
    EXPECT_EQ(needed, 3U);
    for (std::size_t i = 0; i < ids.size(); ++i)
      EXPECT_EQ(ids[i], i < std::min<std::size_t>(room, 3) ? 'a' + i : 99U) << room << " " << i;

    const std::array<std::uint32_t, 3> abc{'a', 'b', 'c'};
    std::array<char, 5> text{'-', '-', '-', '-', '-'};
    ASSERT_EQ(
        calls.decode(this->self_.get(), abc.data(), 3, 0, text.data(), room, &needed, nullptr),
        IFB_OK);
    EXPECT_EQ(needed, 3U);
    EXPECT_EQ(
        std::string(text.data(), 5),
        std::string("abc").substr(0, room) + std::string(5 - std::min<std::size_t>(room, 3), '-'));
  }
  std::size_t needed = 0;
  EXPECT_EQ(calls.encode(this->self_.get(), ifb::str("abc"), 0, nullptr, 0, &needed, nullptr),
            IFB_OK);
  EXPECT_EQ(needed, 3U);
}

TYPED_TEST(tokenizer, an_exception_becomes_a_status_with_its_message) {
  std::size_t needed = 0;
  ifb_error error = stale_error();
  EXPECT_EQ(this->calls().encode(this->self_.get(), ifb::str("!"), 0, nullptr, 0, &needed, &error),
            IFB_E_INTERNAL);
  EXPECT_EQ(error.code, IFB_E_INTERNAL);
  EXPECT_STREQ(error.message, "cannot say !");
  EXPECT_TRUE(this->host_.logged.empty());
}

TYPED_TEST(tokenizer, a_flag_that_it_does_not_know_is_refused) {
  std::size_t needed = 0;
  ifb_error error = stale_error();
  EXPECT_EQ(this->calls().encode(this->self_.get(), ifb::str("abc"), IFB_ENCODE_SPECIAL | 4U,
                                 nullptr, 0, &needed, &error),
            IFB_E_UNSUPPORTED);
  EXPECT_STREQ(error.message, "this tokenizer does not know the flags 4 of the host");
  EXPECT_EQ(this->calls().decode(this->self_.get(), nullptr, 0, 8, nullptr, 0, &needed, &error),
            IFB_E_UNSUPPORTED);
  EXPECT_EQ(this->calls().decode(this->self_.get(), nullptr, 0, IFB_DECODE_SKIP_SPECIAL, nullptr, 0,
                                 &needed, &error),
            IFB_OK);
}

TYPED_TEST(tokenizer, describes_its_vocabulary) {
  ifb_vocabulary out{};
  out.struct_size = sizeof out;
  EXPECT_EQ(this->calls().vocabulary(this->self_.get(), &out, nullptr), IFB_OK);
  EXPECT_EQ(out.size, 256U);
  ifb_vocabulary without_room{};
  EXPECT_EQ(this->calls().vocabulary(this->self_.get(), &without_room, nullptr), IFB_E_INTERNAL);
}

// A tokenizer with pairs and a chat template.
class conversing : public returning {
 public:
  using returning::returning;
  ifb::pair_encoding encode_pair(std::string_view text, std::string_view pair,
                                 std::uint32_t flags) const {
    ifb::pair_encoding out;
    for (const std::string_view part : {text, pair})
      for (const char c : part) {
        out.ids.push_back(static_cast<unsigned char>(c) + flags);
        out.type_ids.push_back(part.data() == text.data() ? 0 : 1);
      }
    if (pair == "!") out.type_ids.pop_back();
    return out;
  }
  std::string render(std::string_view chat) const {
    if (chat == "!") throw ifb::failure{IFB_E_DATA, "TemplateError: no"};
    return "<" + std::string(chat) + ">";
  }
};

TEST(tokenizer_pairs, are_written_as_far_as_there_is_room) {
  fake_host host;
  const ifb_tokenizer& calls = ifb::tokenizer<conversing>::operations;
  made self{ifb::tokenizer<conversing>::descriptor, host};
  std::array<std::uint32_t, 3> ids{};
  std::array<std::uint32_t, 3> types{};
  std::size_t needed = 0;
  EXPECT_EQ(calls.encode_pair(self.get(), ifb::str("ab"), ifb::str("cd"), 0, ids.data(),
                              types.data(), 3, &needed, nullptr),
            IFB_OK);
  EXPECT_EQ(needed, 4U);
  EXPECT_THAT(ids, testing::ElementsAre('a', 'b', 'c'));
  EXPECT_THAT(types, testing::ElementsAre(0, 0, 1));
  EXPECT_EQ(calls.encode_pair(self.get(), ifb::str("a"), ifb::str("b"), 0, ids.data(), nullptr, 3,
                              &needed, nullptr),
            IFB_OK);
  EXPECT_EQ(needed, 2U);
  ifb_error error{};
  EXPECT_EQ(calls.encode_pair(self.get(), ifb::str("a"), ifb::str("!"), 0, ids.data(), types.data(),
                              3, &needed, &error),
            IFB_E_INTERNAL);
  EXPECT_STREQ(error.message, "a pair became 2 ids of 1 types");
}

TEST(tokenizer_conversations, are_rendered_or_refused_in_the_templates_words) {
  fake_host host;
  const ifb_tokenizer& calls = ifb::tokenizer<conversing>::operations;
  made self{ifb::tokenizer<conversing>::descriptor, host};
  std::array<char, 4> text{};
  std::size_t needed = 0;
  ifb_error error{};
  EXPECT_EQ(calls.render(self.get(), ifb::str("chat"), text.data(), text.size(), &needed, &error),
            IFB_OK);
  EXPECT_EQ(needed, 6U);
  EXPECT_EQ(std::string_view(text.data(), text.size()), "<cha");
  EXPECT_EQ(calls.render(self.get(), ifb::str("!"), text.data(), text.size(), &needed, &error),
            IFB_E_DATA);
  EXPECT_STREQ(error.message, "TemplateError: no");
}

TEST(tokenizer_table, pairs_and_conversations_are_null_where_a_class_lacks_them) {
  EXPECT_EQ(ifb::tokenizer<returning>::operations.encode_pair, nullptr);
  EXPECT_EQ(ifb::tokenizer<returning>::operations.render, nullptr);
}

TEST(tokenizer_table, count_is_null_where_a_class_lacks_it) {
  EXPECT_EQ(ifb::tokenizer<returning>::operations.count, nullptr);
  EXPECT_NE(ifb::tokenizer<writing>::operations.count, nullptr);
  EXPECT_EQ(ifb::tokenizer<writing>::descriptor.kind, static_cast<ifb_kind>(IFB_TOKENIZER));
}

}  // namespace
