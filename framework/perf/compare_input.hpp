// Reads the files of `perf compare`: benchmark_results.json, a flat array of rows with titles of
// columns as keys, as `perf convert` writes it. One thread.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/json_reader.hpp>

namespace inferbench::perf {

/// The title of the column with the concurrency.
inline constexpr std::string_view concurrency_title = "# of max concurrency.";

/// A file that is compared. It owns its rows; they are valid as long as the file, also after it was
/// moved.
struct compared_file {
  std::string path;
  std::string label;  // heads the column of the file; unique among the files of a comparison
  ifb::json_document document;
  std::vector<const ifb::json_value*> rows;  // objects
  std::string concurrency;                   // the file's own title for concurrency_title

  /// The cell of row `row` under `title`, which is a title of upstream's; nullptr if the row does
  /// not have it.
  [[nodiscard]] const ifb::json_value* cell(const ifb::json_value& row,
                                            std::string_view title) const;
  /// Whether a row has the column.
  [[nodiscard]] bool has(std::string_view title) const;
};

/// The name of the test in a row: the text under "Test name", "test_name" or "Test Name"; else an
/// empty text.
[[nodiscard]] std::string_view compared_test_name(const ifb::json_value& row);

/// The rows of a JSON text: an array of objects, or an object with the array under "results",
/// "serving_results", "benchmarks" or "data". NaN and Infinity are numbers. `concurrency` is not
/// set. Throws base::error with the path for any other text.
[[nodiscard]] compared_file parse_compared_file(std::string_view text, const std::string& path);

/// Finds the file's title for the concurrency: concurrency_title, another known spelling, else the
/// first column of whole numbers from 1 whose title contains "concurr" and that has more than one
/// value. Throws base::error if there is none.
void find_concurrency(compared_file& in);

/// Labels the files: the folder of the path, or the name of the file if the path has no folder.
/// Files that would get the same label get their path, and a number if the paths are equal, too.
void label_files(std::span<compared_file> files);

/// The rows of one file with the same sizes.
struct parallelism_piece {
  std::string path;  // splits/tp1_pp2/benchmark_results.json
  std::string text;  // the rows as JSON with two blanks of indentation, and a line break
};

/// Splits the rows whose test name contains "serving", in any case, by tensor and pipeline
/// parallel size, in ascending order. The rows get "TP Size" and "PP Size" in place of other
/// spellings; a size that is missing or is no whole number is 1. Throws base::error if no row
/// remains.
[[nodiscard]] std::vector<parallelism_piece> split_by_parallelism(const compared_file& whole);

}  // namespace inferbench::perf
