// Prompts of an earlier run on disk, below $XDG_CACHE_HOME/inferbench/prompts or
// ~/.cache/inferbench/prompts: a file for each set, named by a digest of everything that decides
// about its prompts. Its content, in the machine's byte order:
//
//   "IFBPRMP1", size of the key, number of prompts (8 bytes each), the key,
//   a record for each prompt, the place of each and the end of the last (8 bytes each),
//   a checksum over all of these
//
// A record is its mismatch (8 bytes, signed), its tokens (8), the number of ids kept (8), those
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
  std::vector<std::uint32_t> ids;  // if they are asked for
  std::uint64_t tokens = 0;
  std::int64_t mismatch = 0;  // tokens more (or, negative, fewer) than asked for
};

/// Prompts of a file whose checksum is right. [any]
class kept_prompts {
 public:
  kept_prompts(std::unique_ptr<files::text_file> file, std::uint64_t count);
  kept_prompts(kept_prompts&&) noexcept;
  kept_prompts& operator=(kept_prompts&&) noexcept;
  ~kept_prompts();

  [[nodiscard]] std::uint64_t size() const noexcept { return count_; }
  /// `i` below size().
  [[nodiscard]] prompt at(std::uint64_t i) const;
  [[nodiscard]] std::int64_t mismatch(std::uint64_t i) const;

 private:
  [[nodiscard]] std::string_view record(std::uint64_t i) const;

  std::unique_ptr<files::text_file> file_;
  std::uint64_t count_;
};

/// The file of one set of prompts.
struct cache_place {
  std::filesystem::path file;
  std::string key;

  /// nullopt if the set is not worth keeping (under 10,000 prompts and 10 million tokens) or too
  /// large (above 256 million tokens), if the tokenizer's `digest` is not known, or if the
  /// environment names no folder. `about`: everything else that decides about the prompts.
  [[nodiscard]] static std::optional<cache_place> of(std::string_view digest,
                                                     std::string_view about, std::uint64_t prompts,
                                                     std::uint64_t tokens);
};

/// The `count` prompts of the file; nullopt if there is no file. A damaged or unreadable file is
/// left alone, with a warning. Unfinished files of runs that died are removed.
[[nodiscard]] std::optional<kept_prompts> open_cache(ifb::host host, const cache_place& place,
                                                     std::uint64_t count);

/// The place of the file until it is whole: its name and ".part".
[[nodiscard]] std::filesystem::path part_of(const std::filesystem::path& file);

/// The head that a file begins with.
[[nodiscard]] std::string cache_head(std::string_view key, std::uint64_t count);

}  // namespace synthetic
