#include "records/frames.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <unistd.h>

#include "base/error.hpp"
#include "records/wire.hpp"

namespace inferbench::records {

namespace {

// The file is read in pieces, so that a wrong length in a frame does not use more memory than the
// size of the file.
constexpr std::size_t piece_bytes = 1U << 16U;

// Limits the search for frames. It may examine this number of bytes for each byte of the file, plus
// the size of the longest frame. A damaged journal needs much less, because the first nine bytes
// almost always show that no frame begins at a place.
constexpr std::uint64_t looks_for_each_byte = 4;
constexpr std::uint64_t cost_of_a_field = 16;

constexpr std::size_t least_frame_bytes = frame_head_bytes + 1;

}  // namespace

frame_source::frame_source(base::fd file, std::filesystem::path path)
    : file_(std::move(file)), path_(std::move(path)) {}

std::string frame_source::take(std::size_t size) {
  static_cast<void>(have(size));
  std::string out(ahead(0, size));
  advance(out.size());
  return out;
}

std::string_view frame_source::next() {
  advance(std::exchange(given_, 0));
  while (have(1)) {
    const sight seen = look(0);
    if (seen.size != 0) {
      given_ = seen.size;
      return ahead(frame_head_bytes, seen.size - frame_head_bytes);
    }
    const std::uint64_t from = offset();
    search(seen);
    note(from, seen.trouble);
  }
  return {};
}

void frame_source::reject(std::string reason) {
  const std::uint64_t from = offset();
  advance(std::exchange(given_, 0));
  note(from, std::move(reason));
}

void frame_source::drop_rest(std::string reason) {
  const std::uint64_t from = offset();
  given_ = 0;
  advance_to_end();
  note(from, std::move(reason));
}

/// Called if the frame at at_ is bad: moves to the next good frame or to the end of the file.
void frame_source::search(const sight& bad) {
  const std::size_t length = have(sizeof(std::uint32_t)) ? get_u32(window_.data() + at_) : 0;
  const bool possible = length > 0 && length <= most_frame_bytes;
  const std::size_t end = possible ? frame_head_bytes + length : 0;
  if (possible && !bad.cut_off && (!have(end + 1) || look(end).size != 0)) return advance(end);
  const walk fields = walk_fields(end);
  if (fields.behind != 0) return advance(fields.behind);
  if (fields.past_the_file && bad.cut_off) return advance_to_end();
  advance(std::max<std::size_t>(fields.reached, 1));
  for (; have(least_frame_bytes); advance(1)) {
    gave_up_ = searched_enough();
    if (gave_up_) break;
    if (may_begin(0) && look(0).size != 0) return;
  }
  advance_to_end();
}

/// Steps through the fields of the message in the frame at at_, by the lengths of the fields, until
/// a good frame follows a field. `end`: the end of the frame by its own length; 0 if this length is
/// impossible.
frame_source::walk frame_source::walk_fields(std::size_t end) {
  walk out;
  enum : std::uint32_t { number = 0, eight_bytes = 1, bytes = 2, four_bytes = 5 };
  std::size_t at = least_frame_bytes;
  while (at <= frame_head_bytes + most_frame_bytes && !searched_enough()) {
    in_vain_ += cost_of_a_field;
    out.past_the_file = !have(at + 1);
    const auto tag = varint(at);
    if (!tag || *tag >> 3U == 0) return out;
    std::optional<std::uint64_t> size;
    switch (*tag & 7U) {
      case number:
        if (varint(at)) size = 0;
        break;
      case eight_bytes: size = 8; break;
      case bytes: size = varint(at); break;
      case four_bytes: size = 4; break;
      default: break;
    }
    out.past_the_file = !have(at + 1);
    if (!size || *size > most_frame_bytes) return out;
    at += static_cast<std::size_t>(*size);
    out.past_the_file = !have(at);
    if (out.past_the_file) return out;
    if (at <= end) out.reached = at;
    if (may_begin(at) && look(at).size != 0) {
      out.behind = at;
      return out;
    }
  }
  return out;
}

/// Whether a frame may begin at `from`. A cheap check that excludes almost all other places.
bool frame_source::may_begin(std::size_t from) {
  if (!have(from + least_frame_bytes)) return false;
  const std::string_view head = ahead(from, least_frame_bytes);
  const std::uint32_t length = get_u32(head.data());
  const auto kind = static_cast<unsigned char>(head[frame_head_bytes]);
  return length > 0 && length <= most_frame_bytes &&
         kind >= static_cast<unsigned char>(frame_kind::run) &&
         kind <= static_cast<unsigned char>(frame_kind::observation);
}

frame_source::sight frame_source::look(std::size_t from) {
  constexpr sight cut{.size = 0, .trouble = "a frame is cut off", .cut_off = true};
  if (!have(from + frame_head_bytes)) return cut;
  const std::string_view head = ahead(from, frame_head_bytes);
  const std::uint32_t length = get_u32(head.data());
  const std::uint32_t checksum = get_u32(head.data() + 4);
  if (length == 0 || length > most_frame_bytes)
    return {.trouble = "a frame has an impossible length"};
  const std::size_t size = frame_head_bytes + length;
  if (!have(from + size)) return cut;
  if (frame_checksum(ahead(from + frame_head_bytes, length)) == checksum) return {.size = size};
  in_vain_ += size;
  return {.trouble = "a frame has a wrong checksum"};
}

/// Reads a varint of the wire format at `at`; nullopt if there is no valid varint.
std::optional<std::uint64_t> frame_source::varint(std::size_t& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && have(at + 1); shift += 7) {
    const auto byte = static_cast<unsigned char>(window_[at_ + at]);
    ++at;
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

/// Whether the file has `size` more bytes from at_ on. If it has, they are in the window
/// afterwards.
bool frame_source::have(std::size_t size) {
  while (window_.size() - at_ < size && !file_over_) {
    const std::size_t before = window_.size();
    window_.resize(before + piece_bytes);
    ssize_t got = 0;
    do {
      got = ::read(file_.get(), window_.data() + before, piece_bytes);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
      throw base::error("cannot read the journal " + path_.string() + ": " + std::strerror(errno));
    window_.resize(before + static_cast<std::size_t>(got));
    file_over_ = got == 0;
  }
  return window_.size() - at_ >= size;
}

/// `size` bytes of the window, starting `from` bytes after at_.
std::string_view frame_source::ahead(std::size_t from, std::size_t size) const {
  return std::string_view(window_).substr(at_ + from, size);
}

void frame_source::advance(std::size_t size) {
  at_ += size;
  // The window is shortened rarely, so that each byte is moved about once.
  if (at_ < piece_bytes || at_ < window_.size() / 2) return;
  window_.erase(0, at_);
  begin_ += at_;
  at_ = 0;
}

/// Reads up to the end. The size of the file cannot be used, since the file may be a pipe.
void frame_source::advance_to_end() {
  while (have(1))
    advance(window_.size() - at_);
}

/// Records the bytes from `from` up to the current position as damage.
void frame_source::note(std::uint64_t from, std::string reason) {
  if (!damage_) damage_ = frame_damage{.offset = from, .reason = std::move(reason)};
  if (damage_->places == 0 || from != damaged_until_) ++damage_->places;
  damaged_until_ = offset();
  damage_->bytes_dropped += damaged_until_ - from;
  damage_->gave_up |= gave_up_;
}

bool frame_source::searched_enough() const noexcept {
  return in_vain_ > most_frame_bytes + looks_for_each_byte * (begin_ + window_.size());
}

}  // namespace inferbench::records
