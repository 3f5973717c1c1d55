#include "datasets/media/media_url.hpp"

#include <atomic>
#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/media/unusable.hpp"
#include "plugins/hub/fake_server.hpp"
#include "support/plugin_box.hpp"

namespace {

using hub_test::fake_server;
using hub_test::request;
using hub_test::response;
using ::testing::HasSubstr;

std::string fetched(const std::string& url) {
  const support::host host;
  try {
    return row_media::fetch_media(ifb::host(host.table()), url);
  } catch (const row_media::unusable& e) {
    return std::string("unusable: ") + e.what();
  }
}

TEST(media_url, is_fetched_also_through_redirects) {
  const fake_server server([](const request& asked) {
    EXPECT_EQ(asked.header("authorization"), "") << "no other server gets the token of the hub";
    if (asked.target == "/a.png") return response{302, {{"Location", "/b.png"}}, "moved"};
    return response{200, {}, std::string("PNG\0\xFF", 5)};
  });
  EXPECT_EQ(fetched(server.address() + "/a.png"), std::string("PNG\0\xFF", 5));
  EXPECT_THAT(server.lines(), ::testing::ElementsAre("GET /a.png", "GET /b.png"));
}

TEST(media_url, redirects_only_to_http_and_at_most_ten_times) {
  const fake_server server([](const request& asked) {
    const std::string& path = asked.target;
    if (path == "/file") return response{302, {{"Location", "file:///etc/hostname"}}, ""};
    if (path == "/ftp") return response{302, {{"Location", "ftp://127.0.0.1/a"}}, ""};
    if (path == "/none") return response{302, {}, ""};
    return response{302, {{"Location", path + "x"}}, ""};
  });
  EXPECT_EQ(fetched(server.address() + "/file"),
            "unusable: cannot fetch " + server.address() +
                "/file: it redirects to \"file:///etc/hostname\", which is not a usable address");
  EXPECT_THAT(fetched(server.address() + "/ftp"), HasSubstr("which is not a usable address"));
  EXPECT_THAT(fetched(server.address() + "/none"), HasSubstr("unusable: "));
  const std::size_t before = server.lines().size();
  EXPECT_THAT(fetched(server.address() + "/loop"), HasSubstr("it redirects more than 10 times"));
  EXPECT_EQ(server.lines().size() - before, 11U);
}

TEST(media_url, has_at_most_64_mebibytes) {
  const fake_server server([](const request& asked) {
    if (asked.target == "/said") return response{200, {{"Content-Length", "67108865"}}, "x"};
    if (asked.target == "/moved")
      return response{302, {{"Location", "/x"}, {"Content-Length", "67108865"}}, "x"};
    return response{200, {{"Content-Length", "99999999999999999999999"}}, "x"};
  });
  EXPECT_THAT(fetched(server.address() + "/said"), HasSubstr("/said: it has more than 64 MiB"));
  EXPECT_THAT(fetched(server.address() + "/moved"), HasSubstr("/moved: it has more than 64 MiB"));
  EXPECT_THAT(fetched(server.address() + "/more"), HasSubstr("unusable: cannot fetch"));
}

TEST(media_url, that_cannot_be_fetched_is_unusable) {
  const fake_server server([](const request& asked) {
    if (asked.target == "/gone") return response{404, {}, "gone"};
    return response{200, {{"Content-Length", "100"}}, "only this", 9};
  });
  EXPECT_THAT(fetched(server.address() + "/gone"), HasSubstr("/gone: HTTP 404"));
  EXPECT_THAT(fetched(server.address() + "/cut"), HasSubstr("unusable: cannot fetch"));
  EXPECT_THAT(fetched("http://127.0.0.1:1/a"),
              HasSubstr("unusable: cannot fetch http://127.0.0.1:1/a: "));
  EXPECT_THAT(fetched("http://"), HasSubstr("unusable: cannot fetch http://: "));
}

// A host whose clock advances by a minute with each look.
ifb_host hurried_host() {
  ifb_host out = *support::host().table();
  out.now = [](const ifb_host*) -> std::uint64_t {
    static std::atomic<std::uint64_t> minutes{0};
    return ++minutes * 60'000'000'000;
  };
  return out;
}

TEST(media_url, that_takes_too_long_is_unusable) {
  const ifb_host host = hurried_host();
  const fake_server server(
      [](const request& asked) { return response{302, {{"Location", asked.target + "x"}}, ""}; });
  try {
    static_cast<void>(row_media::fetch_media(ifb::host(&host), server.address() + "/slow"));
    ADD_FAILURE() << "is fetched";
  } catch (const row_media::unusable& e) {
    EXPECT_THAT(e.what(), HasSubstr("/slow: it takes longer than 120 seconds"));
  }
}

TEST(media_url, is_not_fetched_after_the_run_was_stopped) {
  ifb_host host = *support::host().table();
  host.cancelled = [](const ifb_host*) -> std::uint32_t { return 1; };
  const fake_server server([](const request&) { return response{200, {}, "x"}; });
  try {
    static_cast<void>(row_media::fetch_media(ifb::host(&host), server.address() + "/a"));
    ADD_FAILURE() << "is fetched";
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_CANCELLED);
  }
}

TEST(media_url, of_another_scheme_is_no_path) {
  for (const char* const text :
       {"ftp://h/a.png", "HTTP://h/a.png", "s3://b/a.png", "git+ssh://h/a", "data:image/png"})
    EXPECT_THROW(row_media::refuse_other_scheme(text), row_media::unusable) << text;
  for (const char* const text : {"a.png", "/a/b.png", "://", "a b://c", "C:/a.png", ""})
    EXPECT_NO_THROW(row_media::refuse_other_scheme(text)) << text;
}

TEST(media_url, of_a_file_has_its_path_percent_encoded) {
  using row_media::path_of_file_url;
  EXPECT_EQ(path_of_file_url("file:///a/b.png"), "/a/b.png");
  EXPECT_EQ(path_of_file_url("file:///a%20b%2F%c3%A9.png"), "/a b/\xC3\xA9.png");
  EXPECT_EQ(path_of_file_url("file://localhost/a.png"), "/a.png");
  EXPECT_EQ(path_of_file_url("file://localhosts/a.png"), "localhosts/a.png");
  EXPECT_EQ(path_of_file_url("file://media/a.png"), "media/a.png");
  EXPECT_EQ(path_of_file_url("file:///100%"), "/100%");
  EXPECT_EQ(path_of_file_url("file:///%4"), "/%4");
  EXPECT_EQ(path_of_file_url("file:///%zz%41"), "/%zzA");
  EXPECT_EQ(path_of_file_url("file://"), "");
}

}  // namespace
