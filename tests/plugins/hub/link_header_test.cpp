#include "common/hub/link_header.hpp"

#include <gtest/gtest.h>

namespace hub {
namespace {

TEST(link_header, names_the_next_page_in_every_form_of_the_relation) {
  for (const char* header :
       {R"(</b>; rel="next")", "</b>;rel=next", "</b> ; REL = Next", R"(</b>; Rel="NEXT")",
        R"(</b>; rel="last next")", R"(</b>; rel="http://x/,;= next")",
        R"(</b>; title="x, <y>; z"; rel="next"; hreflang=en)",
        R"(</b>; title="\"; rel=\"prev"; crossorigin; rel=next)", R"(, , </b>; rel="next",)",
        R"(</a>; rel="prev", </b>; rel="next", </c>; rel="next")",
        R"(</a>; rel=prev; rel=next, </b>; rel=next)", "</b>; ; rel=next",
        R"(</a>; rel=nextprev, </a>; anchor="rel=next", </b>; rel=next)", R"(a; b, </b>; rel=next)",
        R"(</a>; rel=prev b c, </b>; rel=next)"})
    EXPECT_EQ(next_page(header), "/b") << header;
}

TEST(link_header, may_have_commas_and_semicolons_in_its_url) {
  EXPECT_EQ(next_page(R"(<http://a/x?expand=a,b;c&n=1>; rel="next")"),
            "http://a/x?expand=a,b;c&n=1");
  EXPECT_EQ(next_page(R"(<a,b>; rel="first", <c,d>; rel="next")"), "c,d");
  EXPECT_EQ(next_page(R"(<a,<b>; rel="next">; rel="prev", <c>; rel="next")"), "a,<b");
}

TEST(link_header, without_a_next_page_names_none) {
  for (const char* header :
       {"", ",", "</b>", R"(</b>; rel="prev")", "</b>; rel", "</b>; rel=", R"(</b>; rel=")",
        R"(</b>; title="rel=next")", "</b; rel=next", "/b; rel=next", R"(</b>; rev="next")"})
    EXPECT_EQ(next_page(header), "") << header;
}

}  // namespace
}  // namespace hub
