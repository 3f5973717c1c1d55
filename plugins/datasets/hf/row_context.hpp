// The variables of a recipe's templates: the columns of a row, `row` with all columns by name, and
// `run` with facts of the run.
#pragma once

#include <string>
#include <vector>

#include <inferbench/json_reader.hpp>

namespace hf {

inline constexpr const char* row_variable = "row";
inline constexpr const char* run_variable = "run";

/// The members of `run`.
struct run_facts {
  std::string tokenizer{};  // where the tokenizer was loaded from, else its name
  double blazedit_min_distance = 0;
  double blazedit_max_distance = 1;
  double asr_min_audio_len_sec = 0;
  double asr_max_audio_len_sec = 0;
};

/// May be used by only one thread at a time.
class row_context {
 public:
  /// `columns` as for tables::rows::open(). `whole_row`: the templates use `row`.
  row_context(run_facts facts, std::vector<std::string> columns, bool whole_row);

  /// Makes the context of a row. Its texts refer to `row`, so it is valid as long as `row`, and
  /// until the next call.
  void set(const ifb::json_value& row);
  [[nodiscard]] const ifb::json_value& get() const noexcept { return document_; }

  /// Returns the name of a required column that has no value in the row of set(), otherwise an
  /// empty text.
  [[nodiscard]] std::string missing() const;

 private:
  run_facts facts_;
  std::vector<std::string> columns_;
  bool whole_row_;
  const ifb::json_value* row_ = nullptr;  // of set()
  ifb::json_document document_;
};

}  // namespace hf
