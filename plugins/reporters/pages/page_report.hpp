// A page for a browser with the data of one run or of several runs. The page is a text with two
// place marks, which web/build.mjs makes: {{title}} in the element `title`, and {{data}} in the
// body. docs/page-data.md describes the data. For one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

#include "page_run.hpp"

namespace reporters {

class page_report {
 public:
  using sink = std::function<void(std::string_view)>;

  /// `generator`: program and version. `texts`: the number of requests whose answers the page
  /// shows, as in page_rows::settings.
  page_report(std::string generator, std::size_t texts)
      : generator_(std::move(generator)), texts_(texts) {}

  /// Makes this the page of several runs. `table` is used only during the call.
  void begin(const ifb_table& table);
  /// Adds a run that has ended.
  void add(std::unique_ptr<page_run> run) { runs_.push_back(std::move(run)); }
  /// Adds the points of the table. `end` is used only during the call.
  void end(const ifb_table_end& end);

  [[nodiscard]] const std::vector<std::unique_ptr<page_run>>& runs() const noexcept {
    return runs_;
  }

  /// Writes the page: calls `out` with one piece after another. The data of the requests are never
  /// in memory as text. Throws ifb::failure if `page` lacks a place mark, and what `out` throws.
  void write(std::string_view page, std::string_view title, const sink& out) const;

 private:
  [[nodiscard]] std::string json(std::string_view title) const;

  std::string generator_;
  std::size_t texts_;
  std::vector<std::unique_ptr<page_run>> runs_;
  bool several_ = false;
  bool interrupted_ = false;
  std::string name_, command_;
  std::string axes_ = "[]", points_ = "[]", facts_ = "{}";  // JSON
};

}  // namespace reporters
