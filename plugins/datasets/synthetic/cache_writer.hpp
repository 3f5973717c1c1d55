// Puts prompts into the cache for the next run, while they are being made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/host.hpp>

#include "block_hash.hpp"
#include "prompt_cache.hpp"

namespace synthetic {

/// Until the last prompt is written, the prompts are in the file part_of(). This file then gets the
/// final name, and replaces an older file of this name. After a failure, and if the object is
/// destroyed earlier, the unfinished file is removed. Does nothing if another process is making the
/// same file. One thread.
class cache_writer {
 public:
  cache_writer(ifb::host host, cache_place place, std::uint64_t count);
  cache_writer(const cache_writer&) = delete;
  cache_writer& operator=(const cache_writer&) = delete;
  ~cache_writer();

  /// Adds the next prompt, in order. Never throws: if a prompt cannot be written, one warning is
  /// written, and the next run makes the prompts again.
  void add(const prompt& made);

 private:
  void put(std::string_view bytes);
  void put(std::uint64_t value);
  void flush(bool all);
  void finish();
  void write(const char* bytes, std::size_t size);
  void close() noexcept;
  void give_up();

  ifb::host host_;
  cache_place place_;
  std::uint64_t count_;
  std::filesystem::path part_;
  int file_ = -1;  // -1: the file is closed, and no prompts are stored
  block_hash hash_;
  std::string buffer_;
  std::uint64_t written_ = 0;  // bytes, including the bytes in the buffer
  std::vector<std::uint64_t> offsets_;
};

/// Removes the least recently used files of prompts in `folder`, so that the remaining files have
/// at most `limit` bytes. Never throws.
void prune_cache(const std::filesystem::path& folder, std::uint64_t limit) noexcept;

}  // namespace synthetic
