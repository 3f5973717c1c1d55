#include "perf/compare_excel.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include <unistd.h>
#include <xlsxwriter.h>

#include <inferbench/text.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "perf/compare_table.hpp"

namespace inferbench::perf {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_name = 31;
/// A cell of Excel has at most 32,767 characters.
constexpr std::size_t longest_cell = 32'000;

/// XML does not allow U+FFFE and U+FFFF, not even as escapes.
bool is_no_character(std::string_view sequence) {
  return sequence == "\xEF\xBF\xBE" || sequence == "\xEF\xBF\xBF";
}

/// One line of characters that a workbook can hold.
std::string excel_text(std::string_view text) {
  const std::string line = base::one_line(text);
  std::string out;
  for (std::string_view rest = line; !rest.empty();) {
    const std::string_view one = rest.substr(0, ifb::utf8_sequence(rest).first);
    out += is_no_character(one) ? "\xEF\xBF\xBD" : one;
    rest.remove_prefix(one.size());
  }
  return out;
}

/// The beginning of `name` with at most `most` UTF-16 units.
std::string_view utf16_beginning(std::string_view name, std::size_t most) {
  std::size_t end = 0;
  while (end < name.size()) {
    const std::size_t length = ifb::utf8_sequence(name.substr(end)).first;
    const std::size_t units = length == 4 ? 2 : 1;
    if (units > most) break;
    most -= units;
    end += length;
  }
  return name.substr(0, end);
}

std::string cleaned_name(std::string_view wanted) {
  std::string out = base::valid_utf8(wanted);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F ||
        std::string_view("[]:*?/\\").find(c) != std::string_view::npos)
      c = '_';
  out = excel_text(out);
  return out.empty() ? "Sheet" : out;
}

/// Equal for names that Excel may take for the same. Its rule for letters beyond ASCII is not
/// documented.
std::string folded(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    const std::size_t length = ifb::utf8_sequence(name).first;
    const char c = name.front();
    out += length > 1 ? '?' : base::lower_case(c);
    name.remove_prefix(length);
  }
  return out;
}

std::string numbered_name(std::string_view name, std::size_t number) {
  const std::string ending = number == 1 ? std::string() : "_" + std::to_string(number);
  std::string out(utf16_beginning(name, longest_name - ending.size()));
  out += ending;
  if (out.front() == '\'') out.front() = '_';
  if (out.back() == '\'') out.back() = '_';
  return out;
}

/// A workbook of libxlsxwriter that is released without a file unless close() is called.
class excel_workbook {
 public:
  explicit excel_workbook(const std::string& file) : book_(workbook_new(file.c_str())) {
    if (book_ == nullptr) throw base::error("no memory for the Excel file");
    bold_ = workbook_add_format(book_.get());
    decimals_ = workbook_add_format(book_.get());
    if (bold_ == nullptr || decimals_ == nullptr) throw base::error("no memory for the Excel file");
    format_set_bold(bold_);
    format_set_num_format(decimals_, "0.00");
  }

  /// `name` is valid and not used yet.
  [[nodiscard]] lxw_worksheet* add(const std::string& name) {
    lxw_worksheet* const out = workbook_add_worksheet(book_.get(), name.c_str());
    if (out == nullptr) throw base::error("Excel does not accept the name of the sheet " + name);
    return out;
  }
  [[nodiscard]] lxw_error close() { return workbook_close(book_.release()); }

  [[nodiscard]] lxw_format* bold() const noexcept { return bold_; }
  [[nodiscard]] lxw_format* two_decimals() const noexcept { return decimals_; }

 private:
  struct deleter {
    void operator()(lxw_workbook* book) const noexcept { lxw_workbook_free(book); }
  };
  std::unique_ptr<lxw_workbook, deleter> book_;
  lxw_format* bold_ = nullptr;      // owned by the workbook
  lxw_format* decimals_ = nullptr;  // likewise
};

/// A sheet with a position in it.
class excel_sheet {
 public:
  excel_sheet(excel_workbook& book, const std::string& name)
      : sheet_(book.add(name)), name_(name) {}

  void text(std::string_view value, lxw_format* format = nullptr) {
    const std::string whole = excel_text(value);
    const std::string shown(ifb::cut_utf8(whole, longest_cell));
    if (!shown.empty()) check(worksheet_write_string(sheet_, row_, column_, shown.c_str(), format));
    ++column_;
  }
  /// A cell of Excel holds finite numbers only.
  void number(double value, lxw_format* format) {
    if (!std::isfinite(value)) return text(base::shortest(value));
    check(worksheet_write_number(sheet_, row_, column_, value, format));
    ++column_;
  }
  void missing() { ++column_; }
  void next_row() {
    ++row_;
    column_ = 0;
  }
  void line(std::string_view value, lxw_format* format = nullptr) {
    text(value, format);
    next_row();
  }

 private:
  void check(lxw_error problem) const {
    if (problem == LXW_NO_ERROR) return;
    throw base::error("the sheet " + name_ + ": " +
                      (problem == LXW_ERROR_WORKSHEET_INDEX_OUT_OF_RANGE
                           ? "Excel allows 1048576 rows and 16384 columns"
                           : lxw_strerror(problem)));
  }

  lxw_worksheet* sheet_;  // owned by the workbook
  std::string name_;
  lxw_row_t row_ = 0;
  lxw_col_t column_ = 0;
};

void write_metric(excel_sheet& to, const compared_frame& part, bool names,
                  const excel_workbook& book) {
  to.line(part.metric, book.bold());
  const std::vector<compared_column> columns = columns_of(part, names);
  for (const compared_column& column : columns)
    to.text(column.title, book.bold());
  to.next_row();
  for (std::size_t row = 0; row < part.rows.size(); ++row) {
    for (const compared_column& column : columns) {
      const bool measured =
          column.kind == compared_kind::value || column.kind == compared_kind::ratio;
      const compared_cell& cell = column.cells[row];
      if (const auto* const number = std::get_if<double>(&cell))
        to.number(*number, measured ? book.two_decimals() : nullptr);
      else if (const auto* const text = std::get_if<std::string>(&cell))
        to.text(*text);
      else
        to.missing();
    }
    to.next_row();
  }
  to.next_row();
}

void write_summary(excel_sheet& to, const concurrency_summary& summary,
                   const excel_workbook& book) {
  to.line("Valid Max Concurrency Summary", book.bold());
  for (const std::string& title : summary.titles)
    to.text(title, book.bold());
  to.next_row();
  for (const valid_concurrency& row : summary.rows) {
    to.text(row.configuration);
    const std::vector<std::optional<double>> cells = cells_of(row);
    // The first three are levels.
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (cells[i])
        to.number(*cells[i], i < 3 ? nullptr : book.two_decimals());
      else
        to.missing();
    to.next_row();
  }
  for (const std::string& note : summary.notes)
    to.line(note);
}

void write_group(excel_sheet& to, const compared_group& group, const comparison_report& all,
                 const excel_workbook& book) {
  to.line(group.heading, book.bold());
  for (const std::string& note : all.notes)
    to.line(note);
  to.next_row();
  for (const compared_frame& part : group.parts)
    if (part.rows.empty())
      to.line(part.metric + ": missing for this group");
    else
      write_metric(to, part, all.names, book);
  if (group.summary) write_summary(to, *group.summary, book);
}

void write_environment(excel_sheet& to, std::string_view lines) {
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    const std::size_t colon = line.find(": ");
    to.text(line.substr(0, colon));
    if (colon != std::string_view::npos) to.text(line.substr(colon + 2));
    to.next_row();
  }
}

void fill(excel_workbook& book, const comparison_report& all,
          const std::optional<std::string>& environment) {
  std::vector<std::string> wanted;
  for (const compared_group& group : all.groups)
    wanted.push_back(group.sheet);
  const std::vector<std::string> names = excel_sheet_names(wanted);
  for (std::size_t i = 0; i < names.size(); ++i) {
    excel_sheet sheet(book, names[i]);
    write_group(sheet, all.groups[i], all, book);
  }
  if (!environment) return;
  excel_sheet sheet(book, environment_sheet);
  write_environment(sheet, *environment);
}

/// Removes the file at its end, if the file is still there.
class temporary_file {
 public:
  explicit temporary_file(std::string path) : path_(std::move(path)) {}
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file() { std::remove(path_.c_str()); }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::vector<std::string> excel_sheet_names(std::span<const std::string> wanted) {
  std::set<std::string> taken{folded(environment_sheet), "history"};
  std::vector<std::string> out;
  for (const std::string& each : wanted) {
    const std::string name = cleaned_name(each);
    for (std::size_t number = 1;; ++number) {
      std::string numbered = numbered_name(name, number);
      if (!taken.insert(folded(numbered)).second) continue;
      out.push_back(std::move(numbered));
      break;
    }
  }
  return out;
}

void write_comparison_workbook(const comparison_report& all,
                               const std::optional<std::string>& environment,
                               const std::string& path) {
  const temporary_file file(path + "." + std::to_string(::getpid()) + ".tmp");
  try {
    // libxlsxwriter opens the file late, and prints an error of its own if it cannot.
    errno = 0;
    if (!std::ofstream(file.path(), std::ios::binary)) throw base::error(std::strerror(errno));
    excel_workbook book(file.path());
    fill(book, all, environment);
    errno = 0;
    if (const lxw_error problem = book.close(); problem != LXW_NO_ERROR)
      throw base::error(errno != 0 ? std::strerror(errno) : lxw_strerror(problem));
    std::error_code wrong;
    fs::rename(file.path(), path, wrong);
    if (wrong) throw base::error(wrong.message());
  } catch (const base::error& e) {
    throw base::error("cannot write " + path + ": " + e.what());
  }
}

}  // namespace inferbench::perf
