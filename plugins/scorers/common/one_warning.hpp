// A warning that a scorer gives once in a run, however many answers cause it.
#pragma once

#include <algorithm>
#include <string>

#include <inferbench/host.hpp>

namespace scorers {

/// One thread at a time.
class one_warning {
 public:
  explicit one_warning(ifb::host host) noexcept : host_(host) {}

  /// Only the first call has an effect. Control characters of `text`, which may quote a data set,
  /// become spaces.
  void give(std::string text) {
    if (given_) return;
    given_ = true;
    std::ranges::replace_if(text, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
    host_.warn(text);
  }

 private:
  ifb::host host_;
  bool given_ = false;
};

}  // namespace scorers
