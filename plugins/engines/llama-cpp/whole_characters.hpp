// The text of tokens in whole characters.
#pragma once

#include <string>
#include <string_view>

namespace llama_cpp {

/// A token may end within a character: its bytes wait here for the bytes of the next token. Invalid
/// sequences become U+FFFD. Used by one thread at a time.
class whole_characters {
 public:
  /// Appends the characters that are complete to `out`. `last`: nothing follows, so an incomplete
  /// character becomes U+FFFD.
  void take(std::string_view bytes, bool last, std::string& out);

 private:
  std::string waiting_;  // at most three bytes, between calls
};

}  // namespace llama_cpp
