#include "synthetic/cache_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace synthetic {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t enough = std::size_t{1} << 20U;
constexpr std::uint64_t most_kept = std::uint64_t{8} << 30U;

}  // namespace

cache_writer::cache_writer(ifb::host host, cache_place place, std::uint64_t count)
    : host_(host), place_(std::move(place)), count_(count) {
  std::error_code trouble;
  fs::create_directories(place_.file.parent_path(), trouble);
  part_ = place_.file;
  part_ += "." + std::to_string(::getpid()) + "-" +
           std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()) + ".part";
  file_.open(part_, std::ios::binary | std::ios::trunc);
  if (!file_) {
    give_up(std::generic_category().message(errno));
    return;
  }
  put(cache_head(place_.key, count));
  offsets_.push_back(written_);
}

cache_writer::~cache_writer() {
  if (!file_.is_open()) return;
  file_.close();
  std::error_code none;
  fs::remove(part_, none);
}

void cache_writer::add(const prompt& made) {
  if (!file_.is_open()) return;
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

// The checksum takes whole words, but at the end.
void cache_writer::flush(bool all) {
  if (!all && buffer_.size() < enough) return;
  const std::size_t some = all ? buffer_.size() : buffer_.size() / 8 * 8;
  hash_.add(std::string_view(buffer_).substr(0, some));
  file_.write(buffer_.data(), static_cast<std::streamsize>(some));
  buffer_.erase(0, some);
  if (!file_) give_up(std::generic_category().message(errno));
}

void cache_writer::finish() {
  for (const std::uint64_t offset : std::exchange(offsets_, {}))
    put(offset);
  flush(true);
  if (!file_.is_open()) return;
  const std::uint64_t sum = hash_.value();
  file_.write(reinterpret_cast<const char*>(&sum), sizeof sum);
  file_.close();
  if (!file_) return give_up(std::generic_category().message(errno));
  std::error_code trouble;
  fs::rename(part_, place_.file, trouble);
  if (trouble) return give_up(trouble.message());
  host_.debug("prompts are kept in " + place_.file.string());
  prune_cache(place_.file.parent_path(), most_kept);
}

void cache_writer::give_up(const std::string& why) {
  host_.warn("prompts are not kept for the next run: cannot write " + part_.string() + ": " + why);
  if (file_.is_open()) file_.close();
  buffer_.clear();
  std::error_code none;
  fs::remove(part_, none);
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
    const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(24);
    for (const auto& each : fs::directory_iterator(folder)) {
      entry one{each.last_write_time(none), each.file_size(none), each.path()};
      if (none) continue;
      if (one.path.extension() == ".prompts")
        kept.push_back(std::move(one));
      else if (one.path.extension() == ".part" && one.used < long_ago)
        fs::remove(one.path, none);
    }
    std::ranges::sort(kept, std::greater{}, &entry::used);
    std::uint64_t sum = 0;
    for (const entry& each : kept) {
      sum += each.size;
      if (sum > limit) fs::remove(each.path, none);
    }
  } catch (const std::exception&) {
    // Another run may be doing the same; the next one sees what is left.
  }
}

}  // namespace synthetic
