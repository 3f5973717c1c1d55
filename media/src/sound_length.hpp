// Sounds that end early, and which decoders take for shorter sounds.
#pragma once

#include <string_view>

namespace inferbench::media {

/// Throws failure if a WAV file has fewer bytes of samples than its head announces, or if an MP3
/// file ends within a frame or has fewer frames than its head announces. A WAV file that was
/// written without knowledge of its length is whole. Other files are not checked: their decoders
/// refuse them.
void check_sound_length(std::string_view file);

}  // namespace inferbench::media
