#include "reporters/pages/page_text.hpp"

#include <gtest/gtest.h>

namespace {

using reporters::in_html;
using reporters::in_script;
using reporters::without_passwords;

TEST(page_text, no_text_can_end_a_script) {
  EXPECT_EQ(in_script(R"("</script><!-- <b>")"), "\"\\u003c/script>\\u003c!-- \\u003cb>\"");
  EXPECT_EQ(in_script("{}"), "{}");
}

TEST(page_text, markup_and_control_characters_are_harmless_in_html) {
  EXPECT_EQ(in_html("a</title><b>&amp;"), "a&lt;/title&gt;&lt;b&gt;&amp;amp;");
  EXPECT_EQ(in_html(std::string_view("a\0b\nc\x7F", 6)),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD"
            "c\xEF\xBF\xBD");
  EXPECT_EQ(in_html("\xC3\xA9 \xFF\xE2\x80"), "\xC3\xA9 \xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(page_text, every_url_of_a_text_loses_its_password) {
  EXPECT_EQ(without_passwords("no route to http://u:p@host:1/a and https://key@other"),
            "no route to http://(cut)@host:1/a and https://(cut)@other");
  EXPECT_EQ(without_passwords("http://host/ wrote to a@b.c"), "http://host/ wrote to a@b.c");
  EXPECT_EQ(without_passwords("http://host wrote to a@b.c"), "http://host wrote to a@b.c");
  EXPECT_EQ(without_passwords("\"http://a@b@c/\""), "\"http://(cut)@c/\"");
  EXPECT_EQ(without_passwords("://"), "://");
  EXPECT_EQ(without_passwords(""), "");
}

}  // namespace
