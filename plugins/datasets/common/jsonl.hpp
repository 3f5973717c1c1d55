// A file of JSON lines, row by row. A row is a line that is not blank. One pass counts the rows
// that begin before each stretch of the file. The counts need about 4 MB for a file of 2 GB,
// whatever the number of rows. A row is parsed only when it is needed, and the memory of the file's
// pages is given back from time to time. Only for plugins of this repository: the header includes
// RapidJSON.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <rapidjson/document.h>

#include <inferbench/guard.hpp>
#include <inferbench/host.hpp>

#include "json_array.hpp"
#include "text_file.hpp"

namespace files {

/// The fault of one row: IFB_E_DATA, option "path", with the message "PATH:PLACE: REASON".
class row_fault : public ifb::failure {
 public:
  row_fault(const std::string& path, std::string place, std::string reason)
      : failure(IFB_E_DATA, path + ":" + place + ": " + reason, "path"),
        place_(std::move(place)),
        reason_(std::move(reason)) {}
  /// "LINE" or "LINE:COLUMN"
  [[nodiscard]] const std::string& place() const noexcept { return place_; }
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

 private:
  std::string place_;
  std::string reason_;
};

/// A row and its place in the file. It is empty until json_lines::read fills it; it can be used
/// again.
class json_row {
 public:
  /// Returns the parsed row; null before the first read.
  [[nodiscard]] const rapidjson::Value& object() const noexcept { return document_; }
  /// Returns the line number, from 1; blank lines count.
  [[nodiscard]] std::uint64_t line() const noexcept { return line_; }
  /// Returns the text of the line; the view lives as long as the file.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

  /// Returns the member `name`. Throws row_fault like refuse() if there is no such member; the
  /// message lists the row's members.
  [[nodiscard]] const rapidjson::Value& at(std::string_view name) const;
  /// Throws row_fault: "PATH:LINE: WHAT".
  [[noreturn]] void refuse(const std::string& what) const;
  /// Returns the names of the members, such as "prompt, output_tokens"; a long list is cut.
  [[nodiscard]] std::string members() const;

 private:
  friend class json_lines;
  rapidjson::Document document_;
  std::string path_;
  std::string_view text_;
  std::uint64_t line_ = 0;
};

/// Any thread may call the functions, if each thread has its own rows.
class json_lines {
 public:
  /// Finds the rows and reports its progress to `host`. Throws ifb::failure if the file cannot be
  /// read, or (IFB_E_CANCELLED) if the run is being stopped.
  json_lines(ifb::host host, const std::string& path);

  [[nodiscard]] const std::string& path() const noexcept { return file_.path(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return file_.text().size(); }
  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }

  struct found_line {
    std::string_view text;  // without its line ending; lives as long as the file
    std::uint64_t number;   // line number, from 1
  };
  /// Returns the line of row `row`, which must be less than rows().
  [[nodiscard]] found_line find(std::uint64_t row) const;

  /// Parses row `row`, which must be less than rows(). Throws row_fault if the line is not exactly
  /// one JSON object in UTF-8.
  void read(std::uint64_t row, json_row& out) const;

 private:
  // The numbers of rows and lines that begin before a stretch of the file.
  struct mark {
    std::uint64_t rows;
    std::uint64_t lines;
  };

  void find_rows(ifb::host host);
  void note(std::size_t begin, std::size_t size) const;
  void give_back(std::size_t begin, std::size_t end) const noexcept;
  [[nodiscard]] std::size_t end_of_line(std::size_t at) const noexcept;

  text_file file_;
  std::size_t begin_ = 0;  // offset after the byte order mark, if any
  std::vector<mark> marks_;
  std::uint64_t rows_ = 0;
  // The next two members estimate how much of the file is in memory. Threads that read at the same
  // time may disturb the estimate.
  mutable std::atomic<std::size_t> last_ = 0;       // the end of the row that was read last
  mutable std::atomic<std::size_t> looked_at_ = 0;  // approximate number of bytes read since memory
                                                    // was last given back
};

}  // namespace files
