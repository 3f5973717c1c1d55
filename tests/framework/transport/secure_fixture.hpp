// A connection of the client to a TLS server on 127.0.0.1. The test plays the server, on the thread
// of the event loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/clock.hpp"
#include "framework/transport/heard.hpp"
#include "framework/transport/loopback.hpp"
#include "framework/transport/tls_side.hpp"
#include "support/temporary_folder.hpp"
#include "transport/connection.hpp"

namespace inferbench::transport::test {

class secure_fixture : public ::testing::Test {
 protected:
  secure_fixture() {
    where.tls = trusting({});
    link->set_listener(ear);
  }

  // Returns a context that trusts the certificates of `authority`, otherwise with `options`.
  [[nodiscard]] std::shared_ptr<const tls_context> trusting(tls_options options) const {
    options.ca_cert = folder.write("ca.pem", certificate_pem(authority));
    return std::make_shared<const tls_context>(options);
  }

  // The server in messages: "localhost:PORT".
  [[nodiscard]] std::string name() const { return where.where.authority(); }

  // Begins to connect, and accepts the TCP connection. The handshake needs play_until().
  void begin() {
    link->connect(where, 0, timer_queue::never);
    peer = server.accept();
    // With Nagle's algorithm, a small write would wait for the acknowledgement of the previous
    // write.
    const int on = 1;
    ::setsockopt(peer.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    side = std::make_unique<tls_side>(shared);
  }

  // Plays the server until `done` returns true. In each turn of the event loop, the server receives
  // the client's bytes and sends at most `cut` of its own bytes.
  template <typename predicate>
  void play_until(predicate&& done, std::size_t cut = SIZE_MAX) {
    run_until(
        loop,
        [&] {
          to_client += side->take(read_now(peer));
          write_all(peer, std::string_view(to_client).substr(0, cut));
          to_client.erase(0, cut);
          return done();
        },
        false);
  }

  // Connects and completes the handshake. At the end the server has sent its session tickets, but
  // the client may not have read them.
  void connect() {
    begin();
    play_until([&] { return ear.has("connected") && side->done(); });
  }

  // Sends `plain` as the server, encrypted.
  void say(std::string_view plain) { write_all(peer, side->say(plain)); }

  support::temporary_folder folder;
  identity authority = make_identity({.authority = true});
  identity good = make_identity({}, &authority);  // the server's certificate and key
  tls_server shared{good};
  base::monotonic_clock clock;
  event_loop loop{clock};
  loopback server;
  // The name is "localhost", as in the certificate. substr(16) is the rest after
  // "http://127.0.0.1", which is ":PORT".
  endpoint where{parse_url("https://localhost" + server.url().substr(16)), {server.where()}};
  heard ear;  // the listener of `link`
  std::unique_ptr<connection> link = std::make_unique<connection>(loop);
  base::fd peer;                   // the server's socket
  std::unique_ptr<tls_side> side;  // the server's TLS
  std::string to_client;           // the server's bytes that are not sent yet
};

inline ifb_bytes bytes(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace inferbench::transport::test
