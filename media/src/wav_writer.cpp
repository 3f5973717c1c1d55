#include "wav_writer.hpp"

#if MEDIA_HAS_SNDFILE

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "limits.hpp"
#include "sndfile_io.hpp"

namespace inferbench::media::sndfile {

namespace {

[[noreturn]] void too_long() {
  throw failure(cause::data, "the sound is too long: its WAV file has more than " +
                                 std::to_string(most_wav_bytes >> 20U) + " MiB");
}

}  // namespace

struct wav_writer::open_file {
  SF_INFO info{};
  std::string bytes;
  std::size_t at = 0;
  bool no_memory = false;
  std::uint64_t frames = 0;
  handle file;  // destroyed first: closing the file writes its head

  static sf_count_t write(const void* data, sf_count_t size, void* opaque) noexcept {
    open_file& to = *static_cast<open_file*>(opaque);
    const auto count = static_cast<std::size_t>(size);
    try {
      if (to.at + count > to.bytes.size()) to.bytes.resize(to.at + count);
    } catch (const std::exception&) {
      to.no_memory = true;
      return 0;
    }
    std::memcpy(to.bytes.data() + to.at, data, count);
    to.at += count;
    return size;
  }

  template <typename sample>
  void append(std::span<const sample> samples,
              sf_count_t (*put)(SNDFILE*, const sample*, sf_count_t)) {
    const auto width = static_cast<std::size_t>(info.channels);
    if (bytes.size() + samples.size() * 2 > most_wav_bytes) too_long();
    const auto count = static_cast<sf_count_t>(samples.size() / width);
    if (put(file.get(), samples.data(), count) == count) {
      frames += static_cast<std::uint64_t>(count);
      return;
    }
    if (no_memory) throw std::bad_alloc();
    throw failure(cause::data,
                  std::string("the WAV file cannot be written: ") + sf_strerror(file.get()));
  }
};

wav_writer::wav_writer(std::uint32_t rate, std::uint32_t channels, std::uint64_t expected)
    : to_(std::make_unique<open_file>()) {
  static SF_VIRTUAL_IO writing{
      .get_filelen = [](void* opaque) -> sf_count_t {
        return static_cast<sf_count_t>(static_cast<open_file*>(opaque)->bytes.size());
      },
      .seek = [](sf_count_t offset, int whence, void* opaque) -> sf_count_t {
        open_file& to = *static_cast<open_file*>(opaque);
        return moved(to.at, to.bytes.size(), offset, whence);
      },
      .read = [](void*, sf_count_t, void*) -> sf_count_t { return 0; },
      .write = &open_file::write,
      .tell = [](void* opaque) -> sf_count_t {
        return static_cast<sf_count_t>(static_cast<open_file*>(opaque)->at);
      }};
  if (rate == 0 || rate > INT32_MAX || channels == 0 || channels > UINT16_MAX)
    throw failure(cause::data, "a WAV file cannot have " + std::to_string(channels) +
                                   " channels and " + std::to_string(rate) + " samples a second");
  if (expected > most_wav_bytes / 2 / channels) too_long();
  // The expected number can be wrong, and is not worth more memory than the first growth saves.
  constexpr std::uint64_t most_reserved = 64U << 20U;
  to_->bytes.reserve(
      static_cast<std::size_t>(std::min(most_reserved, 44 + expected * channels * 2)));
  to_->info.samplerate = static_cast<int>(rate);
  to_->info.channels = static_cast<int>(channels);
  to_->info.format = SF_FORMAT_WAV | SF_FORMAT_PCM_16;
  to_->file = opened(writing, SFM_WRITE, to_->info, to_.get());
  if (to_->file == nullptr)
    throw failure(cause::data, "libsndfile cannot write a WAV file with " +
                                   std::to_string(channels) + " channels and " +
                                   std::to_string(rate) + " samples a second");
  // Without clipping, samples outside -1 to 1 would overflow.
  sf_command(to_->file.get(), SFC_SET_CLIPPING, nullptr, SF_TRUE);
}

wav_writer::~wav_writer() = default;

void wav_writer::append(std::span<const double> samples) {
  to_->append(samples, &sf_writef_double);
}
void wav_writer::append(std::span<const float> samples) { to_->append(samples, &sf_writef_float); }

wav_file wav_writer::finish() {
  if (to_->frames == 0) throw failure(cause::data, "the sound has no samples");
  to_->file.reset();
  if (to_->no_memory) throw std::bad_alloc();
  return {std::move(to_->bytes),
          {static_cast<std::uint32_t>(to_->info.samplerate),
           static_cast<std::uint32_t>(to_->info.channels), to_->frames}};
}

}  // namespace inferbench::media::sndfile

#else

namespace inferbench::media::sndfile {

void lack() {
  throw failure(cause::missing,
                "this build of inferbench has no libsndfile, which sound files need");
}

struct wav_writer::open_file {};
wav_writer::wav_writer(std::uint32_t /*rate*/, std::uint32_t /*channels*/,
                       std::uint64_t /*expected*/) {
  lack();
}
wav_writer::~wav_writer() = default;
void wav_writer::append(std::span<const double> /*samples*/) { lack(); }
void wav_writer::append(std::span<const float> /*samples*/) { lack(); }
wav_file wav_writer::finish() { lack(); }

}  // namespace inferbench::media::sndfile

#endif
