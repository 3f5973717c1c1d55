// Messages of the same form as one before, recognised (common/shape.hpp): what differs is taken
// from its place, and the rest is compared and not read. Belongs to one reader.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "common/shape.hpp"
#include "reader.hpp"

namespace templates {

class recall {
 public:
  recall() { marks_.reserve(most); }

  /// Whether `data` has the form of a message that was taken; `out` is then what reading it would
  /// come to, before UTF-8 is mended. As openai::reading::shape::fits().
  [[nodiscard]] bool fit(std::string_view data, char* spare, said& out) noexcept;
  /// After fit() found none: `data` was read as `what`, with these holes in it.
  void take(std::string_view data, const said& what, const openai::reading::draft& holes) noexcept;

 private:
  // Of one protocol, there are but a few; of one that has more, the others are read.
  static constexpr std::size_t most = 64;

  openai::reading::shapes known_;
  std::vector<marks> marks_;  // an event's `choice` counts in it
};

}  // namespace templates
