// Writes a WAV file with 16-bit integers into memory, piece by piece, with libsndfile.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <inferbench-media/media.hpp>

namespace inferbench::media::sndfile {

/// For a build without libsndfile: throws failure with cause::missing.
[[noreturn]] void lack();

/// For one thread at a time. All functions throw failure: with cause::missing if the build has no
/// libsndfile, with cause::data if the file exceeds most_wav_bytes.
class wav_writer {
 public:
  /// `expected`: the number of frames that will probably follow, for the first allocation; a number
  /// that exceeds most_wav_bytes is refused.
  wav_writer(std::uint32_t rate, std::uint32_t channels, std::uint64_t expected);
  ~wav_writer();
  wav_writer(const wav_writer&) = delete;
  wav_writer& operator=(const wav_writer&) = delete;

  /// Appends whole frames of interleaved samples. Samples outside -1 to 1 are clipped.
  void append(std::span<const double> samples);
  void append(std::span<const float> samples);

  /// Completes the file. To be called once. Throws failure if there is no frame.
  [[nodiscard]] wav_file finish();

 private:
  struct open_file;
  std::unique_ptr<open_file> to_;
};

}  // namespace inferbench::media::sndfile
