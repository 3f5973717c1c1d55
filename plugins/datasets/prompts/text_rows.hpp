// The rows of a JSON-lines file as requests with one text each, for `custom`, `spec_bench` and
// `speed_bench`. These datasets differ in the place of the text in a row.
//
//   row -> [category] -> text -> [chat template] -> tokens counted, answer's length set
//                        or, without a tokenizer, a prompt of any shape
//
// No row is skipped: a malformed row ends the run, and the message names its line. Files of up to
// 64 MB are checked before the first request. The rows of larger files are checked when they are
// read, because reading all of them would delay the first request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/plugin.hpp>

#include "chat.hpp"
#include "datasets/common/jsonl.hpp"

namespace prompts {

struct choices {
  /// of_each_row: the length in the row. nullopt: the length in the row if it has one; otherwise
  /// `usual_output_len` with a tokenizer, and no length without a tokenizer.
  std::optional<std::int64_t> output_len{};
  std::int64_t usual_output_len = 256;
  std::string category{};  // only rows of this category are used; empty: all rows
  bool skip_chat_template = false;
  std::string variables{};  // variables of the chat template: a JSON object, or empty
  /// The member of a row that is the prompt if there is no tokenizer. It may have any type
  /// (any_prompt.hpp). nullptr: a tokenizer is required.
  const char* raw = nullptr;
  /// Files with more bytes are not checked before the run.
  std::size_t looked_through = std::size_t{64} << 20U;
};

/// Any thread may call read() after prepare().
class text_rows {
 public:
  /// Returns the text of a row; the view lives as long as the row. Throws like row.refuse().
  using text_of = std::string_view (*)(const files::json_row& row);

  text_rows(ifb::host host, choices chosen, text_of text)
      : host_(host), chosen_(std::move(chosen)), text_(text) {}

  /// Finds the rows of the file. Throws ifb::failure for a missing tokenizer, for a file that
  /// cannot be read or is malformed, and for a category that no row has.
  [[nodiscard]] ifb_dataset_info prepare(const std::string& path);

  /// The functions of ifb::dataset. They throw ifb::failure.
  [[nodiscard]] ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) const;

 private:
  void look_through();
  [[nodiscard]] bool is_taken(const files::json_row& row, std::set<std::string>& seen) const;
  [[noreturn]] void refuse_category(const std::set<std::string>& seen) const;
  [[nodiscard]] std::int64_t answer_length(const files::json_row& row) const;
  /// A text in the member "workload_class" or "expected" becomes metadata of the sample.
  static void put_metadata(const files::json_row& row, ifb::arena memory, ifb_sample& out);
  void put_text(const files::json_row& row, ifb::arena memory, ifb_sample& out) const;

  ifb::host host_;
  choices chosen_;
  text_of text_;
  std::optional<ifb::service::tokenizer> tokenizer_;
  std::optional<chat> chat_;
  std::unique_ptr<files::json_lines> file_;
  // indices of the rows of the category; empty without a category
  std::vector<std::uint64_t> taken_;
};

}  // namespace prompts
