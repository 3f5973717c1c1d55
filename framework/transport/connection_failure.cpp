#include "transport/connection_failure.hpp"

#include <cerrno>
#include <system_error>

namespace inferbench::transport {

std::string socket_error_text(int code) {
  switch (code) {
    case EADDRNOTAVAIL:
      return "no local port is free (too many connections, open or just closed, to one address)";
    case EMFILE: return "too many open files (raise ulimit -n, or use more --workers)";
    default: return std::generic_category().message(code);
  }
}

}  // namespace inferbench::transport
