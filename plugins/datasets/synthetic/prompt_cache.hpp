// Prompts of an earlier run on disk, below $XDG_CACHE_HOME/inferbench/prompts or
// ~/.cache/inferbench/prompts. There is one file for each set of prompts; its name is a digest of
// everything that determines the prompts. The content, in the machine's byte order:
//
//   "IFBPRMP1", size of the key, number of prompts (8 bytes each), the key,
//   a record for each prompt, the offset of each record and the end of the last (8 bytes each),
//   a checksum over all of these
//
// A record is its mismatch (8 bytes, signed), its tokens (8), the number of stored ids (8), these
// ids (4 each), and the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/host.hpp>

namespace files {
class text_file;
}

namespace synthetic {

struct prompt {
  std::string text;
  std::vector<std::uint32_t> ids;  // empty unless requested
  std::uint64_t tokens = 0;
  std::int64_t mismatch = 0;  // tokens more (or, if negative, fewer) than requested
};

/// The prompts of a file whose checksum is correct. [any thread]
class kept_prompts {
 public:
  kept_prompts(std::unique_ptr<files::text_file> file, std::uint64_t count);
  kept_prompts(kept_prompts&&) noexcept;
  kept_prompts& operator=(kept_prompts&&) noexcept;
  ~kept_prompts();

  [[nodiscard]] std::uint64_t size() const noexcept { return count_; }
  /// `i` must be less than size().
  [[nodiscard]] prompt at(std::uint64_t i) const;
  [[nodiscard]] std::int64_t mismatch(std::uint64_t i) const;

 private:
  [[nodiscard]] std::string_view record(std::uint64_t i) const;

  std::unique_ptr<files::text_file> file_;
  std::uint64_t count_;
};

/// The file for one set of prompts, and its key.
struct cache_place {
  std::filesystem::path file;
  std::string key;

  /// Returns nullopt if the set is not worth storing (under 10,000 prompts and 10 million tokens)
  /// or too large (above 256 million tokens). Also returns nullopt if the tokenizer's `digest` is
  /// not known, or if the environment does not name a folder. `about` contains everything else that
  /// determines the prompts.
  [[nodiscard]] static std::optional<cache_place> of(std::string_view digest,
                                                     std::string_view about, std::uint64_t prompts,
                                                     std::uint64_t tokens);
};

/// Returns the `count` prompts of the file; nullopt if the file does not exist. A damaged or
/// unreadable file is not changed; a warning is written, and nullopt is returned. Unfinished files
/// of runs that crashed are removed.
[[nodiscard]] std::optional<kept_prompts> open_cache(ifb::host host, const cache_place& place,
                                                     std::uint64_t count);

/// Returns the path of the file until it is complete: its name with ".part".
[[nodiscard]] std::filesystem::path part_of(const std::filesystem::path& file);

/// Returns the head with which a file begins.
[[nodiscard]] std::string cache_head(std::string_view key, std::uint64_t count);

}  // namespace synthetic
