// The files of the leaderboard that are taken, and the order of their rows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <inferbench/host.hpp>

#include "datasets/common/jsonl.hpp"

namespace bfcl {

/// The categories in texts such as "simple, multiple", trimmed, without empty ones; if none is
/// left, simple, live_simple and multiple.
[[nodiscard]] std::vector<std::string> categories_of(const std::vector<std::string>& given);

/// The rows of all categories in turn: the first of each, the second of each, and so on.
/// One thread at a time.
class questions {
 public:
  /// `source`: a folder, or a data set of the hub, whose files come from the cache or are fetched.
  /// Throws ifb::failure for files that cannot be found or read; for a missing category "BFCL
  /// category 'x' not found".
  questions(ifb::host host, const std::string& source, const std::vector<std::string>& categories);

  [[nodiscard]] std::uint64_t rows() const noexcept { return order_.size(); }
  /// Row `row`, below rows(). Throws ifb::failure if it is malformed.
  void read(std::uint64_t row, files::json_row& out);
  /// The file that row `row` is from.
  [[nodiscard]] const std::string& path(std::uint64_t row) const;

 private:
  struct place {
    std::uint32_t file;
    std::uint32_t row;
  };
  std::vector<std::unique_ptr<files::json_lines>> files_;
  std::vector<place> order_;
};

}  // namespace bfcl
