#include "text_rows.hpp"

#include <array>

#include <inferbench/guard.hpp>

#include "answer_length.hpp"
#include "any_prompt.hpp"

namespace prompts {

ifb_dataset_info text_rows::prepare(const std::string& path) {
  if (chosen_.output_len) check_answer_length(*chosen_.output_len);
  tokenizer_ = host_.find_tokenizer();
  if (!tokenizer_ && chosen_.raw == nullptr)
    throw ifb::failure(IFB_E_CONFIG,
                       "prompts go through the model's chat template and are counted, which needs "
                       "a tokenizer; choose one with --tokenizer-mode");
  if (tokenizer_ && !chosen_.skip_chat_template) {
    chat_.emplace(*tokenizer_, chosen_.variables);
    chat_->require_template();
  } else if (!chosen_.skip_chat_template) {
    host_.info("there is no chat template without a tokenizer: prompts are sent as they are");
  }
  file_ = std::make_unique<files::json_lines>(host_, path);
  taken_.clear();
  look_through();
  const std::uint64_t rows = chosen_.category.empty() ? file_->rows() : taken_.size();
  const std::uint32_t rendered = chat_ ? std::uint32_t{IFB_DATASET_RENDERED} : 0U;
  return ifb::dataset_info(static_cast<std::int64_t>(rows),
                           IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE | rendered);
}

void text_rows::look_through() {
  const bool whole = file_->bytes() <= chosen_.looked_through;
  const bool chosen = !chosen_.category.empty();
  if (!whole && !chosen) return;
  std::set<std::string> seen;
  files::json_row row;
  for (std::uint64_t i = 0; i < file_->rows(); ++i) {
    if (i % 65536 == 65535) {
      host_.progress().report("looking through " + file_->path(), i, file_->rows());
      if (host_.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
    }
    file_->read(i, row);
    if (chosen && !is_taken(row, seen)) continue;
    if (chosen) taken_.push_back(i);
    if (!whole) continue;
    if (tokenizer_)
      static_cast<void>(text_(row));
    else
      static_cast<void>(any_prompt(row, chosen_.raw));
    static_cast<void>(answer_length(row));
  }
  if (chosen && taken_.empty()) refuse_category(seen);
}

bool text_rows::is_taken(const files::json_row& row, std::set<std::string>& seen) const {
  constexpr std::size_t most_named = 100;
  const auto category = files::string_of(files::find(row.object(), "category"));
  if (!category) return false;
  if (*category == chosen_.category) return true;
  if (seen.size() < most_named) seen.emplace(*category);
  return false;
}

void text_rows::refuse_category(const std::set<std::string>& seen) const {
  std::string known;
  for (const std::string& each : seen)
    known += (known.empty() ? "" : ", ") + each;
  throw ifb::failure(IFB_E_CONFIG,
                     file_->path() + ": no row has the category \"" + chosen_.category + "\"; " +
                         (known.empty() ? "none has any" : "there are " + known),
                     "category");
}

std::int64_t text_rows::answer_length(const files::json_row& row) const {
  if (chosen_.output_len && *chosen_.output_len != of_each_row) return *chosen_.output_len;
  if (chosen_.output_len) return answer_length_of(row);
  if (tokenizer_) return chosen_.usual_output_len;
  const rapidjson::Value* const said = files::find(row.object(), "output_tokens");
  return said == nullptr || said->IsNull() ? left_to_the_server : answer_length_of(row);
}

ifb::row_result text_rows::read(std::uint64_t row, ifb::arena memory, ifb_sample& out) const {
  if (!chosen_.category.empty()) {
    if (row >= taken_.size()) return ifb::row_result::end();
    row = taken_[row];
  }
  if (row >= file_->rows()) return ifb::row_result::end();
  files::json_row found;
  file_->read(row, found);
  out.output_tokens = answer_length(found);
  put_metadata(found, memory, out);
  if (tokenizer_)
    put_text(found, memory, out);
  else
    any_prompt(found, chosen_.raw).put(memory, out);
  return ifb::row_result::ok();
}

void text_rows::put_metadata(const files::json_row& row, ifb::arena memory, ifb_sample& out) {
  static constexpr std::array<const char*, 2> members{"workload_class", "expected"};
  const auto fields = memory.array<ifb_field>(members.size());
  for (const char* member : members) {
    const auto text = files::string_of(files::find(row.object(), member));
    if (text && !text->empty())
      fields[out.metadata_count++] = ifb::field(member, memory.copy(*text));
  }
  out.metadata = fields.data();
}

void text_rows::put_text(const files::json_row& row, ifb::arena memory, ifb_sample& out) const {
  const std::string_view text = text_(row);
  const std::string_view prompt = memory.copy(chat_ ? chat_->of_user(text) : text);
  out.input_tokens = static_cast<std::int64_t>(tokenizer_->count(prompt, IFB_ENCODE_SPECIAL));
  const auto parts = memory.array<ifb_part>(1);
  parts[0] = ifb::text_part(prompt);
  out.shape = IFB_PROMPT_TEXT;
  out.prompt = ifb::list_of(parts);
}

}  // namespace prompts
