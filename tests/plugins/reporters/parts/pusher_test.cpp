#include "reporters/prometheus/pusher.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A host whose HTTP service answers every request with `status`.
struct pushed_host : ifb_host {
  std::uint32_t status = 200;
  std::vector<std::string> requests;  // method, target, headers and body
  std::vector<std::string> warnings;

  pushed_host() : ifb_host{} {
    struct_size = sizeof(ifb_host);
    ifb_host::version = "0";
    ifb_host::log = [](const ifb_host* self, std::uint32_t, ifb_str text) {
      of(self).warnings.emplace_back(ifb::view(text));
    };
    ifb_host::service = [](const ifb_host*, const char* id) -> const void* {
      return std::string_view(id) == IFB_SERVICE_HTTP ? &table : nullptr;
    };
  }

  static pushed_host& of(const ifb_host* self) {
    return *const_cast<pushed_host*>(static_cast<const pushed_host*>(self));
  }
  static ifb_status request(const ifb_host* self, const ifb_http_request* what, std::uint64_t,
                            ifb_arena*, ifb_http_answer* out, ifb_error* error) {
    std::string text =
        std::string(ifb::view(what->method)) + " " + std::string(ifb::view(what->target));
    for (std::size_t i = 0; i < what->header_count; ++i)
      text += " " + std::string(ifb::view(what->headers[i].name)) + "=" +
              std::string(ifb::view(what->headers[i].value));
    for (std::size_t i = 0; i < what->body_count; ++i)
      text += " " + std::string(ifb::view(what->body[i]));
    of(self).requests.push_back(text);
    if (of(self).status == 0) {
      ifb::fill(error, IFB_E_IO, "connection refused");
      return IFB_E_IO;
    }
    out->status = of(self).status;
    out->body = ifb::bytes("the answer");
    return IFB_OK;
  }
  static constexpr ifb_http_service table{
      sizeof(ifb_http_service), 0, &request,
      [](const ifb_host* self) {
        return reinterpret_cast<ifb_arena*>(const_cast<ifb_host*>(self));
      },
      [](const ifb_host*, ifb_arena*) {}};
};

TEST(pusher, metrics_replace_the_group_of_the_machine) {
  pushed_host host;
  reporters::pusher(ifb::host(&host), "http://gateway:9091/", "a/b c").push("x 1\n");
  EXPECT_THAT(host.requests,
              ElementsAre("PUT http://gateway:9091/metrics/job/inferbench/instance/a%2Fb%20c "
                          "Content-Type=text/plain; version=0.0.4 x 1\n"));
  EXPECT_THAT(host.warnings, IsEmpty());
}

TEST(pusher, user_and_password_become_a_header_and_appear_nowhere_else) {
  pushed_host host;
  host.status = 401;
  reporters::pusher to(ifb::host(&host), "https://me:pass%40word@gateway/p", "");
  to.push("x 1\n");
  EXPECT_EQ(to.address(), "https://gateway/p/metrics/job/inferbench");
  ASSERT_EQ(host.requests.size(), 1U);
  EXPECT_THAT(host.requests[0], HasSubstr("Authorization=Basic bWU6cGFzc0B3b3Jk"));
  ASSERT_EQ(host.warnings.size(), 1U);
  EXPECT_THAT(host.warnings[0], testing::Not(HasSubstr("word")));
  EXPECT_THAT(host.warnings[0], HasSubstr("HTTP 401: the answer"));
}

TEST(pusher, a_url_with_a_group_is_used_as_it_is) {
  pushed_host host;
  const reporters::pusher to(ifb::host(&host), "http://gateway/metrics/job/nightly/gpu/H100", "m");
  EXPECT_EQ(to.address(), "http://gateway/metrics/job/nightly/gpu/H100");
}

TEST(pusher, failures_are_one_warning_and_pushes_go_on) {
  pushed_host host;
  host.status = 0;
  reporters::pusher to(ifb::host(&host), "http://gateway:9091", "m");
  to.push("x 1\n");
  to.push("x 2\n");
  EXPECT_EQ(host.requests.size(), 2U);
  EXPECT_THAT(host.warnings, ElementsAre(HasSubstr("connection refused; the run continues")));
}

TEST(pusher, other_urls_are_refused) {
  pushed_host host;
  for (const char* url : {"", "gateway:9091", "file:///tmp/x", "http://gateway/?a", "http://g/#b"})
    EXPECT_THROW((void)reporters::pusher(ifb::host(&host), url, "m"), ifb::failure) << url;
}

}  // namespace
