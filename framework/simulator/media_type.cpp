#include "simulator/media_type.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"

namespace inferbench::simulator {

namespace {

// The word after the slash of a media type, or the ending of a file name, and the format's name. A
// container is one format, whatever it contains.
constexpr std::array<std::pair<std::string_view, std::string_view>, 47> format_words{{
    {"jpeg", "jpeg"},  {"jpg", "jpeg"},      {"jpe", "jpeg"},      {"jfif", "jpeg"},
    {"pjpeg", "jpeg"}, {"png", "png"},       {"apng", "png"},      {"vnd.mozilla.apng", "png"},
    {"webp", "webp"},  {"gif", "gif"},       {"bmp", "bmp"},       {"ms-bmp", "bmp"},
    {"tiff", "tiff"},  {"tif", "tiff"},      {"avif", "avif"},     {"heic", "heic"},
    {"heif", "heic"},  {"mp4", "mp4"},       {"m4a", "mp4"},       {"m4b", "mp4"},
    {"m4v", "mp4"},    {"mp4a-latm", "mp4"}, {"quicktime", "mp4"}, {"mov", "mp4"},
    {"3gpp", "mp4"},   {"3gp", "mp4"},       {"webm", "webm"},     {"matroska", "webm"},
    {"mkv", "webm"},   {"mka", "webm"},      {"msvideo", "avi"},   {"avi", "avi"},
    {"wav", "wav"},    {"wave", "wav"},      {"vnd.wave", "wav"},  {"pn-wav", "wav"},
    {"mp3", "mp3"},    {"mpeg3", "mp3"},     {"mpga", "mp3"},      {"flac", "flac"},
    {"ogg", "ogg"},    {"oga", "ogg"},       {"ogv", "ogg"},       {"opus", "ogg"},
    {"vorbis", "ogg"}, {"opus+ogg", "ogg"},
}};

/// An unknown word is its own format.
std::string format_of_word(std::string_view word) {
  if (word.starts_with("x-")) word.remove_prefix(2);
  const auto* const known =
      std::ranges::find(format_words, word, &std::pair<std::string_view, std::string_view>::first);
  return std::string(known == format_words.end() ? word : known->second);
}

}  // namespace

std::string format_of_type(std::string_view media_type) {
  const std::string type = base::lower_case(base::trim(media_type.substr(0, media_type.find(';'))));
  if (type.empty() || type == "application/octet-stream" || type == "binary/octet-stream" ||
      type.ends_with("/*"))
    return {};
  // MPEG is MP3 as a sound, and another format as a video.
  if (type == "audio/mpeg" || type == "audio/x-mpeg") return "mp3";
  const auto slash = type.find('/');
  return format_of_word(std::string_view(type).substr(slash == std::string::npos ? 0 : slash + 1));
}

std::string format_of_ending(std::string_view ending) {
  const std::string word = base::lower_case(ending);
  // OpenAI accepts the ending mpeg for sounds, and vLLM passes it on to a decoder of sounds.
  return word == "mpeg" ? "mp3" : format_of_word(word);
}

std::string_view ending_of(std::string_view file_name) noexcept {
  constexpr std::size_t longest = 16;
  const auto dot = file_name.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view ending = file_name.substr(dot + 1);
  return ending.size() > longest || ending.find('/') != std::string_view::npos ? std::string_view()
                                                                               : ending;
}

}  // namespace inferbench::simulator
