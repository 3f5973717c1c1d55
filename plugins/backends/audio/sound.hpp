// The sound of a sample as a file to be sent.
#pragma once

#include <optional>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/host.hpp>

namespace openai {

/// Views live in the arena, in the sample, or are literals.
struct sound {
  std::string_view file;  // its bytes
  std::string_view name;
  std::string_view type;
  std::optional<double> seconds;  // nothing if the file does not have them
};

/// The one AUDIO part of `sample`, among its media or else in a prompt of parts:
/// - data of type "audio/pcm;rate=16000;format=f32;channels=1" are raw samples, little-endian,
///   interleaved; format is s16 unless it says f32, channels 1 unless it says more. They
///   become a WAV file of 16 bits, "audio.wav";
/// - other data are the file itself;
/// - a URI file://PATH names a regular file to be read; its type is guessed from the name. Reading
///   blocks the calling thread, the worker that opens the request, for as long as the disk takes,
///   and other requests of the worker wait.
/// Throws ifb::failure: IFB_E_UNSUPPORTED for a sample without exactly one such part,
/// IFB_E_DATA for raw samples without a rate, IFB_E_IO for a file that cannot be read.
[[nodiscard]] sound sound_of(const ifb_sample& sample, ifb::arena memory);

}  // namespace openai
