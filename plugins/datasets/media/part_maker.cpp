#include "part_maker.hpp"

#include <optional>

#include <inferbench/json_writer.hpp>

#include "media_url.hpp"
#include "recoding.hpp"

namespace row_media {

namespace {

ifb_part blank_part(ifb_part_kind kind, const char* mime) {
  ifb_part out{};
  out.struct_size = sizeof out;
  out.kind = kind;
  out.mime = mime;
  return out;
}

std::string kind_of(const ifb::json_value& value) {
  switch (value.GetType()) {
    case rapidjson::kNullType: return "null";
    case rapidjson::kNumberType: return "a number";
    case rapidjson::kStringType: return "a text";
    case rapidjson::kArrayType: return "a list";
    case rapidjson::kObjectType: return "an object without them";
    default: return "a truth value";
  }
}

// Returns the bytes of a file that an object contains; nullopt if there are none and the object has
// a path instead. Throws unusable for every other value.
std::optional<std::string_view> bytes_of(const ifb::json_value& value, const char* what) {
  const ifb::json_value* const bytes = ifb::find(value, "bytes");
  if (bytes != nullptr && bytes->IsString()) return ifb::text_of(bytes);
  const bool path = !ifb::text_of(ifb::find(value, "path")).empty();
  if (path && (bytes == nullptr || bytes->IsNull())) return std::nullopt;
  throw unusable(std::string(what) + " is a path, a URL or an object with \"bytes\", not " +
                 kind_of(value));
}

std::string path_in(const ifb::json_value& value) {
  return std::string(ifb::text_of(ifb::find(value, "path")));
}

std::string kept_as(const char* form, std::string_view key) {
  return key.empty() ? std::string{} : form + std::string(key);
}

}  // namespace

// Everything that is not a URI is a path, which the server reads.
std::string part_maker::uri_of(const std::string& text) const {
  if (is_web_url(text) || is_file_url(text) || text.starts_with("data:")) return text;
  refuse_other_scheme(text);
  return "file://" + where_.resolved(text);
}

part_maker::work part_maker::image_of_text(const std::string& text) const {
  work out;
  if (!chosen_.client_side || text.starts_with("data:")) {
    out.mime = "image/*";  // the server detects the exact type
    out.uri = uri_of(text);
    return out;
  }
  out.mime = "image/png";
  if (is_web_url(text)) {
    out.key = "png " + text;
    out.make = [this, text] {
      return to_png(fetch_media(host_, text), "the image " + shown(text));
    };
    return out;
  }
  if (!is_file_url(text)) refuse_other_scheme(text);
  const std::string path = where_.resolved(is_file_url(text) ? path_of_file_url(text) : text);
  out.key = "png " + path;
  out.make = [this, path] { return to_png(where_.read(path), "the image " + shown(path)); };
  return out;
}

part_maker::work part_maker::jpeg_of_object(const ifb::json_value& value,
                                            std::string_view key) const {
  work out;
  out.mime = "image/jpeg";
  if (const auto bytes = bytes_of(value, "an image")) {
    out.key = kept_as("jpeg of ", key);
    out.make = [turn = chosen_.turn, bytes = *bytes] { return to_jpeg(bytes, turn, "the image"); };
    return out;
  }
  const std::string path = where_.resolved(path_in(value));
  out.key = "jpeg " + path;
  out.make = [this, path] {
    return to_jpeg(where_.read(path), chosen_.turn, "the image " + shown(path));
  };
  return out;
}

part_maker::work part_maker::image_work(const ifb::json_value& value, std::string_view key) const {
  if (!value.IsString()) return jpeg_of_object(value, key);
  return image_of_text(std::string(ifb::text_of(&value)));
}

part_maker::work part_maker::video_work(const ifb::json_value& value, std::string_view key) const {
  work out;
  out.mime = "video/*";
  if (value.IsString()) {
    out.uri = uri_of(std::string(ifb::text_of(&value)));
  } else if (const auto bytes = bytes_of(value, "a video")) {
    if (bytes->empty()) throw unusable("the video has no bytes");
    out.mime = "video/mp4";
    out.key = kept_as("video of ", key);
    out.make = [bytes = *bytes] { return encoded_medium{std::string(bytes)}; };
  } else {
    out.uri = uri_of(path_in(value));
  }
  return out;
}

ifb_part part_maker::finish(ifb_part_kind kind, const work& todo, ifb::arena memory) const {
  ifb_part out = blank_part(kind, todo.mime);
  if (todo.uri.empty())
    out.data = ifb::bytes(store_.get(todo.key, memory, todo.make).file);
  else
    out.uri = ifb::str(memory.copy(todo.uri));
  return out;
}

ifb_part part_maker::image(const ifb::json_value& value, std::string_view key,
                           ifb::arena memory) const {
  return finish(IFB_PART_IMAGE, image_work(value, key), memory);
}

ifb_part part_maker::video(const ifb::json_value& value, std::string_view key,
                           ifb::arena memory) const {
  return finish(IFB_PART_VIDEO, video_work(value, key), memory);
}

sound_part part_maker::sound(const ifb::json_value& value, sound_use use, std::string_view key,
                             ifb::arena memory) const {
  const work todo = sound_work(value, use, key);
  const medium_view made = store_.get(todo.key, memory, todo.make);
  sound_part out{blank_part(IFB_PART_AUDIO, todo.mime), made.seconds};
  out.part.data = ifb::bytes(made.file);
  out.part.name = ifb::str(memory.copy(todo.name));
  return out;
}

void part_maker::check_image(const ifb::json_value& value) const {
  static_cast<void>(image_work(value, {}));
}

void part_maker::check_sound(const ifb::json_value& value) const {
  static_cast<void>(sound_work(value, sound_use::wav, {}));
}

bool part_maker::prepare_image(const ifb::json_value& value, std::string_view key) const {
  return prepare(image_work(value, key));
}

bool part_maker::prepare_sound(const ifb::json_value& value, sound_use use,
                               std::string_view key) const {
  return prepare(sound_work(value, use, key));
}

bool part_maker::prepare(const work& todo) const {
  return !todo.uri.empty() || store_.fill(todo.key, todo.make);
}

ifb_field duration_field(double seconds, ifb::arena memory) {
  std::string text;
  ifb::append_python_float(text, seconds);
  return ifb::field("input_audio_duration", memory.copy(text));
}

}  // namespace row_media
