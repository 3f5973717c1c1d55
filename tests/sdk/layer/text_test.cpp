#include <string>

#include <gtest/gtest.h>

#include <inferbench/text.hpp>

namespace {

TEST(text, is_trimmed_of_ascii_white_space) {
  EXPECT_EQ(ifb::trim(" \t\r\n\v\fa b\f\v\n\r\t "), "a b");
  EXPECT_EQ(ifb::trim(" \n "), "");
  EXPECT_EQ(ifb::trim(""), "");
  EXPECT_EQ(ifb::trim("\xC2\xA0"), "\xC2\xA0");
  EXPECT_EQ(ifb::trim(std::string_view("\0a", 2)).size(), 2U);
}

TEST(text, names_of_headers_are_equal_apart_from_case) {
  EXPECT_TRUE(ifb::same_without_case("Content-Type", "cONTENT-tYPE"));
  EXPECT_TRUE(ifb::same_without_case("", ""));
  EXPECT_FALSE(ifb::same_without_case("a", "ab"));
  EXPECT_FALSE(ifb::same_without_case("[", "{"));
  EXPECT_FALSE(ifb::same_without_case("\xC3\x84", "\xC3\xA4"));
}

TEST(base64, pads_as_the_standard_says) {
  EXPECT_EQ(ifb::base64(""), "");
  EXPECT_EQ(ifb::base64("f"), "Zg==");
  EXPECT_EQ(ifb::base64("fo"), "Zm8=");
  EXPECT_EQ(ifb::base64("foo"), "Zm9v");
  EXPECT_EQ(ifb::base64(std::string("\0\xFF", 2)), "AP8=");
  EXPECT_EQ(ifb::base64("\xFB\xEF\xBE\xFF\xFF\xFF"), "++++////");
}

TEST(base64, fills_the_room_that_it_says) {
  for (std::size_t size = 0; size < 10; ++size) {
    std::string room(ifb::base64_size(size) + 1, '#');
    EXPECT_EQ(ifb::write_base64(room.data(), std::string(size, 'a')), &room.back()) << size;
    EXPECT_EQ(room.back(), '#') << size;
  }
}

TEST(percent_encoded, keeps_unreserved_and_chosen_characters) {
  const std::string unreserved =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  EXPECT_EQ(ifb::percent_encoded(unreserved), unreserved);
  EXPECT_EQ(ifb::percent_encoded("refs/pr/1"), "refs%2Fpr%2F1");
  EXPECT_EQ(ifb::percent_encoded("a b/\xC3\xA9?#%", "/"), "a%20b/%C3%A9%3F%23%25");
  EXPECT_EQ(ifb::percent_encoded(std::string("\0\xFF+", 3)), "%00%FF%2B");
  EXPECT_EQ(ifb::percent_encoded("@[`{/:", {}), "%40%5B%60%7B%2F%3A");
  EXPECT_EQ(ifb::percent_encoded(""), "");
}

TEST(password, is_cut_out_of_an_address) {
  EXPECT_EQ(ifb::without_password("http://me:pass@host:1/x"), "http://(cut)@host:1/x");
  EXPECT_EQ(ifb::without_password("http://me:p@ss@host"), "http://(cut)@host");
  for (const char* plain :
       {"", "me@host", "http://host/@b", "http://host?a=b@c", "a label", "://", "http://"})
    EXPECT_EQ(ifb::without_password(plain), plain);
}

TEST(password, is_cut_out_of_the_address_of_a_proxy_with_and_without_its_scheme) {
  EXPECT_EQ(ifb::without_proxy_password("me:secret@proxy:3128"), "(cut)@proxy:3128");
  EXPECT_EQ(ifb::without_proxy_password("http://me:secret@proxy:3128/x"),
            "http://(cut)@proxy:3128/x");
  EXPECT_EQ(ifb::without_proxy_password("me:a/b?c#d@e@proxy"), "(cut)@proxy");
  EXPECT_EQ(ifb::without_proxy_password("me:a://b@proxy"), "(cut)@proxy");
  EXPECT_EQ(ifb::without_proxy_password("(cut)@proxy"), "(cut)@proxy");
  for (const char* plain : {"", "none", "proxy:3128", "http://proxy:3128"})
    EXPECT_EQ(ifb::without_proxy_password(plain), plain);
}

TEST(utf8_sequence, measures_and_judges) {
  using result = std::pair<std::size_t, bool>;
  EXPECT_EQ(ifb::utf8_sequence("a"), (result{1, true}));
  EXPECT_EQ(ifb::utf8_sequence("\xF0\x9F\x98\x80x"), (result{4, true}));
  EXPECT_EQ(ifb::utf8_sequence("\xE0\x80\x80"), (result{1, false}));
  EXPECT_EQ(ifb::utf8_sequence("\xF0\x9F\x98"), (result{3, false}));
}

}  // namespace
