// The rows of the user's own JSON-lines file, for data sets with media.
//
// No row is skipped: a row that cannot be used ends the run, and the message names its line. Before
// the run begins, all rows of files of up to 64 MB are checked, and the media of the rows that the
// run will read are decoded, until the media that are kept fill their budget. All other rows and
// media are checked when the run reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <inferbench/plugin.hpp>

#include "datasets/common/jsonl.hpp"
#include "media_folder.hpp"
#include "unusable.hpp"

namespace row_media {

/// The option of --custom-output-len, for own_rows.
template <typename owner>
constexpr auto output_len_option(std::optional<std::int64_t> owner::* where) {
  return ifb::option{"output-len", where,
                     "Answer length in tokens; -1: each row's output_tokens. If not given, 256."}
      .general()
      .flag("custom-output-len")
      .value_name("TOKENS");
}

/// Any thread may call the const functions after open().
class own_rows {
 public:
  /// `output_len`: the length of each answer in tokens, or -1 for the length in each row; nullopt:
  /// 256. `most_checked`: files with more bytes are not checked as a whole before the run.
  own_rows(ifb::host host, std::string path, std::optional<std::int64_t> output_len,
           std::size_t most_checked = std::size_t{64} << 20U)
      : host_(host), path_(std::move(path)), output_len_(output_len), most_checked_(most_checked) {}

  /// Finds the rows. Throws ifb::failure if the name of the file does not end in .jsonl, the file
  /// cannot be read, or the length of answers is not valid.
  void open();

  using row_check = std::function<void(const files::json_row&)>;
  /// Calls `check` for each row of the file, unless the file is too large. `check` throws unusable
  /// or ifb::failure. The line is added to the text of unusable.
  void check_rows(const row_check& check) const;

  using media_work = std::function<bool(const files::json_row&, std::uint64_t row)>;
  /// Calls `work` for the rows of the run, in its order and on several threads, until it returns
  /// false or has had as many bytes of rows as a file that is checked as a whole. `what` is for the
  /// progress, such as "decoding the sounds of".
  void prepare_media(const ifb_dataset_request& request, const std::string& what,
                     const media_work& work) const;

  /// Reads row `row` and calls `use`. Returns false if there is no such row. Throws like `use`,
  /// with the line added to the text of unusable.
  [[nodiscard]] bool with_row(std::uint64_t row, const row_check& use) const;

  [[nodiscard]] std::int64_t rows() const noexcept {
    return static_cast<std::int64_t>(file_->rows());
  }
  /// The folder of the file.
  [[nodiscard]] media_folder folder() const;
  /// The wanted length of the answer, in tokens. Throws like row.refuse() if the row has no valid
  /// length.
  [[nodiscard]] std::int64_t answer_length(const files::json_row& row) const;
  /// The number of tokens of `text`; 1 without a tokenizer.
  [[nodiscard]] std::int64_t count(std::string_view text) const;
  [[nodiscard]] const std::optional<ifb::service::tokenizer>& tokenizer() const noexcept {
    return tokenizer_;
  }

 private:
  ifb::host host_;
  std::string path_;
  std::optional<std::int64_t> output_len_;
  std::size_t most_checked_;
  std::optional<ifb::service::tokenizer> tokenizer_;
  std::unique_ptr<files::json_lines> file_;
};

}  // namespace row_media
