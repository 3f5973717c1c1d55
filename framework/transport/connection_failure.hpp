// The reason why a connection could not be established, or why it broke, with texts for the user.
#pragma once

#include <cstdint>
#include <string>

namespace inferbench::transport {

struct connection_failure {
  enum class phase : std::uint8_t {
    connect,          // no address accepted the connection
    connect_timeout,  // the connection was not usable in time, for any reason
    proxy,            // the proxy accepted the connection, but did not open a tunnel
    tls,              // the handshake failed, or the certificate is not trusted
    send,
    receive
  };
  phase when = phase::connect;
  int code = 0;          // errno; 0 if there is none
  std::string text;      // "cannot connect to 127.0.0.1:8000: Connection refused"
  std::string remedy{};  // advice for the user; may be empty
};

/// The text of an errno of a socket: the system's text, or a longer text if the machine has too few
/// ports or descriptors.
[[nodiscard]] std::string socket_error_text(int code);

}  // namespace inferbench::transport
