#include "codecs.hpp"
#include "limits.hpp"
#include "wav_writer.hpp"

#if MEDIA_HAS_SNDFILE

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "sndfile_io.hpp"

namespace inferbench::media::sndfile {
namespace {

struct read_position {
  std::string_view file;
  std::size_t at = 0;
};

// libsndfile's text for an error, "Error : flac decoder lost sync.", as the end of a message.
std::string reason_of(int error) {
  std::string_view text = sf_error_number(error);
  for (const std::string_view start : {"Error : ", "Error: "})
    if (text.starts_with(start)) text.remove_prefix(start.size());
  if (text.ends_with('.')) text.remove_suffix(1);
  return std::string(text);
}

sf_count_t read_bytes(void* out, sf_count_t most, void* opaque) noexcept {
  read_position& from = *static_cast<read_position*>(opaque);
  if (most <= 0 || from.at >= from.file.size()) return 0;
  const std::size_t bytes = std::min(static_cast<std::size_t>(most), from.file.size() - from.at);
  std::memcpy(out, from.file.data() + from.at, bytes);
  from.at += bytes;
  return static_cast<sf_count_t>(bytes);
}

SF_VIRTUAL_IO reading{
    .get_filelen = [](void* opaque) -> sf_count_t {
      return static_cast<sf_count_t>(static_cast<read_position*>(opaque)->file.size());
    },
    .seek = [](sf_count_t offset, int whence, void* opaque) -> sf_count_t {
      read_position& from = *static_cast<read_position*>(opaque);
      return moved(from.at, from.file.size(), offset, whence);
    },
    .read = &read_bytes,
    .write = [](const void*, sf_count_t, void*) -> sf_count_t { return 0; },
    .tell = [](void* opaque) -> sf_count_t {
      return static_cast<sf_count_t>(static_cast<read_position*>(opaque)->at);
    }};

// A sound file that libsndfile has opened. It is not moved: libsndfile knows the address of `from`.
class opened_sound {
 public:
  explicit opened_sound(std::string_view file) : from_{file} {
    file_ = opened(reading, SFM_READ, info_, &from_);
    if (file_ == nullptr) throw failure(cause::data, "libsndfile cannot read the sound");
    if (info_.samplerate < 1 || info_.channels < 1)
      throw failure(cause::data, "the sound has no sample rate or no channel");
  }

  [[nodiscard]] std::uint32_t rate() const { return static_cast<std::uint32_t>(info_.samplerate); }
  [[nodiscard]] std::uint32_t channels() const {
    return static_cast<std::uint32_t>(info_.channels);
  }
  /// As the head of the file says; 0 if it says nothing.
  [[nodiscard]] std::uint64_t frames() const {
    return info_.frames < 0 || info_.frames == SF_COUNT_MAX
               ? 0
               : static_cast<std::uint64_t>(info_.frames);
  }

  /// Calls `use` with the samples, in pieces of whole frames, up to the announced number of frames.
  template <typename sample, typename user>
  void each(user use) {
    const auto width = static_cast<std::size_t>(info_.channels);
    std::vector<sample> piece(std::max<std::size_t>(1, 65'536 / width) * width);
    std::uint64_t left = frames() == 0 ? UINT64_MAX : frames();
    // soundfile does it before it reads, and the decoder for MP3 returns slightly other samples
    // after it.
    if (info_.seekable != 0) sf_seek(file_.get(), 0, SEEK_SET);
    while (left > 0) {
      const auto wanted = std::min<std::uint64_t>(piece.size() / width, left);
      const sf_count_t got = read(piece.data(), static_cast<sf_count_t>(wanted));
      if (const int error = sf_error(file_.get()); error != SF_ERR_NO_ERROR)
        throw failure(cause::data, "the sound cannot be decoded: " + reason_of(error));
      if (got <= 0) return;
      use(std::span<const sample>(piece).first(static_cast<std::size_t>(got) * width));
      left -= static_cast<std::uint64_t>(got);
    }
  }

 private:
  sf_count_t read(float* out, sf_count_t frames) {
    return sf_readf_float(file_.get(), out, frames);
  }
  sf_count_t read(double* out, sf_count_t frames) {
    return sf_readf_double(file_.get(), out, frames);
  }

  read_position from_;
  SF_INFO info_{};
  handle file_;
};

// Decodes a sound whose head does not contain its length.
std::uint64_t counted(opened_sound& of) {
  std::uint64_t samples = 0;
  of.each<float>([&](std::span<const float> piece) {
    samples += piece.size();
    if (samples > most_samples)
      throw failure(cause::data, "the sound has more samples than 24 hours at 48 kHz");
  });
  return samples / of.channels();
}

template <typename sample>
wav_file converted(opened_sound& from) {
  wav_writer to(from.rate(), from.channels(), from.frames());
  from.each<sample>([&](std::span<const sample> piece) { to.append(piece); });
  return to.finish();
}

}  // namespace

bool recognises(std::string_view file) noexcept {
  try {
    const opened_sound found(file);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

sound_facts inspect(std::string_view file) {
  opened_sound from(file);
  sound_facts out{from.rate(), from.channels(), from.frames()};
  if (out.frames == 0) out.frames = counted(from);
  if (out.frames == 0) throw failure(cause::data, "the sound has no samples");
  return out;
}

wav_file to_wav(std::string_view file, precision between) {
  opened_sound from(file);
  return between == precision::float32 ? converted<float>(from) : converted<double>(from);
}

wav_file encode_wav(std::uint32_t rate, std::uint32_t channels, std::span<const double> samples) {
  wav_writer to(rate, channels, channels == 0 ? 0 : samples.size() / channels);
  to.append(samples);
  return to.finish();
}

}  // namespace inferbench::media::sndfile

#else

namespace inferbench::media::sndfile {

bool recognises(std::string_view /*file*/) noexcept { return false; }
sound_facts inspect(std::string_view /*file*/) { lack(); }
wav_file to_wav(std::string_view /*file*/, precision /*between*/) { lack(); }
wav_file encode_wav(std::uint32_t /*rate*/, std::uint32_t /*channels*/,
                    std::span<const double> /*samples*/) {
  lack();
}

}  // namespace inferbench::media::sndfile

#endif
