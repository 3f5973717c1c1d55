#include "simulator/transcription_request.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "simulator/form_data.hpp"
#include "simulator/media_type.hpp"
#include "simulator/sound_file.hpp"

namespace inferbench::simulator {

namespace {

constexpr double sound_tokens_a_second = 100;  // Whisper: one spectrum each 10 ms
constexpr std::size_t largest_file = std::size_t{25} << 20U;

/// Reads the fields of a form, like body_reader.
class form_reader {
 public:
  explicit form_reader(const std::vector<form_field>& fields) : fields_(fields) {}

  /// The last field with this name; nullptr if there is none, or if it has neither text nor file.
  [[nodiscard]] const form_field* find(std::string_view name) const {
    for (auto at = fields_.rbegin(); at != fields_.rend(); ++at)
      if (at->name == name) return at->value.empty() && !at->file_name ? nullptr : &*at;
    return nullptr;
  }

  void text(const char* name, std::string& out) {
    if (const form_field* const field = text_field(name)) out = field->value;
  }

  /// Accepts all spellings that pydantic accepts: a client in Python sends "True".
  void flag(const char* name, bool& out) {
    constexpr std::array<std::string_view, 6> on{"true", "1", "yes", "on", "t", "y"};
    constexpr std::array<std::string_view, 6> off{"false", "0", "no", "off", "f", "n"};
    const form_field* const field = text_field(name);
    if (field == nullptr) return;
    const auto is = [field](std::string_view word) {
      return base::equal_no_case(field->value, word);
    };
    if (std::ranges::any_of(on, is))
      out = true;
    else if (std::ranges::any_of(off, is))
      out = false;
    else
      refuse(name, "must be true or false.");
  }

  void integer(const char* name, std::int64_t minimum, std::optional<std::int64_t>& out) {
    const form_field* const field = text_field(name);
    if (field == nullptr) return;
    const auto value = base::parse_int(base::trim(field->value));
    if (!value || *value < minimum)
      return refuse(name, "must be a whole number of at least " + std::to_string(minimum) + ".");
    out = value;
  }

  void number(const char* name, double minimum, double maximum) {
    const form_field* const field = text_field(name);
    if (field == nullptr) return;
    const auto value = base::parse_float(base::trim(field->value));
    if (!value || !(*value >= minimum && *value <= maximum))
      refuse(name, "must be a number from " + base::shortest(minimum) + " to " +
                       base::shortest(maximum) + ".");
  }

  void refuse(std::string_view name, std::string_view clause, int status = 400) {
    if (!no_)
      no_ = refusal{status, std::string(name) + " " + std::string(clause), std::string(name)};
  }
  /// Refuses the request with a sentence of vLLM's.
  void refuse_with(std::string_view name, std::string_view sentence) {
    if (!no_) no_ = bad_request(std::string(name), std::string(sentence));
  }
  [[nodiscard]] std::optional<refusal> result() { return std::move(no_); }

 private:
  const form_field* text_field(const char* name) {
    const form_field* const field = no_ ? nullptr : find(name);
    if (field == nullptr || !field->file_name) return field;
    refuse(name, "must be a text, not a file.");
    return nullptr;
  }

  const std::vector<form_field>& fields_;
  std::optional<refusal> no_;
};

void read_file(form_reader& form, generation_request& out) {
  const form_field* const file = form.find("file");
  if (file == nullptr) return form.refuse("file", "is missing.");
  if (!file->file_name) {
    return form.refuse("file", "must be a file: its part of the form has no filename.", 422);
  }
  if (file->value.size() > largest_file)
    return form.refuse_with("file", "Maximum file size exceeded: a file may have 25 MiB.");
  const auto seconds = seconds_of_sound(file->value);
  if (!seconds) return form.refuse_with("file", "Invalid or unsupported audio file.");
  out.sound_seconds = *seconds;
  out.media.push_back({.kind = media::kind::sound,
                       .what = sent_medium::form::file,
                       .place = "file",
                       .type = std::string(ifb::cut_utf8(file->type, longest_media_word)),
                       .ending = std::string(ending_of(*file->file_name)),
                       .borrowed = file->value});
  // A product such as 1.1 * 100 is a little larger than the whole number.
  constexpr double rounding = 1e-6;
  out.sound_tokens =
      static_cast<std::uint64_t>(std::ceil(*seconds * sound_tokens_a_second - rounding));
}

/// A code of ISO 639-1, or one of the few longer codes that Whisper has.
bool is_language(std::string_view code) {
  return (code.size() == 2 || code.size() == 3) &&
         std::ranges::all_of(code, [](char c) { return c >= 'a' && c <= 'z'; });
}

void read_format(form_reader& form, const generation_request& out) {
  std::string format = "json";
  form.text("response_format", format);
  if (format == "srt" || format == "vtt")
    form.refuse_with("response_format", "Currently only support response_format: `text`, `json`");
  else if (format == "verbose_json")
    form.refuse_with("response_format", "Currently do not support verbose_json for " +
                                            (out.model.empty() ? "this model" : out.model));
  else if (format != "json" && format != "text")
    form.refuse("response_format", "must be json, text, srt, verbose_json or vtt.");
}

void read_stream(form_reader& form, generation_request& out) {
  form.flag("stream", out.stream);
  form.flag("stream_include_usage", out.include_usage);
  form.flag("stream_continuous_usage_stats", out.continuous_usage);
  if (!out.stream && (out.include_usage || out.continuous_usage))
    form.refuse_with(out.include_usage ? "stream_include_usage" : "stream_continuous_usage_stats",
                     "Stream options can only be defined when `stream=True`.");
  out.continuous_usage = out.continuous_usage && out.include_usage;
}

}  // namespace

std::optional<refusal> read_transcription(std::string_view content_type, std::string_view body,
                                          generation_request& out) {
  const api_kind kind = out.kind;
  out = {};
  out.kind = kind;
  const std::string boundary = boundary_of(content_type);
  if (boundary.empty())
    return bad_request("file",
                       "The body must be a form of type multipart/form-data with a boundary.");
  std::string fault;
  const auto fields = read_form(body, boundary, fault);
  if (!fields) return bad_request({}, fault);

  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  form_reader form(*fields);
  read_file(form, out);
  form.text("model", out.model);
  form.text("prompt", out.prompt);
  for (const char* const name : {"language", "to_language"}) {
    std::string language;
    form.text(name, language);
    if (!language.empty() && !is_language(language))
      form.refuse(name, "must be a code of ISO 639-1, such as en.");
  }
  read_format(form, out);
  read_stream(form, out);
  std::optional<std::int64_t> most;
  form.integer("max_completion_tokens", 1, most);
  if (most) out.max_tokens = static_cast<std::uint64_t>(*most);
  form.flag("ignore_eos", out.ignore_eos);
  bool beams = false;
  form.flag("use_beam_search", beams);
  if (beams) form.refuse("use_beam_search", "is not supported.");
  std::optional<std::int64_t> number;
  form.integer("seed", lowest, number);
  form.integer("top_k", -1, number);
  form.number("temperature", 0, infinity);
  form.number("top_p", 0, 1);
  form.number("min_p", 0, 1);
  for (const char* const name : {"frequency_penalty", "presence_penalty"})
    form.number(name, -2, 2);
  form.number("repetition_penalty", 0, infinity);
  for (const form_field& field : *fields)
    if (field.name == "timestamp_granularities[]" && field.value != "word" &&
        field.value != "segment")
      form.refuse("timestamp_granularities[]", "must be word or segment.");
  return form.result();
}

}  // namespace inferbench::simulator
