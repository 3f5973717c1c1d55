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

/// Immutable; any thread.
class row_context {
 public:
  /// `columns` as for tables::rows::open(). `hidden`: columns that no template uses, which are left
  /// out because they are large. `whole_row`: the templates use `row`.
  row_context(run_facts facts, std::vector<std::string> columns, std::vector<std::string> hidden,
              bool whole_row);

  /// Returns the variables for a row, as an object. Its texts refer to `row` and to this object, so
  /// it is valid as long as both.
  [[nodiscard]] ifb::json_document of(const ifb::json_value& row) const;

  /// Returns the name of a required column that has no value in the row, otherwise an empty text.
  [[nodiscard]] std::string missing(const ifb::json_value& row) const;

 private:
  run_facts facts_;
  std::vector<std::string> columns_;
  std::vector<std::string> hidden_;
  bool whole_row_;
};

}  // namespace hf
