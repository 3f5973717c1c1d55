#include "cache_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "common/unfinished/unfinished.hpp"

namespace synthetic {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t enough = std::size_t{1} << 20U;
constexpr std::uint64_t most_kept = std::uint64_t{8} << 30U;

}  // namespace

cache_writer::cache_writer(ifb::host host, cache_place place, std::uint64_t count)
    : host_(host), place_(std::move(place)), count_(count), part_(part_of(place_.file)) {
  std::error_code trouble;
  fs::create_directories(place_.file.parent_path(), trouble);
  file_ = unfinished::create(part_);
  if (file_ < 0) {
    if (errno == EEXIST)
      host_.debug("another process keeps these prompts: " + part_.string());
    else
      give_up();
    return;
  }
  put(cache_head(place_.key, count));
  offsets_.push_back(written_);
}

cache_writer::~cache_writer() {
  if (file_ < 0) return;
  ::unlink(part_.c_str());
  close();
}

void cache_writer::add(const prompt& made) {
  if (file_ < 0) return;
  put(static_cast<std::uint64_t>(made.mismatch));
  put(made.tokens);
  put(made.ids.size());
  put({reinterpret_cast<const char*>(made.ids.data()), made.ids.size() * sizeof(std::uint32_t)});
  put(made.text);
  offsets_.push_back(written_);
  flush(false);
  if (offsets_.size() == count_ + 1) finish();
}

void cache_writer::put(std::string_view bytes) {
  buffer_ += bytes;
  written_ += bytes.size();
}

void cache_writer::put(std::uint64_t value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  put({bytes, sizeof bytes});
}

// The checksum accepts only whole words of 8 bytes, except at the end.
void cache_writer::flush(bool all) {
  if (!all && buffer_.size() < enough) return;
  const std::size_t some = all ? buffer_.size() : buffer_.size() / 8 * 8;
  hash_.add(std::string_view(buffer_).substr(0, some));
  write(buffer_.data(), some);
  buffer_.erase(0, some);
}

void cache_writer::write(const char* bytes, std::size_t size) {
  while (size > 0 && file_ >= 0) {
    const ssize_t done = ::write(file_, bytes, size);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return give_up();
    bytes += done;
    size -= static_cast<std::size_t>(done);
  }
}

void cache_writer::finish() {
  for (const std::uint64_t offset : std::exchange(offsets_, {}))
    put(offset);
  flush(true);
  if (file_ < 0) return;
  const std::uint64_t sum = hash_.value();
  write(reinterpret_cast<const char*>(&sum), sizeof sum);
  if (file_ < 0) return;
  // The file is closed, which releases the lock, only after it has its final name.
  if (::rename(part_.c_str(), place_.file.c_str()) != 0) return give_up();
  close();
  host_.debug("prompts are kept in " + place_.file.string());
  prune_cache(place_.file.parent_path(), most_kept);
}

void cache_writer::close() noexcept { ::close(std::exchange(file_, -1)); }

/// Gives up writing the file, with a warning. errno contains the reason.
void cache_writer::give_up() {
  host_.warn("prompts are not kept for the next run: cannot write " + part_.string() + ": " +
             std::generic_category().message(errno));
  buffer_.clear();
  if (file_ < 0) return;
  ::unlink(part_.c_str());
  close();
}

void prune_cache(const fs::path& folder, std::uint64_t limit) noexcept {
  struct entry {
    fs::file_time_type used;
    std::uint64_t size;
    fs::path path;
  };
  try {
    std::vector<entry> kept;
    std::error_code none;
    for (const auto& each : fs::directory_iterator(folder)) {
      entry one{each.last_write_time(none), each.file_size(none), each.path()};
      if (none) continue;
      if (one.path.extension() == ".prompts") kept.push_back(std::move(one));
    }
    std::ranges::sort(kept, std::greater{}, &entry::used);
    std::uint64_t sum = 0;
    for (const entry& each : kept) {
      sum += each.size;
      if (sum > limit) fs::remove(each.path, none);
    }
  } catch (const std::exception&) {
    // Another run may be removing the same files. The next run removes the remaining files.
  }
}

}  // namespace synthetic
