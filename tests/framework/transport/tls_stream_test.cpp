#include "transport/tls_stream.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "framework/transport/tls_side.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::transport {
namespace {

using test::make_identity;

class tls_stream_test : public ::testing::Test {
 protected:
  tls_context trusting(tls_options options = {}) const {
    options.ca_cert = folder.write("ca.pem", test::certificate_pem(authority));
    return tls_context(options);
  }

  // Gives `bytes` to the client in pieces of `cut`; returns the last step other than `more`.
  static tls_step feed(tls_stream& client, std::string_view bytes, std::size_t cut,
                       const std::function<tls_step()>& step) {
    tls_step last = tls_step::more;
    while (!bytes.empty() && last != tls_step::failed) {
      client.feed(bytes.substr(0, cut));
      bytes.remove_prefix(std::min(cut, bytes.size()));
      last = step();
    }
    return last;
  }

  // Exchanges bytes between both sides until the client is done or no side sends anything.
  static tls_step shake(tls_stream& client, test::tls_side& server, std::size_t cut = SIZE_MAX) {
    tls_step last = client.handshake();
    for (int i = 0; i < 10 && last == tls_step::more; ++i) {
      const std::string out(client.unsent());
      client.sent(out.size());
      std::string back;
      for (std::size_t at = 0; at < out.size(); at += std::min(cut, out.size()))
        back += server.take(std::string_view(out).substr(at, cut));
      last = feed(client, back, cut, [&] { return client.handshake(); });
    }
    // These bytes include the alert of a client that rejects the server.
    const std::string out(client.unsent());
    client.sent(out.size());
    rest = server.take(out);
    return last;
  }

  static std::string read(tls_stream& client, std::string_view bytes, std::size_t cut = SIZE_MAX) {
    std::string all;
    last_step = feed(client, bytes, cut, [&] {
      for (;;) {
        std::array<char, 1000> room{};
        std::size_t got = 0;
        const tls_step step = client.read(room, got);
        all.append(room.data(), got);
        if (step != tls_step::ok) return step;
      }
    });
    return all;
  }

  static inline std::string rest;  // the last bytes from the server
  static inline tls_step last_step = tls_step::ok;

  support::temporary_folder folder;
  test::identity authority = make_identity({.authority = true});
  test::identity good = make_identity({}, &authority);
  tls_sessions sessions;
};

TEST_F(tls_stream_test, carries_bytes_both_ways) {
  const tls_context context = trusting();
  test::tls_side server{test::tls_server(good)};
  tls_stream client(context, "localhost", nullptr);
  ASSERT_EQ(shake(client, server), tls_step::ok);
  EXPECT_EQ(server.server_name(), "localhost");
  EXPECT_FALSE(server.resumed());
  ASSERT_TRUE(client.write("GET / and more"));
  const std::string out(client.unsent());
  EXPECT_EQ(out.find("GET"), std::string::npos);
  client.sent(3);
  client.sent(out.size() - 3);
  EXPECT_TRUE(client.unsent().empty());
  std::ignore = server.take(out);
  EXPECT_EQ(server.heard, "GET / and more");
  rest += server.say("an ");
  rest += server.say("answer");
  EXPECT_EQ(read(client, rest), "an answer");
  EXPECT_EQ(last_step, tls_step::more);
}

TEST_F(tls_stream_test, does_not_mind_how_bytes_are_cut) {
  const tls_context context = trusting();
  test::tls_side server{test::tls_server(good)};
  tls_stream client(context, "localhost", nullptr);
  ASSERT_EQ(shake(client, server, 1), tls_step::ok);
  const std::string large(50000, 'x');
  EXPECT_EQ(read(client, rest + server.say(large), 1), large);
}

TEST_F(tls_stream_test, one_record_contains_as_much_as_fits) {
  const tls_context context = trusting();
  test::tls_side server{test::tls_server(good)};
  tls_stream client(context, "localhost", nullptr);
  ASSERT_EQ(shake(client, server), tls_step::ok);
  ASSERT_TRUE(client.write(std::string(tls_stream::max_record, 'x')));
  std::ignore = server.take(client.unsent());
  EXPECT_EQ(server.records, 1);
  EXPECT_EQ(server.heard.size(), tls_stream::max_record);
}

TEST_F(tls_stream_test, speaks_http_1_1_and_no_tls_before_1_2) {
  const tls_context context = trusting();
  test::tls_server wanting(good);
  ::SSL_CTX_set_alpn_select_cb(
      wanting.get(),
      [](SSL*, const unsigned char** out, unsigned char* size, const unsigned char* in,
         unsigned in_size, void*) {
        static const std::string wanted = "\x08http/1.1";
        EXPECT_EQ(std::string(reinterpret_cast<const char*>(in), in_size), wanted);
        *out = in + 1;
        *size = in[0];
        return SSL_TLSEXT_ERR_OK;
      },
      nullptr);
  test::tls_side server(wanting);
  tls_stream client(context, "localhost", nullptr);
  EXPECT_EQ(shake(client, server), tls_step::ok);

  test::tls_server old(good);
  ::SSL_CTX_set_min_proto_version(old.get(), TLS1_VERSION);
  ::SSL_CTX_set_max_proto_version(old.get(), TLS1_1_VERSION);
  test::tls_side old_server(old);
  tls_stream refused(context, "localhost", nullptr);
  EXPECT_EQ(shake(refused, old_server), tls_step::failed);
  EXPECT_EQ(refused.trouble("localhost:1").text,
            "no TLS connection to localhost:1: the server says: protocol version");
}

TEST_F(tls_stream_test, a_server_with_only_http_2_is_reported_as_such) {
  const tls_context context = trusting();
  test::tls_server modern(good);
  ::SSL_CTX_set_alpn_select_cb(
      modern.get(),
      [](SSL*, const unsigned char**, unsigned char*, const unsigned char*, unsigned, void*) {
        return SSL_TLSEXT_ERR_ALERT_FATAL;
      },
      nullptr);
  test::tls_side server(modern);
  tls_stream client(context, "localhost", nullptr);
  EXPECT_EQ(shake(client, server), tls_step::failed);
  const tls_trouble why = client.trouble("localhost:1");
  EXPECT_EQ(why.text,
            "no TLS connection to localhost:1: it does not accept HTTP/1.1, probably only HTTP/2");
  EXPECT_EQ(why.remedy,
            "enable HTTP/1.1 on the server, or put a proxy in front of it and name the proxy with "
            "--base-url");
}

TEST_F(tls_stream_test, a_name_may_match_a_whole_label_and_end_in_a_dot) {
  const tls_context context = trusting();
  const auto shake_as = [&](const char* names, const char* host) {
    const auto identity = make_identity({.names = names}, &authority);
    test::tls_side server{test::tls_server(identity)};
    tls_stream client(context, host, nullptr);
    return shake(client, server) == tls_step::ok;
  };
  EXPECT_TRUE(shake_as("DNS:a.example", "A.Example."));
  EXPECT_TRUE(shake_as("DNS:*.b.example", "a.b.example"));
  EXPECT_FALSE(shake_as("DNS:*.b.example", "a.a.b.example"));
  EXPECT_FALSE(shake_as("DNS:a*.b.example", "ab.b.example"));
}

TEST_F(tls_stream_test, an_address_needs_a_certificate_for_it_and_gives_no_server_name) {
  const tls_context context = trusting();
  for (const char* host : {"127.0.0.1", "::1", "::1%lo"}) {
    test::tls_side server{test::tls_server(good)};
    tls_stream client(context, host, nullptr);
    EXPECT_EQ(shake(client, server), tls_step::ok) << host;
    EXPECT_EQ(server.server_name(), "");
  }
  test::tls_side server{test::tls_server(good)};
  tls_stream client(context, "127.0.0.2", nullptr);
  EXPECT_EQ(shake(client, server), tls_step::failed);
  EXPECT_EQ(client.trouble("127.0.0.2:443").text,
            "the certificate of 127.0.0.2:443 is not trusted: IP address mismatch, it is for "
            "localhost");
}

struct bad_certificate {
  const char* what;
  test::certificate_wish wish;
  bool signed_by_authority;
  const char* text;
  const char* remedy;
};

TEST_F(tls_stream_test, reports_why_a_certificate_is_not_trusted_with_a_remedy) {
  const std::string begin = "the certificate of localhost:8443 is not trusted: ";
  const bad_certificate cases[] = {
      {"expired",
       {.from_s = -7200, .to_s = -3600},
       true,
       "certificate has expired",
       "renew it or set the clock, or accept any with --insecure"},
      {"not yet valid",
       {.from_s = 3600, .to_s = 7200},
       true,
       "certificate is not yet valid",
       "renew it or set the clock, or accept any with --insecure"},
      {"wrong host",
       {.names = "DNS:a.example,IP:10.0.0.1,DNS:*.b.example"},
       true,
       "hostname mismatch, it is for a.example, *.b.example",
       "use a name that the certificate is for, or accept any with --insecure"},
      {"self-signed",
       {},
       false,
       "self-signed certificate",
       "name its authority with --ca-cert, or accept any with --insecure"},
  };
  const tls_context context = trusting();
  const tls_context insecure({.insecure = true});
  for (const auto& one : cases) {
    const auto identity = make_identity(one.wish, one.signed_by_authority ? &authority : nullptr);
    test::tls_side server{test::tls_server(identity)};
    tls_stream client(context, "localhost", nullptr);
    EXPECT_EQ(shake(client, server), tls_step::failed) << one.what;
    EXPECT_TRUE(client.failed());
    EXPECT_EQ(client.trouble("localhost:8443").text, begin + one.text);
    EXPECT_EQ(client.trouble("localhost:8443").remedy, one.remedy);
    EXPECT_FALSE(client.write("x")) << "nothing is sent to a server that is not trusted";

    test::tls_side again{test::tls_server(identity)};
    tls_stream careless(insecure, "localhost", nullptr);
    EXPECT_EQ(shake(careless, again), tls_step::ok) << one.what;
  }
}

TEST_F(tls_stream_test, an_authority_that_was_not_named_is_not_trusted) {
  const auto other = make_identity({.authority = true});
  const tls_context context = trusting();
  test::tls_side server{test::tls_server(make_identity({}, &other))};
  tls_stream client(context, "localhost", nullptr);
  EXPECT_EQ(shake(client, server), tls_step::failed);
  EXPECT_EQ(client.trouble("localhost:8443").text,
            "the certificate of localhost:8443 is not trusted: unable to get local issuer "
            "certificate");
}

TEST_F(tls_stream_test, shows_its_certificate_to_a_server_that_wants_one) {
  const std::string both =
      folder.write("both.pem", test::certificate_pem(good) + test::key_pem(good));
  const tls_context context = trusting({.client_cert = both});
  test::tls_side server{test::tls_server(good, &authority)};
  tls_stream client(context, "localhost", nullptr);
  EXPECT_EQ(shake(client, server), tls_step::ok);
  EXPECT_TRUE(server.done());
}

TEST_F(tls_stream_test, without_a_certificate_that_is_wanted_the_server_ends_it) {
  const tls_context context = trusting();
  test::tls_side server{test::tls_server(good, &authority)};
  tls_stream client(context, "localhost", nullptr);
  // In TLS 1.3 the server reports this only after the client has finished its handshake.
  ASSERT_EQ(shake(client, server), tls_step::ok);
  EXPECT_EQ(read(client, rest), "");
  EXPECT_EQ(last_step, tls_step::failed);
  EXPECT_EQ(client.trouble("localhost:1").text,
            "the TLS connection broke: the server wants a client certificate");
  EXPECT_EQ(client.trouble("localhost:1").remedy, "give one with --client-cert");
}

TEST_F(tls_stream_test, distinguishes_plain_http_and_other_bytes_from_tls) {
  const tls_context context = trusting();
  for (const std::size_t cut : {std::size_t{1}, SIZE_MAX}) {
    tls_stream client(context, "localhost", nullptr);
    EXPECT_EQ(client.handshake(), tls_step::more);
    EXPECT_EQ(
        feed(client, "HTTP/1.1 400 Bad Request\r\n\r\n", cut, [&] { return client.handshake(); }),
        tls_step::failed);
    EXPECT_EQ(client.trouble("localhost:8000").text,
              "no TLS connection to localhost:8000: it answers in plain http");
    EXPECT_EQ(client.trouble("localhost:8000").remedy, "write http:// instead of https://");
  }
  tls_stream client(context, "localhost", nullptr);
  EXPECT_EQ(client.handshake(), tls_step::more);
  client.feed("SSH-2.0-OpenSSH_9.2\r\n");
  EXPECT_EQ(client.handshake(), tls_step::failed);
  EXPECT_EQ(client.trouble("localhost:22").text,
            "no TLS connection to localhost:22: it does not speak TLS");
}

TEST_F(tls_stream_test, damaged_bytes_end_the_stream) {
  const tls_context context = trusting();
  test::tls_side server{test::tls_server(good)};
  tls_stream client(context, "localhost", nullptr);
  ASSERT_EQ(shake(client, server), tls_step::ok);
  std::string bytes = rest + server.say("secret");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  EXPECT_EQ(read(client, bytes), "");
  EXPECT_EQ(last_step, tls_step::failed);
  EXPECT_EQ(client.trouble("a").text,
            "the TLS connection broke: decryption failed or bad record mac");
}

TEST_F(tls_stream_test, no_damaged_byte_of_the_handshake_goes_unnoticed) {
  const tls_context context = trusting();
  std::size_t length = 0;
  for (std::size_t at = 0; at == 0 || at < length; at += 13) {
    test::tls_side server{test::tls_server(good)};
    tls_stream client(context, "localhost", nullptr);
    ASSERT_EQ(client.handshake(), tls_step::more);
    std::string flight = server.take(client.unsent());
    // The server's signature, and so the length, differs between connections by a few bytes.
    length = flight.size();
    if (at >= length) break;
    flight[at] = static_cast<char>(flight[at] ^ 0x20);
    client.feed(flight);
    // A corrupted length may be larger, so that the client waits for more bytes.
    EXPECT_NE(client.handshake(), tls_step::ok) << at;
    if (!client.failed()) continue;
    EXPECT_TRUE(client.trouble("a").text.starts_with("no TLS connection to a: ")) << at;
  }
}

TEST_F(tls_stream_test, notices_the_end_and_sends_its_own) {
  const tls_context context = trusting();
  test::tls_side server{test::tls_server(good)};
  tls_stream client(context, "localhost", nullptr);
  ASSERT_EQ(shake(client, server), tls_step::ok);
  rest += server.say("last");
  rest += server.goodbye();
  EXPECT_EQ(read(client, rest), "last");
  EXPECT_EQ(last_step, tls_step::closed);
  client.finish();
  std::ignore = server.take(client.unsent());
  EXPECT_TRUE(server.closed());
}

TEST_F(tls_stream_test, answers_a_change_of_keys_by_itself) {
  const tls_context context = trusting();
  test::tls_side server{test::tls_server(good)};
  tls_stream client(context, "localhost", nullptr);
  ASSERT_EQ(shake(client, server), tls_step::ok);
  rest += server.change_keys();
  rest += server.say("on");
  EXPECT_EQ(read(client, rest), "on");
  ASSERT_TRUE(client.write("still here"));
  std::ignore = server.take(client.unsent());
  EXPECT_EQ(server.heard, "still here");
}

TEST_F(tls_stream_test, goes_on_with_the_session_of_an_earlier_connection) {
  const tls_context context = trusting();
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    tls_sessions of_this_server;
    test::tls_server shared(good);
    ::SSL_CTX_set_max_proto_version(shared.get(), version);
    for (int i = 0; i < 4; ++i) {
      test::tls_side server(shared);
      tls_stream client(context, "localhost", &of_this_server);
      ASSERT_EQ(shake(client, server), tls_step::ok);
      EXPECT_EQ(read(client, rest + server.say("x")), "x");
      EXPECT_EQ(server.resumed(), i > 0) << i;
      client.finish();
    }
  }
}

}  // namespace
}  // namespace inferbench::transport
