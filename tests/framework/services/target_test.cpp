#include "services/target.hpp"

#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/dataset/fake_dataset.hpp"
#include "framework/services/answering_server.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::services {
namespace {

config::server settings_of(std::vector<std::string> urls) {
  config::server out;
  out.base_urls = std::move(urls);
  return out;
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

const base::monotonic_clock target_clock;

TEST(target, has_an_endpoint_for_each_base_url_in_their_order) {
  const target servers(settings_of({"http://127.0.0.1:1/a", "unix:/run/b.sock",
                                    "https://127.0.0.1:3", "https://127.0.0.1:4"}),
                       target_clock);
  ASSERT_EQ(servers.endpoints().size(), 4U);
  EXPECT_EQ(servers.endpoints()[0].where.text(), "http://127.0.0.1:1/a");
  EXPECT_EQ(servers.endpoints()[0].tls, nullptr);
  EXPECT_EQ(servers.endpoints()[1].where.text(), "unix:/run/b.sock");
  EXPECT_NE(servers.endpoints()[2].tls, nullptr);
  EXPECT_EQ(servers.endpoints()[2].tls, servers.endpoints()[3].tls) << "one for the run";
}

TEST(target, reports_a_long_wait_from_time_to_time) {
  const transport::test::loopback silent;  // the kernel accepts, but no answer comes
  fake::log_book book;
  const target servers(settings_of({silent.url()}), target_clock, &book.log, 1);
  for (const char* path : {"/tokenize", "/tokenize", "/metrics"}) {
    int asked = 0;
    EXPECT_TRUE(servers.fetch("GET", path, {}, base::ns_per_s * 60, 0, [&] { return ++asked == 2; })
                    .stopped);
  }
  EXPECT_THAT(book.lines(), ::testing::ElementsAre("Waiting for " + silent.url() + "/tokenize ...",
                                                   "Waiting for " + silent.url() + "/metrics ..."));
}

TEST(target, names_a_resolver_that_takes_long) {
  class slow_clock final : public base::clock {
   public:
    [[nodiscard]] std::uint64_t now() const noexcept override { return at_ += base::ns_per_s; }

   private:
    mutable std::uint64_t at_ = 0;
  } const clock;
  fake::log_book book;
  const target servers(settings_of({"http://127.0.0.1:1"}), clock, &book.log);
  EXPECT_THAT(book.lines(),
              ::testing::ElementsAre(
                  "the resolver took 1.0 s for the address of http://127.0.0.1:1; this is done "
                  "once, before the traffic, so no figure includes it, but other clients of the "
                  "server wait for it, too: see /etc/resolv.conf"));
}

TEST(target, refuses_a_bad_url_naming_the_flag) {
  EXPECT_EQ(complaint([] { target(settings_of({"http://127.0.0.1", "ftp://a"}), target_clock); }),
            "--base-url: the URL \"ftp://a\" has the scheme ftp; use http://, https:// or unix:");
}

TEST(target, refuses_tls_files_that_are_not_there_and_proxies_that_it_cannot_use) {
  config::server settings = settings_of({"http://127.0.0.1:1"});
  settings.ca_cert = "/nonexistent/ca.pem";
  EXPECT_EQ(
      complaint([&] { target(settings, target_clock); }),
      "cannot read /nonexistent/ca.pem: No such file or directory; give --ca-cert a file that "
      "can be read");
  settings.ca_cert.clear();
  settings.http_proxy = "socks5://127.0.0.1:1080";
  EXPECT_TRUE(complaint([&] { target(settings, target_clock); }).starts_with("cannot use a proxy"));
  settings.no_proxy = "127.0.0.1";
  EXPECT_EQ(complaint([&] { target(settings, target_clock); }), "none");
}

TEST(target, names_the_server_that_cannot_be_reached) {
  const transport::test::loopback open;
  const transport::test::loopback closed(false);
  const std::string refused = "cannot connect to " + closed.where().text() +
                              ": Connection refused; start the server, or check --base-url, --host "
                              "and --port";
  EXPECT_EQ(complaint([&] { target(settings_of({open.url()}), target_clock).check_reachable(); }),
            "none");
  EXPECT_EQ(complaint([&] { target(settings_of({closed.url()}), target_clock).check_reachable(); }),
            refused);
  EXPECT_EQ(complaint([&] {
              target(settings_of({open.url(), closed.url()}), target_clock).check_reachable();
            }),
            closed.url() + ": " + refused);
}

/// The result of discover_model() for this answer of the server. `path` ends the base URL.
std::string discovered(const testing::answered& answer, const std::string& path = "") {
  const testing::answering_server server([&](const testing::asked&) { return answer; });
  try {
    const auto found = target(settings_of({server.url() + path}), target_clock).discover_model();
    return found.id + " of " + found.root;
  } catch (const base::error& e) {
    std::string text = e.what();
    const auto at = text.find(server.url());
    return at == std::string::npos ? text : text.replace(at, server.url().size(), "URL");
  }
}

TEST(target, asks_for_its_first_model_with_key_and_headers) {
  const testing::answering_server server([](const testing::asked&) {
    return testing::answered{200, R"({"data": [{"id": "served", "root": "org/m"}, {"id": "x"}]})"};
  });
  config::server settings = settings_of({server.url() + "/base"});
  settings.api_key = "secret";
  settings.headers = {{"X-Tenant", "t"}};
  const auto found = target(settings, target_clock).discover_model();
  EXPECT_EQ(found.id, "served");
  EXPECT_EQ(found.root, "org/m");
  ASSERT_EQ(server.seen().size(), 1U);
  EXPECT_EQ(server.seen()[0].line, "GET /base/v1/models");
  EXPECT_THAT(server.seen()[0].head, ::testing::HasSubstr("Authorization: Bearer secret\r\n"));
  EXPECT_THAT(server.seen()[0].head, ::testing::HasSubstr("X-Tenant: t\r\n"));
}

TEST(target, sends_a_header_of_the_user_instead_of_its_own) {
  const testing::answering_server server([](const testing::asked&) { return testing::answered{}; });
  config::server settings = settings_of({server.url()});
  settings.api_key = "secret";
  settings.headers = {{"authorization", "Basic x"}, {"content-type", "text/plain"}};
  EXPECT_TRUE(target(settings, target_clock).fetch("POST", "/a", "b", 60 * base::ns_per_s).ok());
  const std::string head = server.seen().at(0).head;
  EXPECT_THAT(head, ::testing::HasSubstr("uthorization: Basic x\r\n"));
  EXPECT_THAT(head, ::testing::HasSubstr("ontent-Type: text/plain\r\n"));
  EXPECT_THAT(head, ::testing::Not(::testing::HasSubstr("secret")));
  EXPECT_THAT(head, ::testing::Not(::testing::HasSubstr("application/json")));
}

TEST(target, takes_the_id_of_a_model_without_a_root) {
  EXPECT_EQ(discovered({200, R"({"data": [{"id": "/files/a b.gguf"}]})"}),
            "/files/a b.gguf of /files/a b.gguf");
  EXPECT_EQ(discovered({200, R"({"data": [{"id": "m", "root": null}]})"}), "m of m");
}

TEST(target, reports_why_it_found_no_model) {
  const std::string hint = "; name the model with --model";
  EXPECT_EQ(discovered({401, "{}"}), "cannot ask URL/v1/models for its model: HTTP 401 Said" +
                                         hint + ", or set OPENAI_API_KEY");
  EXPECT_EQ(discovered({503, "{}"}),
            "cannot ask URL/v1/models for its model: HTTP 503 Said" + hint);
  EXPECT_EQ(discovered({404, "{}"}),
            "cannot ask URL/v1/models for its model: HTTP 404 Said" + hint);
  EXPECT_EQ(discovered({404, "{}"}, "/v1"),
            "cannot ask URL/v1/v1/models for its model: HTTP 404 Said" + hint +
                ", or leave /v1 out of --base-url");
  EXPECT_EQ(discovered({200, R"({"data": []})"}), "URL/v1/models names no model" + hint);
  EXPECT_EQ(discovered({200, R"([])"}), "URL/v1/models names no model" + hint);
  EXPECT_EQ(discovered({200, R"({"data": [{"root": "m"}]})"}),
            "URL/v1/models names a model without an id" + hint);
  EXPECT_EQ(discovered({200, "<html>"}), "URL/v1/models:1:1: malformed JSON: Invalid value" + hint);
  const transport::test::loopback closed(false);
  EXPECT_THAT(
      complaint([&] {
        std::ignore = target(settings_of({closed.url()}), target_clock).discover_model();
      }),
      ::testing::StartsWith("no connection to " + closed.url() + "/v1/models: cannot connect"));
}

}  // namespace
}  // namespace inferbench::services
