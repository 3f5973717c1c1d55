#include "prompt_cache.hpp"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include <inferbench/guard.hpp>

#include "block_hash.hpp"
#include "common/unfinished/unfinished.hpp"
#include "datasets/common/text_file.hpp"

namespace synthetic {

namespace {

constexpr std::string_view magic = "IFBPRMP1";
// The version of the prompt generator. It must be increased if a change of the code makes different
// prompts from the same seed.
constexpr std::string_view generator = "1";

constexpr std::string_view part_ending = ".part";

constexpr std::uint64_t many_prompts = 10'000;
constexpr std::uint64_t many_tokens = 10'000'000;
constexpr std::uint64_t too_many_tokens = std::uint64_t{256} << 20U;

constexpr std::uint64_t prompts_between_releases = 1024;  // text_file::release_pages()

constexpr std::size_t word = sizeof(std::uint64_t);
constexpr std::size_t record_head = 3 * word;

std::uint64_t word_at(std::string_view bytes, std::size_t at) {
  std::uint64_t out = 0;
  std::memcpy(&out, bytes.data() + at, sizeof out);
  return out;
}

std::string bytes_of(std::uint64_t value) {
  std::string out(word, '\0');
  std::memcpy(out.data(), &value, word);
  return out;
}

// Relative paths are ignored, as the XDG Base Directory Specification requires.
std::filesystem::path folder() {
  if (const char* said = std::getenv("XDG_CACHE_HOME"); said != nullptr && said[0] == '/')
    return std::filesystem::path(said) / "inferbench" / "prompts";
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/')
    return std::filesystem::path(home) / ".cache" / "inferbench" / "prompts";
  return {};
}

// Returns whether the file is complete: the head and the checksum are correct, and the records fill
// the space between the head and the table of offsets without gaps.
bool is_whole(std::string_view text, std::string_view head, std::uint64_t count) {
  if (text.size() < head.size() + word || !text.starts_with(head)) return false;
  const std::uint64_t rest = (text.size() - head.size() - word) / word;
  if (count >= rest) return false;
  block_hash hash;
  hash.add(text.substr(0, text.size() - word));
  if (hash.value() != word_at(text, text.size() - word)) return false;
  const std::size_t table = text.size() - word - (count + 1) * word;
  std::uint64_t before = head.size();
  for (std::uint64_t i = 0; i <= count; ++i) {
    const std::uint64_t at = word_at(text, table + i * word);
    if (i == 0 ? at != before : at > table || at < before || at - before < record_head)
      return false;
    if (i != 0) {
      const std::uint64_t ids = word_at(text, before + 2 * word);
      if (ids > (at - before - record_head) / sizeof(std::uint32_t)) return false;
    }
    before = at;
  }
  return before == table;
}

}  // namespace

kept_prompts::kept_prompts(std::unique_ptr<files::text_file> file, std::uint64_t count)
    : file_(std::move(file)), count_(count) {}
kept_prompts::kept_prompts(kept_prompts&&) noexcept = default;
kept_prompts& kept_prompts::operator=(kept_prompts&&) noexcept = default;
kept_prompts::~kept_prompts() = default;

std::string_view kept_prompts::record(std::uint64_t i) const {
  const std::string_view all = file_->text();
  const std::size_t table = all.size() - word - (count_ + 1) * word;
  const std::uint64_t begin = word_at(all, table + i * word);
  return all.substr(begin, word_at(all, table + (i + 1) * word) - begin);
}

prompt kept_prompts::at(std::uint64_t i) const {
  const std::string_view bytes = record(i);
  prompt out;
  out.mismatch = static_cast<std::int64_t>(word_at(bytes, 0));
  out.tokens = word_at(bytes, word);
  out.ids.resize(word_at(bytes, 2 * word));
  const std::size_t size = out.ids.size() * sizeof(std::uint32_t);
  if (size != 0) std::memcpy(out.ids.data(), bytes.data() + record_head, size);
  out.text = bytes.substr(record_head + size);
  // A run that keeps all its prompts would otherwise have them twice in memory.
  if (i % prompts_between_releases == prompts_between_releases - 1) file_->release_pages();
  return out;
}

std::int64_t kept_prompts::mismatch(std::uint64_t i) const {
  return static_cast<std::int64_t>(word_at(record(i), 0));
}

std::optional<cache_place> cache_place::of(std::string_view digest, std::string_view about,
                                           std::uint64_t prompts, std::uint64_t tokens) {
  const bool large = prompts >= many_prompts || tokens >= many_tokens;
  if (digest.empty() || !large || tokens > too_many_tokens) return std::nullopt;
  const std::filesystem::path where = folder();
  if (where.empty()) return std::nullopt;
  cache_place out;
  out.key = std::string(generator) + "|" + std::string(digest) + "|" + std::string(about) + "|" +
            std::to_string(prompts);
  // The key is padded to a multiple of 8 bytes, so that the data after the head are aligned.
  out.key.resize((out.key.size() + word - 1) / word * word, ' ');
  out.file = where / (short_name_of(out.key) + ".prompts");
  return out;
}

std::string cache_head(std::string_view key, std::uint64_t count) {
  return std::string(magic) + bytes_of(key.size()) + bytes_of(count) + std::string(key);
}

std::filesystem::path part_of(const std::filesystem::path& file) {
  return file.native() + std::string(part_ending);
}

std::optional<kept_prompts> open_cache(ifb::host host, const cache_place& place,
                                       std::uint64_t count) {
  unfinished::remove_left(place.file.parent_path(),
                          [](std::string_view name) { return name.ends_with(part_ending); });
  std::error_code none;
  if (!std::filesystem::exists(place.file, none)) return std::nullopt;
  try {
    auto file = std::make_unique<files::text_file>(place.file.string());
    if (is_whole(file->text(), cache_head(place.key, count), count)) {
      file->release_pages();
      // The time marks the file as used: if there are too many files, the files with the oldest
      // times are removed.
      std::filesystem::last_write_time(place.file, std::filesystem::file_time_type::clock::now(),
                                       none);
      host.info("prompts of an earlier run are used again: " + place.file.string());
      return kept_prompts(std::move(file), count);
    }
    host.warn(place.file.string() +
              " is damaged and not used: the prompts are made anew, and replace it");
  } catch (const ifb::failure& e) {
    host.warn("prompts are made anew: " + e.message());
  }
  return std::nullopt;
}

}  // namespace synthetic
