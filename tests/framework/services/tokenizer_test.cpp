#include "services/tokenizer.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/dataset/fake_dataset.hpp"
#include "framework/services/fake_tokenizer.hpp"
#include "framework/services/scripted_tokenizer.hpp"

namespace inferbench::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::size_t far_too_much = std::numeric_limits<std::size_t>::max();

class tokenizer_of_a_run : public ::testing::Test {
 protected:
  /// The code and the message of the failure of `what`.
  static std::pair<ifb_status, std::string> failure(const std::function<void()>& what) {
    try {
      what();
    } catch (const plugin::refused& why) {
      return {why.code(), why.message()};
    }
    return {IFB_OK, "none"};
  }
  /// The failures of all calls that have a whole result.
  std::vector<std::pair<ifb_status, std::string>> failures() const {
    return {failure([&] { (void)by.counted("abc"); }), failure([&] { (void)by.encoded("abc"); }),
            failure([&] { (void)by.decoded(some); }),
            failure([&] { (void)by.encoded_pair("abc", "d"); }),
            failure([&] { (void)by.rendered("{}"); })};
  }

  const std::vector<std::uint32_t> some{1, 2};
  fake::log_book book;
  const plugin::services shared{.log = &book.log};
  fake::scripted_tokenizer script;
  const tokenizer by{script.choice(), shared};
};

TEST_F(tokenizer_of_a_run, gives_whole_results_of_any_length) {
  const tokenizer words(fake::choice<fake::words>("words"), shared);
  std::string text = "a";
  for (int i = 0; i < 500; ++i)
    text += " a";
  EXPECT_THAT(words.encoded(text), SizeIs(501));
  EXPECT_EQ(words.counted(text, IFB_ENCODE_SPECIAL), 502U);
  EXPECT_EQ(words.decoded(std::vector<std::uint32_t>{200}), std::string(200, 'x'));
  EXPECT_THAT(words.encoded_pair("a", "bb").type_ids, ElementsAre(0, 1));
  EXPECT_EQ(words.rendered("{}"), "<|{}|>");
}

TEST_F(tokenizer_of_a_run, fails_with_its_own_message_in_every_call) {
  script.status = IFB_E_DATA;
  script.message = "merge 7 of merges.txt is no pair";
  script.option = 3;
  for (const auto& [code, message] : failures()) {
    EXPECT_EQ(code, IFB_E_DATA);
    EXPECT_EQ(message, script.message);
  }
  ifb_vocabulary words{};
  words.struct_size = sizeof words;
  ifb_error error;
  error.message[0] = 'x';  // the host clears what the caller left there
  error.message[1] = '\0';
  EXPECT_EQ(by.vocabulary(&words, &error), IFB_E_DATA);
  EXPECT_EQ(error.code, IFB_E_DATA);
  EXPECT_STREQ(error.message, script.message.c_str());
  EXPECT_EQ(error.option, -1) << "the caller has other options";
}

TEST_F(tokenizer_of_a_run, that_leaves_no_message_is_named_with_the_call) {
  script.status = IFB_E_DATA;
  const auto all = failures();
  EXPECT_EQ(all[0].second, "tokenizer scripted could not count a text: malformed data");
  EXPECT_EQ(all[1].second, "tokenizer scripted could not encode a text: malformed data");
  EXPECT_EQ(all[2].second, "tokenizer scripted could not decode ids: malformed data");
  EXPECT_EQ(all[3].second, "tokenizer scripted could not encode a pair: malformed data");
  EXPECT_EQ(all[4].second, "tokenizer scripted could not render a conversation: malformed data");
}

TEST_F(tokenizer_of_a_run, that_asks_for_an_impossible_length_is_named_with_it) {
  script.needed = {far_too_much};
  const auto all = failures();
  for (const auto& [code, message] : all)
    EXPECT_EQ(code, IFB_E_INTERNAL);
  const std::string number = std::to_string(far_too_much);
  EXPECT_EQ(all[0].second, "tokenizer scripted counts " + number + " tokens in a text of 3 bytes");
  EXPECT_EQ(all[1].second,
            "tokenizer scripted asks for room for " + number + " ids of a text of 3 bytes");
  EXPECT_EQ(all[2].second,
            "tokenizer scripted asks for room for " + number + " bytes of text for 2 ids");
  EXPECT_EQ(all[3].second, "tokenizer scripted asks for room for " + number +
                               " ids of two texts of 3 and 1 bytes");
  EXPECT_EQ(all[4].second, "tokenizer scripted asks for room for " + number + " bytes of a prompt");
  EXPECT_EQ(script.calls, 5U) << "no second call with more memory";
}

TEST_F(tokenizer_of_a_run, may_need_far_more_ids_than_the_text_has_bytes) {
  script.needed = {10'000};
  EXPECT_THAT(by.encoded("abc"), SizeIs(10'000));
  EXPECT_EQ(script.calls, 2U);
}

TEST_F(tokenizer_of_a_run, that_asks_for_more_room_each_time_is_named) {
  script.needed = {100, 101};
  EXPECT_EQ(failure([&] { (void)by.encoded("abc"); }),
            std::pair(ifb_status{IFB_E_INTERNAL},
                      std::string("tokenizer scripted asked for room for 100, and with this room "
                                  "for 101")));
  EXPECT_EQ(script.calls, 2U);
}

TEST_F(tokenizer_of_a_run, is_not_asked_with_flags_that_the_host_does_not_know) {
  std::uint64_t tokens = 0;
  std::size_t needed = 0;
  ifb_error error = plugin::empty_error();
  EXPECT_EQ(by.count(plugin::str("a"), 4 | IFB_ENCODE_SPECIAL, &tokens, &error), IFB_E_UNSUPPORTED);
  EXPECT_STREQ(error.message, "this host does not know the encode flags 0x4");
  EXPECT_EQ(by.encode(plugin::str("a"), 4, nullptr, 0, &needed, &error), IFB_E_UNSUPPORTED);
  EXPECT_EQ(
      by.encode_pair(plugin::str("a"), plugin::str("b"), 4, nullptr, nullptr, 0, &needed, &error),
      IFB_E_UNSUPPORTED);
  EXPECT_EQ(by.decode(some, 6, nullptr, 0, &needed, &error), IFB_E_UNSUPPORTED);
  EXPECT_STREQ(error.message, "this host does not know the decode flags 0x6");
  EXPECT_EQ(script.calls, 0U);
}

TEST_F(tokenizer_of_a_run, needs_no_place_for_its_error) {
  script.status = IFB_E_IO;
  script.message = "the file is gone";
  std::uint64_t tokens = 0;
  EXPECT_EQ(by.count(plugin::str("a"), 0, &tokens, nullptr), IFB_E_IO);
}

TEST_F(tokenizer_of_a_run, that_cannot_count_is_reported_once) {
  EXPECT_EQ(by.count(""), 0U);
  EXPECT_THAT(book.lines(), IsEmpty());
  script.status = IFB_E_IO;
  script.message = "the file is gone";
  EXPECT_EQ(by.count("a"), std::nullopt);
  EXPECT_EQ(by.count("b"), std::nullopt);
  EXPECT_THAT(book.lines(), ElementsAre("tokenizer scripted fails, so some lengths in tokens are "
                                        "not known: the file is gone"));
}

}  // namespace
}  // namespace inferbench::services
