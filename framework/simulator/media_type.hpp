// Names of the formats of images, videos and sounds: media types and endings of file names. No
// state.
#pragma once

#include <string>
#include <string_view>

namespace inferbench::simulator {

/// The name of the file format that a media type stands for: "jpeg" for "image/jpeg" and
/// "image/jpg", "mp4" for "video/mp4" and "audio/x-m4a", which are the same kind of file.
/// Parameters after a semicolon are ignored, and so is case. The name of an unknown format is the
/// word after the slash. Empty if the type does not tell the format: "",
/// "application/octet-stream", "image/*".
[[nodiscard]] std::string format_of_type(std::string_view media_type);

/// The same for an ending without its dot ("wav", "jpg"), which is also the form of the member
/// `format` of input_audio.
[[nodiscard]] std::string format_of_ending(std::string_view ending);

/// The ending of a file name, without its dot. Empty if the name has no ending, or more than 16
/// bytes after its last dot.
[[nodiscard]] std::string_view ending_of(std::string_view file_name) noexcept;

}  // namespace inferbench::simulator
