// Texts and tables in GitHub Flavored Markdown. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reporters {

/// Returns a text of a user or a server as one line, in which nothing is a mark: pipes, backticks,
/// HTML, links, mentions and references of issues are shown as they are. Valid in a cell of a
/// table. A text of more than `limit` bytes is cut; 0: it is not cut.
[[nodiscard]] std::string markdown_text(std::string_view text, std::size_t limit = 0);

/// Like markdown_text(), as code. GitHub notifies nobody whose name is in it.
[[nodiscard]] std::string markdown_code(std::string_view text, std::size_t limit = 0);

/// Returns a block of code, which may contain any text, also fences.
[[nodiscard]] std::string markdown_block(std::string_view text, std::string_view language);

/// A table. The cells are Markdown. For one thread.
class markdown_table {
 public:
  /// All columns but the first `texts` have their numbers on the right.
  explicit markdown_table(std::vector<std::string> head, std::size_t texts = 1);

  /// Missing cells at the end are empty.
  void add(std::vector<std::string> row);
  [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::string> head_;
  std::size_t texts_;
  std::vector<std::vector<std::string>> rows_;
};

/// Returns a number for people: two digits after the point, or three significant digits if it is
/// below 0.1; "-" for NaN.
[[nodiscard]] std::string readable_number(double value);
/// Returns a number without digits after the point: "1200".
[[nodiscard]] std::string readable_count(double value);

}  // namespace reporters
