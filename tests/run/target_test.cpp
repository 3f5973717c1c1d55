#include "run/target.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "transport/loopback.hpp"

namespace inferbench::run {
namespace {

config::plan plan_of(std::vector<std::string> urls) {
  config::plan plan;
  plan.server.base_urls = std::move(urls);
  return plan;
}

template <typename call>
std::string complaint(call&& what) {
  try {
    what();
  } catch (const base::error& e) {
    return e.what();
  }
  return "none";
}

const base::monotonic_clock clock_;

TEST(target, has_an_endpoint_for_each_base_url_in_their_order) {
  const target servers(plan_of({"http://127.0.0.1:1/a", "unix:/run/b.sock", "https://127.0.0.1:3",
                                "https://127.0.0.1:4"}),
                       clock_);
  ASSERT_EQ(servers.endpoints().size(), 4U);
  EXPECT_EQ(servers.endpoints()[0].where.text(), "http://127.0.0.1:1/a");
  EXPECT_EQ(servers.endpoints()[0].tls, nullptr);
  EXPECT_EQ(servers.endpoints()[1].where.text(), "unix:/run/b.sock");
  EXPECT_NE(servers.endpoints()[2].tls, nullptr);
  EXPECT_EQ(servers.endpoints()[2].tls, servers.endpoints()[3].tls) << "one for the run";
}

TEST(target, refuses_a_bad_url_naming_the_flag) {
  EXPECT_EQ(complaint([] { target(plan_of({"http://127.0.0.1", "ftp://a"}), clock_); }),
            "--base-url: the URL \"ftp://a\" has the scheme ftp; use http://, https:// or unix:");
}

TEST(target, refuses_tls_files_that_are_not_there_and_proxies_that_it_cannot_use) {
  config::plan plan = plan_of({"http://127.0.0.1:1"});
  plan.server.ca_cert = "/nonexistent/ca.pem";
  EXPECT_EQ(
      complaint([&] { target(plan, clock_); }),
      "cannot read /nonexistent/ca.pem: No such file or directory; give --ca-cert a file that "
      "can be read");
  plan.server.ca_cert.clear();
  plan.server.http_proxy = "socks5://127.0.0.1:1080";
  EXPECT_TRUE(complaint([&] { target(plan, clock_); }).starts_with("cannot use a proxy"));
  plan.server.no_proxy = "127.0.0.1";
  EXPECT_EQ(complaint([&] { target(plan, clock_); }), "none");
}

TEST(target, names_the_server_that_cannot_be_reached) {
  const transport::test::loopback open;
  const transport::test::loopback closed(false);
  const std::string refused = "cannot connect to " + closed.where().text() +
                              ": Connection refused; start the server, or check --base-url, --host "
                              "and --port";
  EXPECT_EQ(complaint([&] { target(plan_of({open.url()}), clock_).check_reachable(); }), "none");
  EXPECT_EQ(complaint([&] { target(plan_of({closed.url()}), clock_).check_reachable(); }), refused);
  EXPECT_EQ(
      complaint([&] { target(plan_of({open.url(), closed.url()}), clock_).check_reachable(); }),
      closed.url() + ": " + refused);
}

}  // namespace
}  // namespace inferbench::run
