// Finds the file format of an image, a video or a sound from its media type or from the ending of
// its file name. Pure functions; the names of formats are in lower case.
#pragma once

#include <string>
#include <string_view>

namespace inferbench::simulator {

/// The name of the file format of a media type: "jpeg" for "image/jpeg" and "image/jpg", "mp4" for
/// "video/mp4" and "audio/x-m4a", which are files of the same format. Parameters after a semicolon
/// and the case of letters are ignored. For an unknown type, the name is the word after the slash,
/// without "x-" in front. Empty if the type does not tell the format: "",
/// "application/octet-stream", "image/*".
[[nodiscard]] std::string format_of_type(std::string_view media_type);

/// The name of the file format of an ending without its dot ("wav", "jpg"), or of the value of the
/// member `format` of `input_audio` in OpenAI's API. An unknown ending is its own name.
[[nodiscard]] std::string format_of_ending(std::string_view ending);

/// The ending of a file name, without its dot. Empty if the name has no ending, or more than 16
/// bytes after its last dot. The result points into `file_name`.
[[nodiscard]] std::string_view ending_of(std::string_view file_name) noexcept;

}  // namespace inferbench::simulator
