#include "transport/listening.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/transport/local_listener.hpp"
#include "framework/transport/loopback.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::transport {
namespace {

std::string taken_refusal(const endpoint& where) {
  try {
    require_free(where);
  } catch (const base::error& e) {
    return e.what();
  }
  return "free";
}

TEST(listening, is_seen_at_an_address_until_the_listener_is_gone) {
  endpoint where;
  {
    const test::loopback server;
    where = resolve(parse_url(server.url()));
    EXPECT_TRUE(accepts(where));
    const std::string port = std::to_string(where.where.port);
    EXPECT_EQ(taken_refusal(where), "another process listens at " + server.url() +
                                        " already; end it (`ss -ltnp sport = :" + port +
                                        "` shows it), or give the server another --port");
  }
  EXPECT_FALSE(accepts(where));
  EXPECT_EQ(taken_refusal(where), "free");
}

TEST(listening, is_seen_at_a_unix_socket) {
  // Not below TMPDIR, which may be long or contain blanks: a URL contains none.
  const support::temporary_folder folder{"/tmp"};
  const std::string path = folder.path("socket");
  const endpoint where = resolve(parse_url("unix:" + path));
  EXPECT_FALSE(accepts(where));
  {
    const test::local_listener server(unix_address(path), 0);
    // The server accepts no connection, so its queue is full after the first looks.
    for (int i = 0; i < 5; ++i)
      EXPECT_TRUE(accepts(where));
    EXPECT_EQ(taken_refusal(where),
              "another process listens at unix:" + path +
                  " already; end it (`ss -lxp` shows it), or give the server another socket");
  }
  EXPECT_FALSE(accepts(where));  // the file of the socket is left behind
}

TEST(listening, is_seen_if_one_of_several_addresses_accepts) {
  const test::loopback server;
  endpoint where = resolve(parse_url(server.url()));
  endpoint other;
  {
    const test::loopback closed;
    other = resolve(parse_url(closed.url()));
  }
  where.addresses.insert(where.addresses.begin(), other.addresses.front());
  EXPECT_TRUE(accepts(where));
}

}  // namespace
}  // namespace inferbench::transport
