#include "transport/json_extent.hpp"

namespace inferbench::transport {

void json_extent::add(std::string_view bytes) noexcept {
  if (other_) return;
  for (const char c : bytes) {
    if (in_string_) {
      if (escaped_)
        escaped_ = false;
      else if (c == '\\')
        escaped_ = true;
      else if (c == '"')
        in_string_ = false;
      continue;
    }
    switch (c) {
      case ' ':
      case '\t':
      case '\n':
      case '\r': continue;
      case '{':
      case '[': ++depth_; break;
      case '}':
      case ']':
        if (depth_ > 0) --depth_;
        // The value is closed, or there was no opening bracket: it cannot continue.
        if (depth_ == 0) other_ = true;
        break;
      case '"': in_string_ = begun_; break;
      default: break;
    }
    if (!begun_ && depth_ == 0) other_ = true;
    begun_ = true;
    if (other_) return;
  }
}

}  // namespace inferbench::transport
