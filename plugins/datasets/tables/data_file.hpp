// One file of a split, with access to any of its rows.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/guard.hpp>
#include <inferbench/json_reader.hpp>

namespace tables {

class database;

/// A column that the reader of a data set wants.
struct wanted_column {
  std::string name;
  bool may_be_missing = false;
};

/// Reads "name" and "name?".
[[nodiscard]] std::vector<wanted_column> wanted_columns(std::span<const std::string> texts);
/// Returns "a, b": the names for a message. A long list is cut.
[[nodiscard]] std::string listed(std::span<const std::string> names);
/// Returns the failure (IFB_E_CONFIG, option "path") that `title` has no column `name`, with the
/// columns that it has.
[[nodiscard]] ifb::failure missing_column(const std::string& title, const std::string& name,
                                          std::span<const std::string> there);

/// May be used by only one thread at a time. Messages name the file by its title.
class data_file {
 public:
  data_file() = default;
  data_file(const data_file&) = delete;
  data_file& operator=(const data_file&) = delete;
  virtual ~data_file() = default;

  [[nodiscard]] virtual std::uint64_t rows() const = 0;
  /// The place of a row for messages.
  [[nodiscard]] virtual std::string place(std::uint64_t row) const = 0;

  /// Stores the wanted columns of row `row`, which must be less than rows(), in `out` as an object.
  /// Throws unfit_row, and ifb::failure (IFB_E_DATA, IFB_E_IO, IFB_E_CANCELLED) that names the row
  /// if the file cannot be read on.
  virtual void read(std::uint64_t row, ifb::json_document& out) = 0;

  /// The average size of a row, if reading many rows together is faster than reading each of them
  /// alone; otherwise 0.
  [[nodiscard]] virtual std::uint64_t bytes_a_row() const { return 0; }
  /// Loads these rows, in ascending order, as the block with the number `block`, so that read()
  /// finds them in memory until drop(). If they cannot be loaded, read() reports the reason for the
  /// row at fault. Throws only if the run is being stopped.
  virtual void load(std::uint64_t block, std::span<const std::uint64_t> rows) {
    static_cast<void>(block);
    static_cast<void>(rows);
  }
  /// Frees the rows of a block, if there is one with this number.
  virtual void drop(std::uint64_t block) { static_cast<void>(block); }
};

enum class file_format : std::uint8_t { none, parquet, json, csv, tsv };

/// Returns the format by the ending of the name, and `none` for all other files.
[[nodiscard]] file_format format_of(std::string_view name);

/// A file that is to be opened as a data_file.
struct file_to_open {
  std::string path;
  std::string title;  // for messages
  file_format format = file_format::none;
};

}  // namespace tables
