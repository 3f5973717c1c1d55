#include "records/journal_reader.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.hpp"
#include "records/wire.hpp"

namespace inferbench::records {

namespace {

// A frame is read in pieces, so that a wrong length costs no more memory than the
// file is long.
constexpr std::size_t piece_bytes = 1U << 16U;

}  // namespace

std::string journal_damage::text(const std::filesystem::path& path) const {
  return path.string() + ": " + reason + " at byte " + std::to_string(offset) + "; " +
         std::to_string(records) + (records == 1 ? " record" : " records") + " read, " +
         std::to_string(bytes_dropped) + (bytes_dropped == 1 ? " byte" : " bytes") + " dropped";
}

journal_reader::journal_reader(const std::filesystem::path& path) : path_(path) {
  file_ = base::fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file_)
    throw base::error("cannot read the journal " + path.string() + ": " + std::strerror(errno),
                      "correct the path");
  std::array<char, preamble_bytes> begin{};
  const std::size_t got = read_some(begin.data(), begin.size());
  if (got < begin.size() || std::string_view(begin.data(), journal_magic.size()) != journal_magic)
    throw base::error(path.string() + " is not a journal of inferbench",
                      "give the file that --journal named");
  const std::uint32_t version = get_u32(begin.data() + journal_magic.size());
  if (version != journal_version)
    throw base::error(path.string() + " is a journal of format " + std::to_string(version) +
                          "; this program reads format " + std::to_string(journal_version),
                      "use a newer inferbench");
  const frame first = read_frame();
  if (first == frame::complete && payload_[0] == static_cast<char>(frame_kind::run) &&
      decode(std::string_view(payload_).substr(1), run_))
    return;
  const std::string why = first == frame::bad        ? reason_
                          : first == frame::complete ? "it does not describe the run"
                                                     : "it is missing";
  throw base::error("the journal " + path.string() + " is damaged in its first frame: " + why,
                    "nothing of it can be used");
}

bool journal_reader::next(client::record& out) {
  while (!over_) {
    const frame got = read_frame();
    if (got == frame::none) {
      over_ = true;
    } else if (got == frame::bad) {
      stop(reason_);
    } else if (end_) {
      stop("something follows the last frame");
    } else {
      const std::string_view message = std::string_view(payload_).substr(1);
      switch (static_cast<frame_kind>(payload_[0])) {
        case frame_kind::record:
          if (!decode(message, out)) {
            stop("a record cannot be decoded");
            break;
          }
          ++records_;
          return true;
        case frame_kind::end:
          if (!decode(message, end_.emplace())) {
            end_.reset();
            stop("the last frame cannot be decoded");
          }
          break;
        case frame_kind::run: stop("a second run begins"); break;
        // A later program may add kinds; one that must not be passed over raises the format.
        default: break;
      }
    }
  }
  return false;
}

journal_reader::frame journal_reader::read_frame() {
  offset_ = consumed_;
  std::array<char, frame_head_bytes> head{};
  const std::size_t got = read_some(head.data(), head.size());
  if (got == 0) return frame::none;
  if (got < head.size()) {
    reason_ = "a frame is cut off";
    return frame::bad;
  }
  const std::uint32_t length = get_u32(head.data());
  if (length == 0 || length > most_frame_bytes) {
    reason_ = "a frame has an impossible length";
    return frame::bad;
  }
  payload_.clear();
  while (payload_.size() < length) {
    const std::size_t before = payload_.size();
    const std::size_t piece = std::min<std::size_t>(length - before, piece_bytes);
    payload_.resize(before + piece);
    const std::size_t part = read_some(payload_.data() + before, piece);
    if (part < piece) {
      reason_ = "a frame is cut off";
      return frame::bad;
    }
  }
  if (frame_checksum(payload_) == get_u32(head.data() + 4)) return frame::complete;
  reason_ = "a frame has a wrong checksum";
  return frame::bad;
}

std::size_t journal_reader::read_some(char* into, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::read(file_.get(), into + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      throw base::error("cannot read the journal " + path_.string() + ": " + std::strerror(errno));
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  consumed_ += done;
  return done;
}

void journal_reader::stop(std::string reason) {
  over_ = true;
  // Read to the end rather than asked for: the file may be a pipe.
  payload_.resize(piece_bytes);
  while (read_some(payload_.data(), payload_.size()) > 0) {
  }
  damage_ = journal_damage{.records = records_,
                           .offset = offset_,
                           .bytes_dropped = consumed_ - offset_,
                           .reason = std::move(reason)};
}

}  // namespace inferbench::records
