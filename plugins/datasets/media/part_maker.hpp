// Turns the values of a row into the parts of a sample. A value is a path, a URL, an object with
// the bytes of a file, or the samples of a sound.
//
// | image                                   | the part has                                 |
// | --------------------------------------- | -------------------------------------------- |
// | object with "bytes"                     | a JPEG file of the decoded image             |
// | object with "path" and null as "bytes"  | the same, made from the file at this path    |
// | text that begins with http://,          |                                              |
// | https://, file:// or data:              | this text as URI                             |
// | any other text                          | file:// and the absolute path as URI         |
//
// With `client_side`, the images that texts name, other than data: URIs, are read or fetched here,
// and the part has a PNG file of the decoded image, turned upright. A video is the same without
// decoding: the bytes of an object, as they are, or a URI. See sound_use for sound.
//
// Strings of ifb::json_value may contain any bytes, as the values of binary columns do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <inferbench-media/media.hpp>

#include <inferbench/host.hpp>
#include <inferbench/json_reader.hpp>

#include "media_folder.hpp"
#include "media_store.hpp"
#include "unusable.hpp"

namespace row_media {

/// The form in which a sound is sent.
enum class sound_use : std::uint8_t {
  /// A WAV file, "audio.wav", with 16-bit integers. Files are decoded to 64-bit floats if the value
  /// is a path, and to 32-bit floats if it is an object with "bytes", as in upstream.
  wav,
  /// A file that the value names is sent as it is, with its own name; otherwise like `wav`.
  upload
};

/// A part of kind IFB_PART_AUDIO and the length of its sound.
struct sound_part {
  ifb_part part;
  double seconds = 0;
};

/// Any thread may call the functions. A part points into the object and into the arena of its call.
/// All functions throw unusable for a fault of the medium. They throw ifb::failure for all other
/// faults: IFB_E_UNSUPPORTED if this build lacks the codec, IFB_E_CANCELLED.
///
/// `key` identifies the medium of an object or a list, such as "17/0" for the first image of row
/// 17, so that it can be kept. If `key` is empty, the medium is made anew in each call. A medium
/// that a path or URL names is kept in any case.
class part_maker {
 public:
  struct choices {
    bool client_side = false;  // images that texts name are read here
    // Images in objects. Upstream turns the images of columns that Hugging Face's library decodes,
    // and leaves images as they are stored where it decodes the bytes itself.
    inferbench::media::orientation turn = inferbench::media::orientation::as_stored;
    std::size_t budget = media_store::usual_budget;  // of the media that are kept, in bytes
  };

  part_maker(ifb::host host, media_folder where, choices chosen)
      : host_(host), where_(std::move(where)), chosen_(chosen), store_(chosen.budget) {}

  [[nodiscard]] ifb_part image(const ifb::json_value& value, std::string_view key,
                               ifb::arena memory) const;
  [[nodiscard]] ifb_part video(const ifb::json_value& value, std::string_view key,
                               ifb::arena memory) const;
  /// A text is a path or a file:// URI. An object has "array" and "sampling_rate", or "bytes", or
  /// "path". A list is [samples, rate]. See read_samples() for samples.
  [[nodiscard]] sound_part sound(const ifb::json_value& value, sound_use use, std::string_view key,
                                 ifb::arena memory) const;

  /// Throws unusable if the value has the wrong type, or if its path is not allowed. No file is
  /// read.
  void check_image(const ifb::json_value& value) const;
  void check_sound(const ifb::json_value& value) const;

  /// Makes the medium and keeps it, so that a fault becomes known before the run. Returns false if
  /// the budget does not suffice. Does nothing if the part has a URI.
  [[nodiscard]] bool prepare_image(const ifb::json_value& value, std::string_view key) const;
  [[nodiscard]] bool prepare_sound(const ifb::json_value& value, sound_use use,
                                   std::string_view key) const;

 private:
  /// The part that a value becomes, before its file is made.
  struct work {
    const char* mime = nullptr;
    std::string uri;          // if it is passed on; otherwise empty
    std::string key;          // for the store; may be empty
    media_store::maker make;  // uses the value
    std::string name;         // of the file
  };

  [[nodiscard]] work image_work(const ifb::json_value& value, std::string_view key) const;
  [[nodiscard]] work image_of_text(const std::string& text) const;
  [[nodiscard]] work jpeg_of_object(const ifb::json_value& value, std::string_view key) const;
  [[nodiscard]] work video_work(const ifb::json_value& value, std::string_view key) const;
  [[nodiscard]] work sound_work(const ifb::json_value& value, sound_use use,
                                std::string_view key) const;
  [[nodiscard]] work sound_of_path(const std::string& text, sound_use use) const;
  [[nodiscard]] std::string uri_of(const std::string& text) const;
  [[nodiscard]] ifb_part finish(ifb_part_kind kind, const work& todo, ifb::arena memory) const;
  [[nodiscard]] bool prepare(const work& todo) const;

  ifb::host host_;
  media_folder where_;
  choices chosen_;
  mutable media_store store_;
};

/// Returns the field input_audio_duration of a sample's metadata, in seconds. Its text lives in
/// `memory`.
[[nodiscard]] ifb_field duration_field(double seconds, ifb::arena memory);

}  // namespace row_media
