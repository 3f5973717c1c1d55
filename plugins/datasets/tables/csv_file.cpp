#include "csv_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <fstream>
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

char delimiter_of(const file_to_open& file) { return file.format == file_format::tsv ? '\t' : ','; }

/// Returns the file as a table in SQL. `columns` is the setting that gives the columns and their
/// types, or lets DuckDB find them.
std::string table_of(const file_to_open& file, const std::string& columns) {
  return "read_csv(" + sql_text(file.path) +
         ", header = true, delim = " + sql_text(std::string(1, delimiter_of(file))) +
         ", quote = '\"', escape = '\"', comment = '', skip = 0, null_padding = true, " + columns +
         ", nullstr = " + missing_values +
         ", max_line_size = " + std::to_string(largest_line_of_csv) +
         ", buffer_size = " + std::to_string(2 * largest_line_of_csv) + ")";
}

constexpr const char* columns_as_found =
    "sample_size = -1, auto_type_candidates = ['BIGINT', 'DOUBLE', 'BOOLEAN', 'VARCHAR']";

/// Returns the setting for as many columns of texts as the first 64 kB of the first line have.
std::string columns_of_header(const file_to_open& file) {
  std::ifstream in(file.path, std::ios::binary);
  std::string out = "auto_detect = false, columns = {'1': 'VARCHAR'";
  bool is_quoted = false;
  std::size_t count = 1;
  int left = 65536;
  for (char c = 0; left > 0 && in.get(c) && (is_quoted || c != '\n'); --left) {
    if (c == '"') is_quoted = !is_quoted;
    if (!is_quoted && c == delimiter_of(file))
      out += ", '" + std::to_string(++count) + "': 'VARCHAR'";
  }
  return out + "}";
}

/// Returns the reason with the line at fault, which DuckDB gives only if it need not find the
/// columns.
std::string reason_with_line(database& from, const file_to_open& file, const query_failure& why) {
  if (why.message().find("when sniffing") == std::string::npos) return why.message();
  try {
    from.query("SELECT count(*) FROM " + table_of(file, columns_of_header(file)));
  } catch (const query_failure& again) {
    if (!again.lacked_memory()) return again.message();
  }
  return why.message();
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
  const std::string sql = "COPY (SELECT * FROM " + table_of(file, columns_as_found) + ") TO " +
                          sql_text(target) +
                          " (FORMAT parquet, ROW_GROUP_SIZE 2048, USE_TMP_FILE false)";
  try {
    convert(from, sql, file.title);
  } catch (const query_failure& why) {
    std::string reason = "its rows are too large; convert it to Parquet or JSON lines";
    if (!why.lacked_memory()) reason = reason_with_line(from, file, why);
    if (reason.find("CSV Error on Line") != reason.npos)
      reason +=
          "; mend this line (line breaks inside a value do not count): a value with a separator, "
          "a quote or a line break must be in quotes, and each quote in it must be doubled";
    throw ifb::failure(IFB_E_DATA, file.title + " cannot be read as CSV: " + reason, "path");
  }
  return std::make_unique<parquet_file>(from, target, file.title, columns);
}

}  // namespace tables
