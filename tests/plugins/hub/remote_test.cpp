// Tests that a listing is complete or refused.
#include "common/hub/remote.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "plugins/hub/fake_hub.hpp"
#include "support/plugin_box.hpp"

namespace hub {
namespace {

using hub_test::request;
using hub_test::response;

class listings : public testing::Test {
 protected:
  listings() { hub_test::see_answers(host); }
  /// Every page of the listing contains a file and has this header `Link`.
  void continue_with(std::string link) {
    net.before_hub = [link = std::move(link)](const request&) -> std::optional<response> {
      return response{200, {{"Link", link}}, R"([{"type": "file", "path": "a"}])"};
    };
  }
  std::string refusal(const std::function<void(remote&)>& list = [](remote& at) {
    (void)at.list_all("main");
  }) {
    remote at(ifb::host(host.table()), net.settings(home.path), repository_type::model, "org/name");
    try {
      list(at);
    } catch (const unavailable& e) {
      EXPECT_EQ(e.code(), IFB_E_REMOTE);
      return e.message();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
  }

  support::host host;
  hub_test::folder home;
  hub_test::fake_hub net;
};

TEST_F(listings, that_continue_at_no_address_are_refused) {
  continue_with(R"(<file:///next>; rel="next")");
  EXPECT_EQ(refusal(), "the listing of org/name at " + net.server.address() +
                           "/api/models/org/name/tree/main?recursive=true continues at "
                           "\"file:///next\", which is not a usable address");
  EXPECT_EQ(net.server.requests().size(), 1U);
}

TEST_F(listings, without_a_later_page_are_refused) {
  for (const char* code : {"", "EntryNotFound", "RepoNotFound", "RevisionNotFound"}) {
    net.before_hub = [code](const request& asked) -> std::optional<response> {
      if (asked.target == "/api/next") return response{404, {{"X-Error-Code", code}}, ""};
      return response{
          200, {{"Link", R"(</api/next>; rel="next")"}}, R"([{"type": "file", "path": "more/a"}])"};
    };
    const std::string expected = "the listing of org/name is incomplete: " + net.server.address() +
                                 "/api/next answers HTTP 404; try again later, or give a local "
                                 "folder";
    EXPECT_EQ(refusal(), expected) << code;
    EXPECT_EQ(refusal([](remote& at) { (void)at.list("main", "more"); }), expected) << code;
  }
}

TEST_F(listings, continue_at_an_address_with_a_comma) {
  net.before_hub = [](const request& asked) -> std::optional<response> {
    if (asked.target == "/api/next?expand=a,b")
      return response{200, {}, R"([{"type": "file", "path": "b"}])"};
    // Each line of the header is a part of one list.
    return response{200,
                    {{"Link", "</api/next?expand=a,b>; rel=next"}, {"Link", "</x>; rel=preload"}},
                    R"([{"type": "file", "path": "a"}])"};
  };
  remote at(ifb::host(host.table()), net.settings(home.path), repository_type::model, "org/name");
  EXPECT_EQ(at.list_all("main"), (std::vector<listed_file>{{"a", 0}, {"b", 0}}));
}

TEST_F(listings, that_do_not_end_are_refused) {
  continue_with(R"(</api/again>; rel="next")");
  EXPECT_EQ(refusal(), "the listing of org/name has more than 1000 pages; the next is " +
                           net.server.address() + "/api/again");
  EXPECT_EQ(net.server.requests().size(), 1000U);
}

}  // namespace
}  // namespace hub
