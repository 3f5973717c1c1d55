// The rows of a JSON-lines file as requests of one text each: what `custom`, `spec_bench` and
// `speed_bench` share. They differ in where a row has its text.
//
//   row -> [category] -> text -> [chat template] -> tokens counted, answer's length set
//                        or, without a tokenizer, a prompt of any shape
//
// Nothing is skipped: a row that is not as it must be ends the run, with its line. In files of
// up to 64 MB that is before the first request; of larger ones rows are looked at when their
// turn comes, since reading all of them would hold the first request up.
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
  /// of_each_row: as the row says. Nothing: as the row says, if it does, else left to the server;
  /// but with a tokenizer `usual_output_len`.
  std::optional<std::int64_t> output_len{};
  std::int64_t usual_output_len = 256;
  std::string category{};  // of the rows to take; empty: of all
  bool skip_chat_template = false;
  std::string variables{};  // of the chat template, a JSON object or empty
  /// Without a tokenizer this member of a row is its prompt, whatever it holds (any_prompt.hpp);
  /// null: there must be one.
  const char* raw = nullptr;
  /// Files of more bytes are not looked through before the run.
  std::size_t looked_through = std::size_t{64} << 20U;
};

/// One thread at a time.
class text_rows {
 public:
  /// The text of a row, as long as the row lives. Throws what row.refuse() throws.
  using text_of = std::string_view (*)(const files::json_row& row);

  text_rows(ifb::host host, choices chosen, text_of text)
      : host_(host), chosen_(std::move(chosen)), text_(text) {}

  /// Finds the rows of the file. Throws ifb::failure: a missing tokenizer, a file that cannot
  /// be read or is malformed, a category that no row has.
  [[nodiscard]] ifb_dataset_info prepare(const std::string& path);

  /// Of ifb::dataset. Throws ifb::failure.
  [[nodiscard]] ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out);

 private:
  void look_through();
  [[nodiscard]] bool is_taken(const files::json_row& row, std::set<std::string>& seen) const;
  [[noreturn]] void refuse_category(const std::set<std::string>& seen) const;
  [[nodiscard]] std::int64_t answer_length(const files::json_row& row) const;
  void put_text(ifb::arena memory, ifb_sample& out) const;

  ifb::host host_;
  choices chosen_;
  text_of text_;
  std::optional<ifb::service::tokenizer> tokenizer_;
  std::optional<chat> chat_;
  std::unique_ptr<files::json_lines> file_;
  std::vector<std::uint64_t> taken_;  // rows of the file; empty without a category
  files::json_row row_;
};

}  // namespace prompts
