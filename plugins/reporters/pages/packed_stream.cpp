#include "packed_stream.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <zlib.h>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

namespace reporters {
namespace {

// a multiple of three, so that each piece is whole base64
constexpr std::size_t piece = std::size_t{48} << 10U;

}  // namespace

struct packed_stream::state {
  z_stream zlib{};
};

packed_stream::packed_stream(sink out) : out_(std::move(out)), state_(std::make_unique<state>()) {
  if (::deflateInit(&state_->zlib, Z_BEST_COMPRESSION) != Z_OK)
    throw ifb::failure{IFB_E_MEMORY, "there is no memory to compress the page's data"};
}

packed_stream::~packed_stream() { ::deflateEnd(&state_->zlib); }

void packed_stream::write(std::string_view bytes) {
  constexpr std::size_t most = std::numeric_limits<uInt>::max();
  for (; bytes.size() > most; bytes.remove_prefix(most))
    deflate(bytes.substr(0, most), false);
  deflate(bytes, false);
}

void packed_stream::finish() {
  deflate({}, true);
  out_(ifb::base64(packed_));
  packed_.clear();
}

void packed_stream::deflate(std::string_view bytes, bool last) {
  z_stream& zlib = state_->zlib;
  // zlib does not change its input, but the type of next_in has no const.
  zlib.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  zlib.avail_in = static_cast<uInt>(bytes.size());
  for (bool more = true; more;) {
    const std::size_t before = packed_.size();
    packed_.resize(before + piece);
    zlib.next_out = reinterpret_cast<Bytef*>(packed_.data() + before);
    zlib.avail_out = static_cast<uInt>(piece);
    // With room for the output, deflate() can only fail if it is called in a wrong order.
    (void)::deflate(&zlib, last ? Z_FINISH : Z_NO_FLUSH);
    more = zlib.avail_out == 0;
    packed_.resize(before + piece - zlib.avail_out);
    if (packed_.size() < piece) continue;
    const std::size_t whole = packed_.size() / 3 * 3;
    out_(ifb::base64(std::string_view(packed_).substr(0, whole)));
    packed_.erase(0, whole);
  }
}

}  // namespace reporters
