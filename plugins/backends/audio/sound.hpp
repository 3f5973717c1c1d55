// Turns the sound of a sample into a file to be sent.
#pragma once

#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/host.hpp>

namespace openai {

/// The views point into the arena, into the sample, or to literals.
struct sound {
  std::string_view file;  // the bytes of the file
  std::string_view name;
  std::string_view type;
};

/// Returns the only part of type AUDIO in `sample`. The part is one of the sample's media, or one
/// of the parts of its prompt:
/// - data of type "audio/pcm;rate=16000;format=f32;channels=1" are raw samples, little-endian and
///   interleaved. Without these parameters the format is s16, and there is one channel. The raw
///   samples become a WAV file with 16 bits per sample, "audio.wav";
/// - data of any other type are the bytes of the file;
/// - a URI file://PATH names a regular file to be read; its type is guessed from the name. Reading
///   blocks the calling thread for as long as the disk takes.
/// Throws ifb::failure: IFB_E_UNSUPPORTED if the sample does not have exactly one such part,
/// IFB_E_DATA for raw samples without a rate and for a file that is empty or has more than 512 MiB,
/// IFB_E_IO for a file that cannot be read.
[[nodiscard]] sound sound_of(const ifb_sample& sample, ifb::arena memory);

}  // namespace openai
