// Data sets of Hugging Face's hub, or of local files in the same form, as recipes describe them.
// With the same seed and tokenizer the samples are the same as those of `vllm bench serve
// --dataset-name hf`.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include <inferbench/plugin.hpp>

#include "datasets/media/unusable.hpp"
#include "datasets/tables/rows.hpp"
#include "hub_options.hpp"
#include "media_reader.hpp"
#include "recipe_choice.hpp"
#include "request_maker.hpp"

namespace {

class hub_rows {
 public:
  static constexpr const char* id = "hf";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Data sets of Hugging Face's hub, and files of Parquet, JSON lines, JSON and CSV.";
  static constexpr const char* license = "Apache-2.0";

  using options = hf::hub_options;

  // The recipe is chosen here and not in prepare(): the host then refuses a data set that cannot be
  // used before it connects to the server.
  hub_rows(ifb::host host, const options& chosen, const ifb_config& config)
      : host_(host), chosen_(chosen) {
    if (chosen_.asr_min_audio_len_sec > longest_recording())
      throw ifb::failure(IFB_E_CONFIG,
                         "no recording is as long as the shortest and not longer than the longest; "
                         "lower it, or raise --asr-max-audio-len-sec",
                         "asr-min-audio-len-sec");
    choose(config.file == nullptr ? "" : config.file);
  }

  ifb_dataset_info prepare(const ifb_dataset_request& request);
  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) const;

 private:
  void choose(const std::string& library);
  void print_recipe() const;
  void open(const ifb_dataset_request& request);
  [[nodiscard]] bool drop_default(tables::request& from, const ifb::failure& why) const;
  void find_usual_columns(const tables::request& from);
  [[nodiscard]] double longest_recording() const;

  ifb::host host_;
  options chosen_;
  hf::recipe_choice choice_;
  std::optional<hf::request_maker> maker_;
  std::unique_ptr<tables::rows> rows_;
  std::optional<hf::media_reader> media_;  // if the recipe has media
};

ifb_dataset_info hub_rows::prepare(const ifb_dataset_request& request) {
  if (chosen_.print_recipe) print_recipe();
  const auto tokenizer = host_.find_tokenizer();
  if (!tokenizer)
    throw ifb::failure(IFB_E_CONFIG,
                       "prompts are counted, which needs a tokenizer; choose one with "
                       "--tokenizer-mode");
  maker_.emplace(host_, *tokenizer, choice_.of,
                 hf::request_choices{.output_tokens = chosen_.output_len,
                                     .skip_chat_template = chosen_.skip_chat_template,
                                     .multimodal_chat = chosen_.multimodal_chat,
                                     .chat_variables = chosen_.chat_template_kwargs.text},
                 hf::run_facts{.blazedit_min_distance = chosen_.blazedit_min_distance,
                               .blazedit_max_distance = chosen_.blazedit_max_distance,
                               .asr_min_audio_len_sec = chosen_.asr_min_audio_len_sec,
                               .asr_max_audio_len_sec = longest_recording()});
  open(request);
  if (!choice_.of.media.empty())
    media_.emplace(
        host_, choice_.of, rows_->attached(),
        hf::recording_lengths{.least = chosen_.asr_min_audio_len_sec, .most = longest_recording()});
  const auto known = rows_->count();
  const std::int64_t rows = known ? static_cast<std::int64_t>(*known) : -1;
  // The rows already are in their shuffled order.
  return ifb::dataset_info(rows,
                           IFB_DATASET_OVERSAMPLE | IFB_DATASET_PARALLEL |
                               (maker_->renders() ? std::uint32_t{IFB_DATASET_RENDERED} : 0U));
}

void hub_rows::choose(const std::string& library) {
  const hf::recipe_shelf shelf(host_, hf::recipe_folders(::secure_getenv, library));
  choice_ = hf::choose_recipe({.path = chosen_.path.text,
                               .name = chosen_.name,
                               .file = chosen_.recipe.text,
                               .column = chosen_.text_column},
                              shelf);
}

void hub_rows::print_recipe() const {
  host_.console().print(choice_.of.text);
  throw ifb::failure(IFB_E_CANCELLED, "the recipe was printed instead of samples");
}

void hub_rows::open(const ifb_dataset_request& request) {
  const hf::recipe& by = choice_.of;
  tables::request from{.path = choice_.path,
                       .revision = chosen_.revision,
                       .subset = chosen_.subset ? chosen_.subset : by.subset,
                       .split = chosen_.split ? chosen_.split : by.split,
                       .whole = chosen_.no_stream,
                       .shuffle = (request.flags & IFB_DATASET_IN_ORDER) == 0,
                       .seed = request.seed};
  for (;;) {
    try {
      rows_ = tables::rows::open(host_, from, maker_->columns());
      break;
    } catch (const ifb::failure& e) {
      if (!drop_default(from, e)) throw;
    }
    from.again = true;
  }
  from.again = true;
  if (choice_.guessed) find_usual_columns(from);
}

// A copy of a data set may lack the subset or the split that its recipe names, as a single file
// does. Returns whether `from` can be opened without it.
bool hub_rows::drop_default(tables::request& from, const ifb::failure& why) const {
  const auto dropped = [&](std::optional<std::string>& name, bool chosen) {
    if (!name || chosen) return false;
    host_.info(why.message() + "; this is the recipe's default, which is left out");
    name.reset();
    return true;
  };
  if (why.option() == "hf-subset") return dropped(from.subset, chosen_.subset.has_value());
  return why.option() == "hf-split" && dropped(from.split, chosen_.split.has_value());
}

// For a data set without a recipe, every column may be missing. If all of them are, the reader's
// error for a required column tells the columns that there are.
void hub_rows::find_usual_columns(const tables::request& from) {
  constexpr std::uint64_t looked_at = 10;
  tables::row row;
  for (std::uint64_t i = 0; i < looked_at; ++i) {
    try {
      if (!rows_->read(i, row)) break;
    } catch (const tables::unfit_row&) {
      continue;
    }
    if (row.object().MemberCount() == 0) continue;
    std::error_code ignored;
    const bool is_copy = chosen_.name.empty() && std::filesystem::exists(choice_.path, ignored);
    host_.info(
        "there is no recipe for " + (chosen_.name.empty() ? choice_.path : chosen_.name) +
        ": its columns are recognised by their names (--print-recipe shows how" +
        (is_copy ? "; for a copy of a data set of the hub give its id with --hf-name)" : ")"));
    return;
  }
  const std::string usual[] = {"prompt"};
  try {
    static_cast<void>(tables::rows::open(host_, from, usual));
  } catch (const ifb::failure& e) {
    if (e.code() != IFB_E_CONFIG) throw;
    throw ifb::failure(IFB_E_CONFIG,
                       e.message() + "; name the column of the prompts with --hf-text-column",
                       e.option());
  }
}

// In upstream a longest length of 0 means any length.
double hub_rows::longest_recording() const {
  return chosen_.asr_max_audio_len_sec == 0 ? std::numeric_limits<double>::infinity()
                                            : chosen_.asr_max_audio_len_sec;
}

ifb::row_result hub_rows::read(std::uint64_t row, ifb::arena memory, ifb_sample& out) const {
  tables::row found;
  try {
    if (!rows_->read(row, found)) return ifb::row_result::end();
  } catch (const tables::unfit_row& e) {
    return ifb::row_result::skip(row_media::unusable(e.reason()).what() + ("; " + found.place()));
  }
  std::string reason = maker_->make(found.object(), memory, out);
  if (reason.empty() && media_) reason = media_->add(found.object(), row, memory, out);
  if (reason.empty()) return ifb::row_result::ok();
  return ifb::row_result::skip(reason + "; " + found.place());
}

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<hub_rows>)
