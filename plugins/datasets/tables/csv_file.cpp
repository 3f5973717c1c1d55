#include "csv_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <inferbench/guard.hpp>

#include "limits.hpp"
#include "parquet_file.hpp"

namespace tables {

namespace fs = std::filesystem;

namespace {

// The texts that pandas reads as missing values.
constexpr const char* missing_values =
    "['', '#N/A', '#N/A N/A', '#NA', '-1.#IND', '-1.#QNAN', '-NaN', '-nan', '1.#IND', '1.#QNAN', "
    "'<NA>', 'N/A', 'NA', 'NULL', 'NaN', 'None', 'n/a', 'nan', 'null']";

std::string table_of(const file_to_open& file) {
  return "read_csv(" + sql_text(file.path) +
         ", header = true, delim = " + (file.format == file_format::tsv ? "'\t'" : "','") +
         ", quote = '\"', escape = '\"', comment = '', skip = 0, sample_size = -1, "
         "null_padding = true, auto_type_candidates = ['BIGINT', 'DOUBLE', 'BOOLEAN', 'VARCHAR'], "
         "nullstr = " +
         missing_values + ", max_line_size = " + std::to_string(largest_line_of_csv) +
         ", buffer_size = " + std::to_string(2 * largest_line_of_csv) + ")";
}

void convert(database& from, const std::string& sql, const std::string& title) {
  try {
    from.query(sql);
  } catch (const query_failure& why) {
    if (!why.lacked_memory() || !from.raise_memory_limit(title)) throw;
    from.query(sql);
  }
}

}  // namespace

conversion_folder::conversion_folder() {
  std::error_code why;
  std::string name = (fs::temp_directory_path(why) / "inferbench-tables-XXXXXX").string();
  if (why || ::mkdtemp(name.data()) == nullptr)
    throw ifb::failure(IFB_E_IO,
                       "cannot write a temporary folder " + name + ": " +
                           (why ? why : std::error_code(errno, std::generic_category())).message() +
                           "; set TMPDIR to a folder that can be written");
  path_ = name;
}

conversion_folder::~conversion_folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string conversion_folder::file(std::size_t number) const {
  return (path_ / (std::to_string(number) + ".parquet")).string();
}

std::unique_ptr<data_file> open_csv(database& from, const file_to_open& file,
                                    const std::string& target,
                                    const std::vector<wanted_column>& columns) {
  // Small groups, because all rows of a group are in memory while the group is written.
  const std::string sql = "COPY (SELECT * FROM " + table_of(file) + ") TO " + sql_text(target) +
                          " (FORMAT parquet, ROW_GROUP_SIZE 2048, USE_TMP_FILE false)";
  try {
    convert(from, sql, file.title);
  } catch (const query_failure& why) {
    throw ifb::failure(IFB_E_DATA,
                       file.title + " cannot be read as CSV: " +
                           (why.lacked_memory() ? "its rows are too large; convert it to Parquet "
                                                  "or JSON lines"
                                                : why.message()),
                       "path");
  }
  return std::make_unique<parquet_file>(from, target, file.title, columns);
}

}  // namespace tables
