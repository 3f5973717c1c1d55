// A listener that records its calls.
#pragma once

#include <functional>
#include <string>

#include "transport/connection.hpp"

namespace inferbench::transport::test {

struct heard final : connection_listener {
  void on_connected(connection&, std::uint64_t stamp) override { note("connected", stamp); }
  void on_bytes(connection&, std::string_view data, std::uint64_t stamp) override {
    bytes += data;
    note("bytes", stamp);
  }
  void on_eof(connection&, std::uint64_t stamp) override { note("eof", stamp); }
  void on_failure(connection&, const connection_failure& why, std::uint64_t stamp) override {
    failure = why;
    note("failure", stamp);
  }

  [[nodiscard]] bool has(std::string_view what) const {
    return log.find(what) != std::string::npos;
  }

  /// The calls in order, for instance "connected bytes eof ". Consecutive calls of on_bytes() are
  /// one word.
  std::string log;
  std::string bytes;
  connection_failure failure;
  std::uint64_t last_stamp = 0;
  std::function<void(std::string_view)> then;  // called at the end of each call

 private:
  void note(std::string_view what, std::uint64_t stamp) {
    if (!(what == "bytes" && log.ends_with("bytes "))) log.append(what).append(" ");
    last_stamp = stamp;
    if (then) {
      const auto call = then;
      call(what);
    }
  }
};

}  // namespace inferbench::transport::test
