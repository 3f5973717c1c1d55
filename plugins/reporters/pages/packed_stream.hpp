// Bytes as the base64 text of a zlib stream (RFC 1950), which the browser's
// DecompressionStream("deflate") inflates. The text is passed on in pieces, so the memory is
// constant. For one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace reporters {

class packed_stream {
 public:
  using sink = std::function<void(std::string_view)>;
  /// Throws ifb::failure if zlib has no memory.
  explicit packed_stream(sink out);
  packed_stream(const packed_stream&) = delete;
  packed_stream& operator=(const packed_stream&) = delete;
  ~packed_stream();

  void write(std::string_view bytes);
  /// The last call: passes on the rest.
  void finish();

 private:
  struct state;
  void deflate(std::string_view bytes, bool last);

  sink out_;
  std::unique_ptr<state> state_;
  std::string packed_;  // not yet passed on
};

}  // namespace reporters
