// A file of JSON lines, row by row. A row is a line that is not blank. One pass notes how many rows
// begin before each stretch of the file, which takes some 4 MB for 2 GB, whatever the number of
// rows; a row is parsed when it is asked for, and memory of the file's pages is given back on the
// way. For our plugins only: the header includes RapidJSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

#include <inferbench/host.hpp>

#include "json_array.hpp"
#include "text_file.hpp"

namespace files {

/// A row with its place. Made empty, filled by json_lines::read; may be used again.
class json_row {
 public:
  /// The parsed row; no object before the first read.
  [[nodiscard]] const rapidjson::Value& object() const noexcept { return document_; }
  /// The line's number, from 1; blank lines count.
  [[nodiscard]] std::uint64_t line() const noexcept { return line_; }
  /// The line itself; lives as long as the file.
  [[nodiscard]] std::string_view text() const noexcept { return text_; }

  /// The member of that name. Throws ifb::failure as refuse() does, listing the row's members.
  [[nodiscard]] const rapidjson::Value& at(std::string_view name) const;
  /// Throws ifb::failure (IFB_E_DATA, option "path"): "PATH:LINE: WHAT".
  [[noreturn]] void refuse(const std::string& what) const;
  /// "prompt, output_tokens": the names of the members, cut if they are many.
  [[nodiscard]] std::string members() const;

 private:
  friend class json_lines;
  rapidjson::Document document_;
  std::string path_;
  std::string_view text_;
  std::uint64_t line_ = 0;
};

/// One thread at a time.
class json_lines {
 public:
  /// Finds the rows and reports its progress to `host`. Throws ifb::failure if the file cannot be
  /// read, and (IFB_E_CANCELLED) if the run is being stopped.
  json_lines(ifb::host host, const std::string& path);

  [[nodiscard]] const std::string& path() const noexcept { return file_.path(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return file_.text().size(); }
  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }

  struct found_line {
    std::string_view text;  // without its end; lives as long as the file
    std::uint64_t number;   // from 1
  };
  /// The line of row `row`, which must be below rows().
  [[nodiscard]] found_line find(std::uint64_t row) const;

  /// Parses row `row`, which must be below rows(). Throws ifb::failure (IFB_E_DATA, option
  /// "path", "PATH:LINE:COLUMN: ...") for anything but one JSON object in UTF-8.
  void read(std::uint64_t row, json_row& out);

 private:
  // The rows and lines that begin before a stretch of the file.
  struct mark {
    std::uint64_t rows;
    std::uint64_t lines;
  };

  void find_rows(ifb::host host);
  void note(std::size_t begin, std::size_t size);
  void give_back(std::size_t begin, std::size_t end) const noexcept;
  [[nodiscard]] std::size_t end_of_line(std::size_t at) const noexcept;

  text_file file_;
  std::size_t begin_ = 0;  // behind a byte order mark
  std::vector<mark> marks_;
  std::uint64_t rows_ = 0;
  std::size_t last_ = 0;       // end of the row that was read last
  std::size_t looked_at_ = 0;  // about how many bytes since memory was last given back
};

}  // namespace files
