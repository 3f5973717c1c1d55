#include "transport/decompressor.hpp"

#include <array>
#include <new>
#include <utility>

#include <zlib.h>

#include "base/text.hpp"

namespace inferbench::transport {

namespace {

// Values of windowBits for inflateInit2: a window of 32 KiB, and the format around the data.
constexpr int gzip_wrapping = MAX_WBITS + 16;
constexpr int zlib_wrapping = MAX_WBITS;
constexpr int no_wrapping = -MAX_WBITS;

// "deflate" means the zlib format (RFC 9110, 8.4.1.2), but some servers send a bare deflate stream.
// In the zlib format, the first byte contains method 8 and a window of at most 32 KiB (RFC 1950,
// 2.2).
bool begins_zlib(char first) noexcept {
  const auto byte = static_cast<unsigned char>(first);
  return (byte & 0x0FU) == 8 && byte >> 4U <= 7;
}

}  // namespace

struct decompressor::state {
  z_stream stream{};
  std::array<char, 16384> decoded;
  bool gzip = false;
  bool open = false;   // inflateEnd() must be called
  bool begun = false;  // the format around the data is known
  bool ended = false;  // the latest member was decoded to its end
  bool failed = false;

  void end() noexcept {
    if (std::exchange(open, false)) inflateEnd(&stream);
  }
  void start(int wrapping) {
    stream = {};
    if (inflateInit2(&stream, wrapping) != Z_OK) throw std::bad_alloc();
    open = begun = true;
    ended = false;
  }
};

bool decompressor::knows(std::string_view coding) noexcept {
  return base::equal_no_case(coding, "gzip") || base::equal_no_case(coding, "x-gzip") ||
         base::equal_no_case(coding, "deflate");
}

decompressor::decompressor() = default;
decompressor::~decompressor() {
  if (state_) state_->end();
}

void decompressor::begin(std::string_view coding) {
  if (!state_) state_ = std::make_unique<state>();
  state_->end();
  state_->begun = state_->ended = state_->failed = false;
  state_->gzip = !base::equal_no_case(coding, "deflate");
  error_.clear();
  if (state_->gzip) state_->start(gzip_wrapping);
}

decompressor::outcome decompressor::next(std::string_view& input, std::string_view& out) {
  state& s = *state_;
  if (s.failed) return outcome::failed;
  for (;;) {
    if (!s.begun) {
      if (input.empty()) return outcome::more;
      s.start(begins_zlib(input.front()) ? zlib_wrapping : no_wrapping);
    }
    if (s.ended) {
      // A gzip body may have several members (RFC 1952, 2.2). Other bytes are padding.
      if (!s.gzip || input.empty() || input.front() != '\x1F') {
        input = {};
        return outcome::more;
      }
      inflateReset(&s.stream);
      s.ended = false;
    }
    s.stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
    s.stream.avail_in = static_cast<uInt>(input.size());
    s.stream.next_out = reinterpret_cast<Bytef*>(s.decoded.data());
    s.stream.avail_out = static_cast<uInt>(s.decoded.size());
    const int result = inflate(&s.stream, Z_SYNC_FLUSH);
    input.remove_prefix(input.size() - s.stream.avail_in);
    out = {s.decoded.data(), s.decoded.size() - s.stream.avail_out};
    s.ended = result == Z_STREAM_END;
    // Z_BUF_ERROR is not a failure: it means that no progress was possible.
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
      s.failed = true;
      error_ = std::string("the ") + (s.gzip ? "gzip" : "deflate") + " body is damaged" +
               (s.stream.msg == nullptr ? std::string() : std::string(": ") + s.stream.msg);
      return outcome::failed;
    }
    if (!out.empty()) return outcome::data;
    if (input.empty()) return outcome::more;
  }
}

bool decompressor::complete() const noexcept { return state_ && state_->ended && !state_->failed; }

}  // namespace inferbench::transport
