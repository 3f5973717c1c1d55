#include "observe/pages.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/services/answering_server.hpp"

namespace inferbench::observe {
namespace {

using services::target;
using services::testing::answered;
using services::testing::answering_server;
using services::testing::asked;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const base::monotonic_clock pages_clock;

answered one_metric(const asked&) { return {200, "node_load1 0.5\n", "text/plain"}; }

config::server server_at(const std::string& url) {
  config::server out;
  out.base_urls = {url};
  out.api_key = "secret";
  out.headers = {{"X-Tenant", "t"}};
  return out;
}

config::observing observing_of(std::vector<std::string> urls) {
  config::observing out;
  out.wanted = true;
  out.urls = std::move(urls);
  return out;
}

TEST(pages_of, are_none_without_the_flag) {
  const answering_server server(one_metric);
  const target servers(server_at(server.url()), pages_clock);
  EXPECT_THAT(pages_of({}, servers, true), IsEmpty());
}

TEST(pages_of, send_the_key_to_the_servers_under_test_only) {
  const answering_server server(one_metric);
  const answering_server other(one_metric);
  const target servers(server_at(server.url()), pages_clock);
  const auto pages = pages_of(observing_of({other.url(), other.url() + "/own?name=x",
                                            server.url() + "/prometheus/metrics"}),
                              servers, true);
  ASSERT_THAT(pages, SizeIs(4));
  EXPECT_EQ(pages[0].url, server.url() + "/metrics");
  EXPECT_EQ(pages[1].url, other.url() + "/metrics") << "the usual path";
  for (const scraper::page& one : pages)
    EXPECT_EQ(one.fetch(base::ns_per_s * 10, {}).body, "node_load1 0.5\n");
  ASSERT_THAT(server.seen(), SizeIs(2));
  EXPECT_EQ(server.seen()[0].line, "GET /metrics");
  EXPECT_EQ(server.seen()[1].line, "GET /prometheus/metrics");
  for (const asked& one : server.seen()) {
    EXPECT_THAT(one.head, HasSubstr("Authorization: Bearer secret\r\n"));
    EXPECT_THAT(one.head, HasSubstr("X-Tenant: t\r\n"));
    EXPECT_THAT(one.head, HasSubstr("Accept: text/plain; version=0.0.4"));
  }
  ASSERT_THAT(other.seen(), SizeIs(2));
  EXPECT_EQ(other.seen()[1].line, "GET /own?name=x");
  for (const asked& one : other.seen()) {
    EXPECT_THAT(one.head, Not(HasSubstr("secret")));
    EXPECT_THAT(one.head, Not(HasSubstr("X-Tenant")));
  }
}

TEST(pages_of, a_redirect_to_another_server_takes_no_key_along) {
  const answering_server other(one_metric);
  const std::string to = "Location: " + other.url() + "/metrics\r\n";
  const answering_server server([&](const asked&) { return answered{302, "", "text/plain", to}; });
  const target servers(server_at(server.url()), pages_clock);
  const auto pages = pages_of(observing_of({}), servers, true);
  ASSERT_THAT(pages, SizeIs(1));
  EXPECT_EQ(pages[0].fetch(base::ns_per_s * 10, {}).body, "node_load1 0.5\n");
  ASSERT_THAT(other.seen(), SizeIs(1));
  EXPECT_THAT(other.seen()[0].head, Not(HasSubstr("secret")));
}

TEST(pages_of, name_each_page_once_and_leave_out_an_engine) {
  const answering_server server(one_metric);
  const target servers(server_at(server.url()), pages_clock);
  EXPECT_THAT(pages_of(observing_of({server.url()}), servers, true), SizeIs(1));
  EXPECT_THAT(pages_of(observing_of({}), servers, false), IsEmpty());
}

TEST(pages_of, a_page_may_be_large_but_not_endless) {
  const answering_server server([](const asked&) {
    return answered{200, std::string(scraper::most_page_bytes + 1, '#'), "text/plain"};
  });
  const target servers(server_at(server.url()), pages_clock);
  const auto pages = pages_of(observing_of({}), servers, true);
  EXPECT_THAT(pages[0].fetch(base::ns_per_s * 10, {}).error, HasSubstr("is longer than 16777216"));
}

TEST(pages_of, an_address_that_cannot_be_used_is_refused_with_the_flag) {
  const answering_server server(one_metric);
  const target servers(server_at(server.url()), pages_clock);
  for (const char* url : {"http://user:hidden@h/metrics", "ftp://h/", "http://", "http://h:x/"})
    EXPECT_THROW(
        {
          try {
            static_cast<void>(pages_of(observing_of({url}), servers, true));
          } catch (const base::error& e) {
            EXPECT_THAT(e.what(), HasSubstr("--observe")) << url;
            EXPECT_THAT(e.what(), Not(HasSubstr("hidden")));
            throw;
          }
        },
        base::error)
        << url;
}

TEST(pages_of, too_many_are_refused) {
  const answering_server server(one_metric);
  const target servers(server_at(server.url()), pages_clock);
  std::vector<std::string> urls;
  for (int i = 0; i < 64; ++i)
    urls.push_back(server.url() + "/" + std::to_string(i));
  EXPECT_THROW(static_cast<void>(pages_of(observing_of(urls), servers, true)), base::error);
}

}  // namespace
}  // namespace inferbench::observe
