// Makes requests from the rows of a data set by a recipe: filters, prompt, chat template, lengths.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <inferbench/plugin.hpp>

#include "datasets/prompts/chat.hpp"
#include "datasets/tables/rows.hpp"
#include "recipe.hpp"
#include "row_context.hpp"

namespace hf {

/// The user's choices for a run.
struct request_choices {
  std::optional<std::int64_t> output_tokens{};  // nullopt: as the recipe says
  bool skip_chat_template = false;
  bool multimodal_chat = false;
  std::string chat_variables{};  // a JSON object for the model's chat template, or empty
};

/// Immutable; any thread.
class request_maker {
 public:
  /// `of` must outlive the object. `facts.tokenizer` is filled in here. Throws ifb::failure
  /// (IFB_E_CONFIG) if the prompts need a chat template and the model has none.
  request_maker(ifb::host host, const ifb::service::tokenizer& tokenizer, const recipe& of,
                request_choices chosen, run_facts facts);

  /// The columns to read, for tables::rows::open().
  [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }
  /// Whether prompts are rendered with the model's chat template.
  [[nodiscard]] bool renders() const noexcept { return chat_.has_value(); }

  /// Fills in `out`, without media, and returns an empty text, or returns the reason why the row
  /// cannot be used.
  [[nodiscard]] std::string make(const ifb::json_value& row, ifb::arena memory,
                                 ifb_sample& out) const;

 private:
  struct lengths {
    std::int64_t prompt = 0;
    std::int64_t answer = 0;
    bool recorded = false;  // the answer's length is that of the recorded answer
  };
  struct texts {
    std::string prompt;
    std::string transcript;
  };

  // `variables`: of the row, for templates.
  void choose_template(ifb::host host);
  [[nodiscard]] std::string refusing_filter(const ifb::json_value& variables) const;
  [[nodiscard]] std::string prompt_text(const ifb::json_value& variables) const;
  void measure_answer(const ifb::json_value& variables, lengths& of) const;
  [[nodiscard]] std::string outside_limits(const lengths& of) const;
  void put(const texts& from, ifb::arena memory, ifb_sample& out) const;

  ifb::service::tokenizer tokenizer_;
  const recipe* recipe_;
  request_choices chosen_;
  std::vector<std::string> columns_;
  row_context context_;
  std::optional<prompts::chat> chat_;
};

}  // namespace hf
