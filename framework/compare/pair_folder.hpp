// The folder of a comparison that makes its own runs: its lock, its identity, and the settings with
// which its runs were made.
//
//   DIR/.compare.json       what the comparison is
//   DIR/1-base/block=0-run=0.json
//   DIR/2-new/block=0-run=0.json, ...
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "experiment/sweep_lock.hpp"

namespace inferbench::compare {

/// The settings that must stay the same when a comparison is continued.
struct pair_identity {
  std::array<std::string, 2> names;    // of the arms
  std::array<std::string, 2> digests;  // of their settings
};

class pair_folder {
 public:
  /// Creates the folder, or with `resume` opens it, and takes its lock. Throws base::error if the
  /// folder is there without `resume` or not there with it, if its comparison had other arms or
  /// other settings, if another comparison works in it, and if a file cannot be read or written.
  pair_folder(std::filesystem::path folder, const pair_identity& of, std::size_t blocks,
              bool resume);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  /// The name of the comparison, which its results contain; unique.
  [[nodiscard]] const std::string& id() const noexcept { return id_; }
  /// The number of blocks with which the comparison began.
  [[nodiscard]] std::size_t first_blocks() const noexcept { return first_blocks_; }

  /// The place in which unfinished runs write.
  [[nodiscard]] std::filesystem::path part() const { return path_ / ".part"; }
  /// Removes what unfinished runs left.
  void tidy() const noexcept;

 private:
  void read(const pair_identity& of);
  void write(const pair_identity& of) const;

  std::filesystem::path path_;
  std::optional<experiment::sweep_lock> lock_;
  std::string id_;
  std::size_t first_blocks_;
};

}  // namespace inferbench::compare
