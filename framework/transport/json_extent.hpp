// Finds out whether a text that begins with a JSON object or array has reached the end of that
// value. Only counts brackets outside strings. Incremental; one thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace inferbench::transport {

class json_extent {
 public:
  void begin() noexcept { *this = json_extent{}; }

  /// Appends `bytes` to the text.
  void add(std::string_view bytes) noexcept;

  /// True if an object or array was opened and is not closed.
  [[nodiscard]] bool unfinished() const noexcept { return depth_ != 0; }

 private:
  std::size_t depth_ = 0;
  bool begun_ = false;  // a character other than white space was seen
  bool other_ = false;  // the text does not begin with an object or array, or its value is closed
  bool in_string_ = false;
  bool escaped_ = false;
};

}  // namespace inferbench::transport
