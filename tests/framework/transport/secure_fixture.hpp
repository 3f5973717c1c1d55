// A connection to a TLS server whose side the test plays.
#pragma once

#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <netinet/tcp.h>

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

  [[nodiscard]] std::shared_ptr<const tls_context> trusting(tls_options options) const {
    options.ca_cert = folder.write("ca.pem", certificate_pem(authority));
    return std::make_shared<const tls_context>(options);
  }

  [[nodiscard]] std::string name() const { return where.where.authority(); }

  void begin() {
    link->connect(where, 0, timer_queue::never);
    peer = server.accept();
    // Otherwise a small write would wait for the acknowledgement of the previous write.
    const int on = 1;
    ::setsockopt(peer.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    side = std::make_unique<tls_side>(shared);
  }

  // Plays the server until `done` returns true. The server's bytes are sent in pieces of `cut`
  // bytes.
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

  // Connects. The server has sent its session tickets, but the client may not have read them.
  void connect() {
    begin();
    play_until([&] { return ear.has("connected") && side->done(); });
  }

  void say(std::string_view plain) { write_all(peer, side->say(plain)); }

  support::temporary_folder folder;
  identity authority = make_identity({.authority = true});
  identity good = make_identity({}, &authority);
  tls_server shared{good};
  base::monotonic_clock clock;
  event_loop loop{clock};
  loopback server;
  endpoint where{parse_url("https://localhost" + server.url().substr(16)), {server.where()}};
  heard ear;
  std::unique_ptr<connection> link = std::make_unique<connection>(loop);
  base::fd peer;
  std::unique_ptr<tls_side> side;
  std::string to_client;
};

inline ifb_bytes bytes(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace inferbench::transport::test
