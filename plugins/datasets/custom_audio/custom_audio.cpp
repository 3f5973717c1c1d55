// The user's own sounds, one for each row. With the same seed they are the same as the sounds of
// `vllm bench serve --dataset-name custom_audio`.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/plugin.hpp>

#include "datasets/common/jsonl.hpp"
#include "datasets/common/multimodal.hpp"
#include "datasets/media/own_rows.hpp"
#include "datasets/media/part_maker.hpp"
#include "datasets/prompts/chat.hpp"

namespace {

using row_media::sound_use;

std::string_view prompt_of(const files::json_row& row) {
  const ifb::json_value* const prompt = ifb::find(row.object(), "prompt");
  if (prompt == nullptr || prompt->IsNull()) return {};
  const auto text = files::string_of(prompt);
  if (!text) row.refuse("\"prompt\" must be a text");
  return *text;
}

// The words that are spoken, for a later comparison with the answer.
std::string_view transcript_of(const files::json_row& row) {
  const auto transcript = files::string_of(ifb::find(row.object(), "transcript"));
  return transcript ? *transcript : ifb::text_of(ifb::find(row.object(), "text"));
}

class custom_audio {
 public:
  static constexpr const char* id = "custom_audio";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Sounds that the rows of a JSON-lines file name.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_DATASET_PARALLEL;

  struct options {
    ifb::path path;
    std::optional<std::int64_t> output_len;
    bool multimodal_chat = false;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"path", &options::path,
                      "JSON lines file: {\"prompt\", \"audio\", \"output_tokens\"} on each line.",
                      nullptr, IFB_OPT_REQUIRED}
              .general(),
          row_media::output_len_option(&options::output_len),
          multimodal::chat_option(
              &options::multimodal_chat,
              "The prompts are for a chat model: they stay without the model's template.")};
    }
  };

  custom_audio(ifb::host host, const options& chosen)
      : host_(host), chosen_(chosen), rows_(host, chosen.path.text, chosen.output_len) {}

  ifb_dataset_info prepare(const ifb_dataset_request& request) {
    rows_.open();
    maker_.emplace(host_, rows_.folder(), row_media::part_maker::choices{});
    find_template();
    rows_.check_rows([this](const files::json_row& row) { check(row); });
    rows_.prepare_media(
        request, "decoding the sounds of", [this](const files::json_row& row, std::uint64_t index) {
          return maker_->prepare_sound(row.at("audio"), sound_use::wav, std::to_string(index));
        });
    const std::uint32_t rendered = chat_ ? std::uint32_t{IFB_DATASET_RENDERED} : 0U;
    return ifb::dataset_info(rows_.rows(), IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE | rendered);
  }

  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) const {
    const bool there =
        rows_.with_row(row, [&](const files::json_row& found) { put(found, row, memory, out); });
    return there ? ifb::row_result::ok() : ifb::row_result::end();
  }

 private:
  // For speech models the template is used if there is one.
  void find_template() {
    if (chosen_.multimodal_chat || !rows_.tokenizer()) return;
    chat_.emplace(*rows_.tokenizer(), std::string_view{});
    try {
      chat_->require_template();
    } catch (const ifb::failure& e) {
      if (e.code() != IFB_E_CONFIG) throw;
      chat_.reset();
    }
  }

  void check(const files::json_row& row) const {
    static_cast<void>(prompt_of(row));
    maker_->check_sound(row.at("audio"));
    static_cast<void>(rows_.answer_length(row));
  }

  void put(const files::json_row& row, std::uint64_t index, ifb::arena memory,
           ifb_sample& out) const {
    const std::string_view said = prompt_of(row);
    const std::string_view prompt = memory.copy(chat_ ? chat_->of_user(said) : said);
    const auto sound =
        maker_->sound(row.at("audio"), sound_use::wav, std::to_string(index), memory);
    const auto parts = memory.array<ifb_part>(2);
    parts[0] = ifb::text_part(prompt);
    parts[1] = sound.part;
    multimodal::put(parts, false, out);
    out.input_tokens = rows_.count(prompt);
    out.output_tokens = rows_.answer_length(row);

    const auto fields = memory.array<ifb_field>(2);
    fields[0] = row_media::duration_field(sound.seconds, memory);
    const std::string_view transcript = transcript_of(row);
    fields[1] = ifb::field("transcript", memory.copy(transcript));
    out.metadata = fields.data();
    out.metadata_count = transcript.empty() ? 1 : 2;
  }

  ifb::host host_;
  options chosen_;
  row_media::own_rows rows_;
  std::optional<row_media::part_maker> maker_;
  std::optional<prompts::chat> chat_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<custom_audio>)
