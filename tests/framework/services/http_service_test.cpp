#include "services/http_service.hpp"

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/text.hpp>

#include "base/arena.hpp"
#include "framework/services/answering_server.hpp"
#include "framework/transport/loopback.hpp"
#include "framework/transport/tls_side.hpp"
#include "plugin/host.hpp"
#include "plugin/instance.hpp"
#include "services/target.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::services {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A plugin that sends requests. The server under test has a key, a header of the user and a
/// prefix.
class http_service_of_a_run : public ::testing::Test {
 protected:
  http_service_of_a_run() {
    settings.base_urls = {server.url() + "/v2"};
    settings.api_key = "secret";
    settings.headers = {{"X-Tenant", "t"}, {"X-Both", "of the user"}};
  }

  /// Sends the request and keeps the answer, or the error.
  ifb_status send(const std::string& method, const std::string& where,
                  const std::vector<std::pair<std::string, std::string>>& headers = {},
                  const std::vector<std::string>& body = {}, std::uint64_t timeout_ns = 0) {
    std::vector<ifb_field> fields;
    for (const auto& [name, value] : headers)
      fields.push_back({plugin::str(name), plugin::str(value)});
    std::vector<ifb_bytes> pieces;
    for (const std::string& piece : body)
      pieces.push_back(ifb::bytes(piece));
    ifb_http_request wanted{};
    wanted.struct_size = sizeof wanted;
    wanted.method = plugin::str(method);
    wanted.target = plugin::str(where);
    wanted.headers = fields.data();
    wanted.header_count = fields.size();
    wanted.body = pieces.data();
    wanted.body_count = pieces.size();
    target servers(settings, clock);
    plugin::services shared;
    shared.http = &http_service();
    shared.http_state = &servers;
    const plugin::host mine(shared, "reporter x");
    answer = {};
    answer.struct_size = sizeof answer;
    error = plugin::empty_error();
    const auto* table =
        static_cast<const ifb_http_service*>(mine.table()->service(mine.table(), IFB_SERVICE_HTTP));
    return table->request(mine.table(), &wanted, timeout_ns, &memory, &answer, &error);
  }
  std::string header(std::string_view name) const {
    for (std::size_t i = 0; i < answer.header_count; ++i)
      if (plugin::view(answer.headers[i].name) == name)
        return std::string(plugin::view(answer.headers[i].value));
    return "none";
  }
  std::string heard() const { return server.seen().empty() ? "" : server.seen().back().head; }

  testing::answered answers{200, "{}"};
  testing::answering_server server{[this](const testing::asked&) { return answers; }};
  config::server settings;
  const base::monotonic_clock clock;
  base::arena memory;
  ifb_http_answer answer{};
  ifb_error error{};
};

TEST_F(http_service_of_a_run, sends_a_path_to_the_server_under_test_with_key_and_headers) {
  ASSERT_EQ(send("POST", "/tokenize?a=b", {{"X-Own", "1"}, {"x-both", "of the plugin"}}, {"{}"}),
            IFB_OK)
      << error.message;
  ASSERT_EQ(server.seen().size(), 1U);
  EXPECT_EQ(server.seen()[0].line, "POST /v2/tokenize?a=b");
  EXPECT_EQ(server.seen()[0].body, "{}");
  for (const char* line : {"Authorization: Bearer secret\r\n", "X-Tenant: t\r\n", "X-Own: 1\r\n",
                           "Content-Type: application/json\r\n"})
    EXPECT_THAT(heard(), HasSubstr(line));
  EXPECT_THAT(heard(), HasSubstr("oth: of the user\r\n")) << "the user has the last word";
  EXPECT_THAT(heard(), Not(HasSubstr("of the plugin")));
}

TEST_F(http_service_of_a_run, sends_a_whole_url_without_key_and_headers) {
  const testing::answering_server other(
      [](const testing::asked&) { return testing::answered{200, R"({"access_token": "t"})"}; });
  for (const std::string scheme : {"http", "HTTP"}) {
    ASSERT_EQ(send("POST", scheme + other.url().substr(4) + "/oauth/token?x=1",
                   {{"Content-Type", "application/x-www-form-urlencoded"}, {"X-Own", "1"}},
                   {"grant_type=", "client_credentials"}),
              IFB_OK)
        << error.message;
    EXPECT_EQ(plugin::view(answer.body), R"({"access_token": "t"})");
  }
  EXPECT_TRUE(server.seen().empty());
  const testing::asked seen = other.seen().back();
  EXPECT_EQ(seen.line, "POST /oauth/token?x=1");
  EXPECT_EQ(seen.body, "grant_type=client_credentials");
  EXPECT_THAT(seen.head, HasSubstr("X-Own: 1\r\n"));
  EXPECT_THAT(seen.head, HasSubstr("Content-Type: application/x-www-form-urlencoded\r\n"));
  EXPECT_THAT(seen.head, Not(HasSubstr("application/json")));
  EXPECT_THAT(seen.head, Not(HasSubstr("secret")));
  EXPECT_THAT(seen.head, Not(HasSubstr("X-Tenant")));
}

TEST_F(http_service_of_a_run, gives_the_whole_answer_whatever_its_status_is) {
  answers = {429, std::string(100'000, 'x'), "text/plain", "Retry-After: 3\r\nA: 1\r\nA: 2\r\n"};
  ASSERT_EQ(send("GET", "/quota"), IFB_OK) << error.message;
  EXPECT_EQ(answer.status, 429U);
  EXPECT_EQ(plugin::view(answer.body), answers.body);
  EXPECT_EQ(header("Retry-After"), "3");
  EXPECT_EQ(header("Content-Type"), "text/plain");
  EXPECT_EQ(answer.header_count, 6U) << "a repeated name is there twice";
}

TEST_F(http_service_of_a_run, sends_a_repeated_header_once_with_its_last_value) {
  ASSERT_EQ(send("GET", "/a",
                 {{"X-Own", "first"},
                  {"x-own", "last"},
                  {"Content-Length", "77"},
                  {"Transfer-Encoding", "chunked"},
                  {"Connection", "keep-alive"}}),
            IFB_OK)
      << error.message;
  EXPECT_THAT(heard(), HasSubstr("last\r\n"));
  for (const char* gone : {"first", "Content-Length", "chunked", "keep-alive"})
    EXPECT_THAT(heard(), Not(HasSubstr(gone)));
}

TEST_F(http_service_of_a_run, writes_no_more_than_the_caller_has_room_for) {
  ifb_http_request wanted{};
  wanted.struct_size = offsetof(ifb_http_request, headers);  // of an older header
  wanted.method = plugin::str("GET");
  wanted.target = plugin::str("/a");
  wanted.header_count = 1'000'000;
  answer = {};
  answer.struct_size = offsetof(ifb_http_answer, headers);
  target servers(settings, clock);
  plugin::services shared;
  shared.http_state = &servers;
  const plugin::host mine(shared, "reporter x");
  EXPECT_EQ(http_service().request(mine.table(), &wanted, 0, &memory, &answer, nullptr), IFB_OK);
  EXPECT_EQ(answer.struct_size, offsetof(ifb_http_answer, headers));
  EXPECT_EQ(answer.status, 200U);
  EXPECT_EQ(answer.headers, nullptr);
  EXPECT_EQ(answer.body.size, 0U);
}

TEST_F(http_service_of_a_run, names_the_url_that_gives_no_answer) {
  const transport::test::loopback closed(false);
  EXPECT_EQ(send("GET", closed.url() + "/hub"), IFB_E_IO);
  EXPECT_EQ(error.code, IFB_E_IO);
  EXPECT_THAT(error.message, StartsWith("no connection to " + closed.url() + "/hub: "));
  const transport::test::loopback silent;  // the kernel accepts, but no answer comes
  EXPECT_EQ(send("GET", silent.url() + "/hub", {}, {}, 20 * base::ns_per_ms), IFB_E_TIMEOUT);
  EXPECT_EQ(error.message, "no complete answer from " + silent.url() + "/hub within 0.02 s");
}

TEST_F(http_service_of_a_run, refuses_what_cannot_be_sent_and_names_the_part_at_fault) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"tokenize",
       "the target \"tokenize\" is neither a path, which begins with /, nor a URL, which begins "
       "with http:// or https://"},
      {"ftp://a/b",
       "the target \"ftp://a/b\" is neither a path, which begins with /, nor a URL, which begins "
       "with http:// or https://"},
      {"http://a:x/b", "the URL \"http://a:x/b\" has the port x"},
      {"https://me:pass@a/b", "the URL holds a user name or password before @"},
      {"/a b", "the target of the request for /a b holds characters that HTTP does not allow"}};
  for (const auto& [where, message] : cases) {
    EXPECT_EQ(send("GET", where), IFB_E_UNSUPPORTED) << where;
    EXPECT_EQ(error.message, message);
  }
  EXPECT_EQ(send("", "/a"), IFB_E_UNSUPPORTED);
  EXPECT_STREQ(error.message, "the request for /a has no method");
  EXPECT_EQ(send("GE T", "/a"), IFB_E_UNSUPPORTED);
  EXPECT_EQ(send("GET", "/a", {{"X-Good", "1"}, {"X-Bad", "a\r\nB: c"}}), IFB_E_UNSUPPORTED);
  EXPECT_STREQ(error.message,
               "the header \"X-Bad\" of the request for /a holds characters that HTTP does not "
               "allow");
  EXPECT_TRUE(server.seen().empty());
}

TEST_F(http_service_of_a_run, without_a_server_under_test_takes_whole_urls_only) {
  settings = {};
  EXPECT_EQ(send("GET", "/a"), IFB_E_UNSUPPORTED);
  EXPECT_STREQ(error.message, "there is no server under test to be asked for /a; give a whole URL");
  EXPECT_EQ(send("GET", server.url() + "/a"), IFB_OK) << error.message;
}

TEST_F(http_service_of_a_run, reports_that_the_arena_is_too_small) {
  answers.body = std::string(1000, 'x');
  ifb_http_request wanted{};
  wanted.struct_size = sizeof wanted;
  wanted.method = plugin::str("GET");
  wanted.target = plugin::str("/a");
  answer.struct_size = sizeof answer;
  base::arena small(500);
  target servers(settings, clock);
  plugin::services shared;
  shared.http_state = &servers;
  const plugin::host mine(shared, "reporter x");
  EXPECT_EQ(http_service().request(mine.table(), &wanted, 0, &small, &answer, &error),
            IFB_E_MEMORY);
}

TEST_F(http_service_of_a_run, lends_an_arena) {
  ifb_arena* const lent = http_service().arena(nullptr);
  ASSERT_NE(lent, nullptr);
  EXPECT_NE(lent->alloc(10), nullptr);
  http_service().release(nullptr, lent);
}

/// Serves one connection over TLS.
std::thread serve_over_tls(const transport::test::loopback& listener,
                           const transport::test::identity& who) {
  return std::thread([&listener, shared = transport::test::tls_server(who)] {
    const base::fd peer = listener.accept();
    transport::test::tls_side side(shared);
    while (!side.heard.ends_with("\r\n\r\n")) {
      const std::string more = transport::test::read_some(peer, 1);
      if (more.empty()) return;  // the client does not trust the certificate
      transport::test::write_all(peer, side.take(more));
    }
    transport::test::write_all(peer, side.say("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"));
  });
}

TEST_F(http_service_of_a_run, has_the_tls_settings_of_the_user_for_every_server) {
  const support::temporary_folder folder;
  const transport::test::identity authority = transport::test::make_identity({.authority = true});
  const transport::test::identity good = transport::test::make_identity({}, &authority);
  const std::string ca = folder.write("ca.pem", transport::test::certificate_pem(authority));
  for (const bool trusted : {false, true}) {
    settings.ca_cert = trusted ? ca : "";
    const transport::test::loopback listener;
    std::thread serving = serve_over_tls(listener, good);
    const std::string url = "https" + listener.url().substr(4) + "/token";
    EXPECT_EQ(send("GET", url), trusted ? IFB_OK : IFB_E_IO) << error.message;
    serving.join();
    if (trusted)
      EXPECT_EQ(plugin::view(answer.body), "hello");
    else
      EXPECT_THAT(error.message, StartsWith("no connection to " + url + ": the certificate of "));
  }
}

}  // namespace
}  // namespace inferbench::services
