// Owns a file descriptor.
#pragma once

#include <utility>

#include <unistd.h>

namespace inferbench::base {

class fd {
 public:
  fd() = default;
  explicit fd(int value) noexcept : value_(value) {}
  fd(fd&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  fd& operator=(fd&& other) noexcept {
    if (this != &other) {
      reset();
      value_ = std::exchange(other.value_, -1);
    }
    return *this;
  }
  fd(const fd&) = delete;
  fd& operator=(const fd&) = delete;
  ~fd() { reset(); }

  [[nodiscard]] int get() const noexcept { return value_; }
  [[nodiscard]] explicit operator bool() const noexcept { return value_ >= 0; }

  void reset() noexcept {
    if (value_ >= 0) ::close(std::exchange(value_, -1));
  }

 private:
  int value_ = -1;
};

}  // namespace inferbench::base
