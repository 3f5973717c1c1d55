// CSV and TSV files, read in the way of pandas' read_csv, which `datasets` uses. DuckDB finds the
// types of the columns and writes the rows into a temporary Parquet file, so that any row can be
// read without reading the rows before it.
#pragma once

#include <filesystem>
#include <memory>

#include "data_file.hpp"
#include "database.hpp"

namespace tables {

/// A folder for the temporary files of one data set. The destructor removes it.
class conversion_folder {
 public:
  /// Creates the folder below the system's folder of temporary files (TMPDIR). Throws ifb::failure
  /// (IFB_E_IO).
  conversion_folder();
  conversion_folder(const conversion_folder&) = delete;
  conversion_folder& operator=(const conversion_folder&) = delete;
  ~conversion_folder();

  /// Returns the path for the conversion of file number `number` of the data set. All such paths
  /// must be passed to database::confine.
  [[nodiscard]] std::string file(std::size_t number) const;

 private:
  std::filesystem::path path_;
};

/// Converts the file into the Parquet file `target` and opens it. Empty values, and the texts that
/// pandas reads as missing values ("NA", "null", ...), become null; a column in which all other
/// values are integers, numbers or truth values has these types. Throws ifb::failure (IFB_E_DATA or
/// IFB_E_CONFIG, option "path").
[[nodiscard]] std::unique_ptr<data_file> open_csv(database& from, const file_to_open& file,
                                                  const std::string& target,
                                                  const std::vector<wanted_column>& columns);

}  // namespace tables
