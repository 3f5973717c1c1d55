// The sounds of part_maker.
#include <array>
#include <optional>
#include <utility>

#include "media_url.hpp"
#include "part_maker.hpp"
#include "recoding.hpp"

namespace row_media {

namespace {

using inferbench::media::precision;

constexpr const char* wav_type = "audio/wav";
constexpr const char* wav_name = "audio.wav";

constexpr std::array<std::pair<std::string_view, const char*>, 9> types = {{
    {".wav", wav_type},
    {".flac", "audio/flac"},
    {".mp3", "audio/mpeg"},
    {".mpga", "audio/mpeg"},
    {".ogg", "audio/ogg"},
    {".opus", "audio/ogg"},
    {".m4a", "audio/mp4"},
    {".aac", "audio/aac"},
    {".webm", "video/webm"},
}};

const char* type_of(std::string_view name) {
  for (const auto& [ending, type] : types)
    if (name.ends_with(ending)) return type;
  return "application/octet-stream";
}

// The samples and the rate in a value.
struct number_lists {
  const ifb::json_value* array;
  const ifb::json_value* rate;
};

std::optional<number_lists> numbers_in(const ifb::json_value& value) {
  if (value.IsArray() && value.Size() == 2) return number_lists{&value[0], &value[1]};
  const ifb::json_value* const array = ifb::find(value, "array");
  const ifb::json_value* const rate = ifb::find(value, "sampling_rate");
  if (array == nullptr || rate == nullptr) return std::nullopt;
  return number_lists{array, rate};
}

}  // namespace

part_maker::work part_maker::sound_of_path(const std::string& text, sound_use use) const {
  if (is_web_url(text)) throw unusable("a sound is a path, and not the URL " + shown(text));
  if (!is_file_url(text)) refuse_other_scheme(text);
  const std::string path = where_.resolved(is_file_url(text) ? path_of_file_url(text) : text);
  const std::string name = "the sound " + shown(path);
  work out;
  if (use == sound_use::upload) {
    out.name = path.substr(path.rfind('/') + 1);
    out.mime = type_of(out.name);
    out.key = "file " + path;
    out.make = [this, path, name] { return with_length(where_.read(path), name); };
    return out;
  }
  out.name = wav_name;
  out.mime = wav_type;
  out.key = "wav " + path;
  out.make = [this, path, name] { return to_wav(where_.read(path), precision::float64, name); };
  return out;
}

part_maker::work part_maker::sound_work(const ifb::json_value& value, sound_use use,
                                        std::string_view key) const {
  if (value.IsString()) return sound_of_path(std::string(ifb::text_of(&value)), use);
  work out;
  out.name = wav_name;
  out.mime = wav_type;
  if (!key.empty()) out.key = "wav of " + std::string(key);
  if (const auto numbers = numbers_in(value)) {
    out.make = [numbers = *numbers] {
      return to_wav(read_samples(*numbers.array, *numbers.rate), "the sound");
    };
    return out;
  }
  const ifb::json_value* const bytes = ifb::find(value, "bytes");
  if (bytes != nullptr && bytes->IsString()) {
    out.make = [bytes = ifb::text_of(bytes)] {
      return to_wav(bytes, precision::float32, "the sound");
    };
    return out;
  }
  const std::string_view path = ifb::text_of(ifb::find(value, "path"));
  if (!path.empty()) return sound_of_path(std::string(path), use);
  throw unusable(
      "a sound is a path, an object with \"array\" and \"sampling_rate\", \"bytes\" or \"path\", "
      "or a list of samples and rate");
}

}  // namespace row_media
