// The texts and images of one row of custom_image.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/json_reader.hpp>

#include "datasets/common/jsonl.hpp"

namespace custom_image {

/// A text or an image; image is null for a text.
struct row_item {
  std::string_view text{};
  const ifb::json_value* image = nullptr;  // a path or a URL
  /// The value of "image_url" if it has members other than "url", which the part then has, too.
  const ifb::json_value* image_url = nullptr;
};

/// The form of a row.
enum class row_layout : std::uint8_t {
  content,     // {"content": [part, ...]}: the items in any order
  image_files  // {"prompt", "image_files"}: a text, and then at least one image
};

/// The items refer to the row from which they were read.
struct image_row {
  row_layout layout = row_layout::content;
  std::vector<row_item> items;

  /// Throws like row.refuse() if the row has neither layout.
  static image_row of(const files::json_row& row);

  /// Returns all texts without separators.
  [[nodiscard]] std::string text() const;
};

/// Returns the JSON text of a content part with the members of `image_url`, but with `url` as URL.
[[nodiscard]] std::string image_part_json(const ifb::json_value& image_url, std::string_view url);

}  // namespace custom_image
