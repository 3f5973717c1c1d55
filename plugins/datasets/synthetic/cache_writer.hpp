// Puts prompts into the cache while they are made, for the next run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/host.hpp>

#include "synthetic/block_hash.hpp"
#include "synthetic/prompt_cache.hpp"

namespace synthetic {

/// The file appears under its name when the last prompt is in it; until then, and after whatever
/// goes wrong, there is none. One thread.
class cache_writer {
 public:
  cache_writer(ifb::host host, cache_place place, std::uint64_t count);
  cache_writer(const cache_writer&) = delete;
  cache_writer& operator=(const cache_writer&) = delete;
  ~cache_writer();

  /// The next prompt, in order. Never fails: what cannot be kept is told once, and made again.
  void add(const prompt& made);

 private:
  void put(std::string_view bytes);
  void put(std::uint64_t value);
  void flush(bool all);
  void finish();
  void give_up(const std::string& why);

  ifb::host host_;
  cache_place place_;
  std::uint64_t count_;
  std::filesystem::path part_;
  std::ofstream file_;
  block_hash hash_;
  std::string buffer_;
  std::uint64_t written_ = 0;  // bytes, those in the buffer too
  std::vector<std::uint64_t> offsets_;
};

/// Removes the files longest unused until those left in `folder` are below `limit` bytes, and
/// what runs left half written more than a day ago. Never throws.
void prune_cache(const std::filesystem::path& folder, std::uint64_t limit) noexcept;

}  // namespace synthetic
