#include "frame.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace python_engine {

namespace {

constexpr std::array<const char*, 12> host_frames = {nullptr,   "hello", "load",   "ping",
                                                     "run",     "items", "go",     "cancel",
                                                     "profile", "bye",   "submit", "abort"};
constexpr std::uint8_t first_of_worker = 65;
constexpr std::array<const char*, 14> worker_frames = {
    "welcome", "ready",    "pong", "began",    "tokens", "ended", "results",
    "done",    "profiled", "log",  "progress", "error",  "text",  "finished"};

// Memory for a payload whose bytes have not arrived.
constexpr std::size_t most_in_advance = std::size_t{1} << 16U;

bool of_worker(std::uint8_t kind) {
  return kind >= first_of_worker && kind < first_of_worker + worker_frames.size();
}
bool of_host(std::uint8_t kind) { return kind > 0 && kind < host_frames.size(); }

}  // namespace

std::string name_of(frame_kind kind) {
  const auto number = static_cast<std::uint8_t>(kind);
  if (of_host(number)) return host_frames[number];
  if (of_worker(number)) return worker_frames[number - first_of_worker];
  return "kind " + std::to_string(number);
}

ifb::failure violation(const frame& in, const std::string& what) {
  return {IFB_E_PROTOCOL,
          "frame " + std::to_string(in.number) + " (" + name_of(in.kind) + "): " + what};
}

std::uint64_t read_number(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t out = 0;
  for (std::size_t i = size; i-- > 0;)
    out = out << 8U | static_cast<unsigned char>(bytes[at + i]);
  return out;
}

void append_number(std::string& out, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    out += static_cast<char>(value >> (8 * i) & 0xFFU);
}

std::string frame_header(frame_kind kind, std::size_t payload_size) {
  if (payload_size > largest_payload)
    throw ifb::failure{IFB_E_UNSUPPORTED,
                       "a frame " + name_of(kind) + " of " + std::to_string(payload_size) +
                           " bytes is longer than the protocol of the worker allows (256 MiB)"};
  std::string out;
  append_number(out, payload_size, 4);
  append_number(out, static_cast<std::uint8_t>(kind), 4);
  return out;
}

void frame_splitter::read_header() {
  now_ = {};
  now_.number = ++frames_;
  now_.kind = static_cast<frame_kind>(header_[4]);
  const auto kind = static_cast<std::uint8_t>(now_.kind);
  if (of_host(kind)) throw violation(now_, "only the host sends this kind of frame");
  if (!of_worker(kind)) throw violation(now_, "there is no such kind of frame");
  for (std::size_t i = 5; i < frame_header_size; ++i)
    if (header_[i] != 0)
      throw violation(now_, "byte " + std::to_string(i) + " of the header is not 0");
  wanted_ = static_cast<std::size_t>(read_number(header_, 0, 4));
  if (wanted_ > largest_payload)
    throw violation(
        now_, "the length " + std::to_string(wanted_) + " is above the limit of 268435456 bytes");
  now_.payload.reserve(std::min(wanted_, most_in_advance));
}

std::optional<frame> frame_splitter::next(std::string_view& bytes) {
  if (header_.size() < frame_header_size) {
    const auto part = bytes.substr(0, frame_header_size - header_.size());
    header_ += part;
    bytes.remove_prefix(part.size());
    if (header_.size() < frame_header_size) return std::nullopt;
    read_header();
  }
  const auto part = bytes.substr(0, wanted_ - now_.payload.size());
  now_.payload += part;
  bytes.remove_prefix(part.size());
  if (now_.payload.size() < wanted_) return std::nullopt;
  header_.clear();
  return std::exchange(now_, {});
}

std::string frame_splitter::cut_frame() const {
  if (header_.empty()) return {};
  if (header_.size() < frame_header_size)
    return "frame " + std::to_string(frames_ + 1) + ": the socket ended after " +
           std::to_string(header_.size()) + " of 8 bytes of the header";
  return violation(now_, "the socket ended after " + std::to_string(now_.payload.size()) + " of " +
                             std::to_string(wanted_) + " bytes of the payload")
      .message();
}

}  // namespace python_engine
