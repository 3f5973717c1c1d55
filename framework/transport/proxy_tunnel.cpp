#include "transport/proxy_tunnel.hpp"

#include <string>

namespace inferbench::transport {

// Like an answer to HEAD: bytes after the head come from the server, not from the proxy.
proxy_tunnel::proxy_tunnel() { answer_.begin(true); }

tunnel_step proxy_tunnel::feed(std::string_view& received) {
  for (;;) {
    switch (answer_.next(received).kind) {
      case http1_piece::more: return tunnel_step::more;
      case http1_piece::body: break;
      case http1_piece::failed: reason_ = answer_.error(); return tunnel_step::refused;
      case http1_piece::end: return tunnel_step::open;
      case http1_piece::head:
        if (answer_.status() / 100 == 2) break;
        reason_ = "HTTP " + std::to_string(answer_.status());
        if (!answer_.reason().empty()) reason_.append(" ").append(answer_.reason());
        if (answer_.status() == 407)
          remedy_ = "give its URL a user and a password: http://USER:PASSWORD@HOST:PORT";
        return tunnel_step::refused;
    }
  }
}

}  // namespace inferbench::transport
