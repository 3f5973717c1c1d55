// SHA-256 of data that arrive in pieces.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace hub {

/// May be used by only one thread at a time.
class sha256 {
 public:
  /// Throws std::bad_alloc.
  sha256();
  ~sha256();
  sha256(const sha256&) = delete;
  sha256& operator=(const sha256&) = delete;

  void update(std::string_view bytes);
  /// Returns the digest of all bytes so far, as 64 hexadecimal digits. May be called only once.
  [[nodiscard]] std::string finish();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace hub
