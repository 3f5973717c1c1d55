// Files in the forms in which they are sent.
#pragma once

#include <string>
#include <string_view>

#include <inferbench-media/media.hpp>

#include "media_store.hpp"
#include "sample_values.hpp"

namespace row_media {

// `name`: the file in messages, such as "the image /data/a.png". All functions throw unusable if
// the file cannot be decoded, and ifb::failure (IFB_E_UNSUPPORTED) if this build lacks the codec.

[[nodiscard]] encoded_medium to_jpeg(std::string_view file, inferbench::media::orientation turn,
                                     const std::string& name);
/// The image is turned upright.
[[nodiscard]] encoded_medium to_png(std::string_view file, const std::string& name);
[[nodiscard]] encoded_medium to_wav(std::string_view file, inferbench::media::precision between,
                                    const std::string& name);
[[nodiscard]] encoded_medium to_wav(const sample_values& sound, const std::string& name);
/// Returns the file unchanged, with the length of its sound.
[[nodiscard]] encoded_medium with_length(std::string file, const std::string& name);

}  // namespace row_media
