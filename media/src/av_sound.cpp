#include "av_input.hpp"
#include "codecs.hpp"

#if MEDIA_HAS_AV

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "limits.hpp"
#include "wav_writer.hpp"

namespace inferbench::media::av {
namespace {

constexpr const char* name = "the sound";

template <typename sample>
double scaled(sample value) noexcept {
  if constexpr (std::is_floating_point_v<sample>) {
    return static_cast<double>(value);
  } else if constexpr (std::is_unsigned_v<sample>) {
    static_assert(sizeof(sample) == 1);
    return (static_cast<double>(value) - 128) / 128;
  } else {
    return static_cast<double>(value) /
           (static_cast<double>(std::numeric_limits<sample>::max()) + 1);
  }
}

template <typename sample>
void copy(const AVFrame& from, bool planar, std::vector<double>& out) {
  const auto channels = static_cast<std::size_t>(channels_of(from));
  const auto count = static_cast<std::size_t>(from.nb_samples);
  out.resize(channels * count);
  if (!planar) {
    const auto* const at = reinterpret_cast<const sample*>(from.extended_data[0]);
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = scaled(at[i]);
    return;
  }
  for (std::size_t channel = 0; channel < channels; ++channel) {
    const auto* const at = reinterpret_cast<const sample*>(from.extended_data[channel]);
    for (std::size_t i = 0; i < count; ++i)
      out[i * channels + channel] = scaled(at[i]);
  }
}

// Replaces `out` by the samples of the frame, between -1 and 1.
void interleave(const AVFrame& sound, std::vector<double>& out) {
  const auto format = static_cast<AVSampleFormat>(sound.format);
  const bool planar = av_sample_fmt_is_planar(format) == 1;
  switch (av_get_packed_sample_fmt(format)) {
    case AV_SAMPLE_FMT_U8: return copy<std::uint8_t>(sound, planar, out);
    case AV_SAMPLE_FMT_S16: return copy<std::int16_t>(sound, planar, out);
    case AV_SAMPLE_FMT_S32: return copy<std::int32_t>(sound, planar, out);
    case AV_SAMPLE_FMT_S64: return copy<std::int64_t>(sound, planar, out);
    case AV_SAMPLE_FMT_FLT: return copy<float>(sound, planar, out);
    case AV_SAMPLE_FMT_DBL: return copy<double>(sound, planar, out);
    default: throw failure(cause::data, "the sound has samples of an unknown type");
  }
}

// The frames of the sound in a file, one after another.
class decoded_sound {
 public:
  explicit decoded_sound(std::string_view bytes)
      : file_(bytes, "the file"),
        stream_(file_.best(AVMEDIA_TYPE_AUDIO)),
        decoder_(stream_, checks::lenient, name),
        packet_(make_packet()),
        frame_(make_frame()) {}

  /// The next frame with samples, valid until the next call, or nullptr after the last frame.
  const AVFrame* next() {
    while (!decoder_.ended()) {
      if (decoder_.receive(*frame_)) {
        if (frame_->nb_samples <= 0) continue;
        count();
        return frame_.get();
      }
      if (!decoder_.ended()) decoder_.send(file_.read(*packet_, stream_) ? packet_.get() : nullptr);
    }
    return nullptr;
  }

  /// The length of the frames so far.
  [[nodiscard]] const sound_facts& facts() const noexcept { return facts_; }
  /// The end of the sound in frames, see announced_end(). To be called after next().
  [[nodiscard]] std::uint64_t announced() const noexcept {
    return announced_end(file_, stream_, facts_.rate);
  }

 private:
  void count() {
    const int rate = frame_->sample_rate;
    const int channels = channels_of(*frame_);
    if (rate <= 0 || channels <= 0)
      throw failure(cause::data, "the sound has no sample rate or no channel");
    if (facts_.rate == 0) {
      facts_.rate = static_cast<std::uint32_t>(rate);
      facts_.channels = static_cast<std::uint32_t>(channels);
    } else if (facts_.rate != static_cast<std::uint32_t>(rate) ||
               facts_.channels != static_cast<std::uint32_t>(channels)) {
      throw failure(cause::data, "the sample rate or the number of channels changes in the sound");
    }
    facts_.frames += static_cast<std::uint64_t>(frame_->nb_samples);
    if (facts_.frames > most_samples / facts_.channels)
      throw failure(cause::data, "the sound has more samples than 24 hours at 48 kHz");
  }

  input file_;
  const AVStream& stream_;
  decoder decoder_;
  owned_packet packet_;
  owned_frame frame_;
  sound_facts facts_;
};

}  // namespace

sound_facts inspect_sound(std::string_view file) {
  // The head of an MP4 file can count samples that are not played, and other formats estimate.
  decoded_sound from(file);
  bool more = true;
  while (more)
    more = from.next() != nullptr;
  sound_facts out = from.facts();
  if (out.frames == 0) throw failure(cause::data, "the sound has no samples");
  out.frames = played(out.frames, from.announced());
  return out;
}

wav_file to_wav(std::string_view file) {
  decoded_sound from(file);
  std::optional<sndfile::wav_writer> out;
  std::vector<double> samples;
  std::vector<double> padding;  // what follows the announced end
  while (const AVFrame* const frame = from.next()) {
    const sound_facts& facts = from.facts();
    if (!out) out.emplace(facts.rate, facts.channels, from.announced());
    interleave(*frame, samples);
    const std::uint64_t begin = facts.frames - static_cast<std::uint64_t>(frame->nb_samples);
    const std::uint64_t last = played(facts.frames, from.announced());
    const std::uint64_t kept = std::max(last, begin) - begin;
    const auto end = samples.begin() + static_cast<std::ptrdiff_t>(kept * facts.channels);
    if (last == facts.frames && !padding.empty()) out->append(std::exchange(padding, {}));
    out->append(std::span<const double>(samples.begin(), end));
    padding.insert(padding.end(), end, samples.end());
  }
  if (!out) throw failure(cause::data, "the sound has no samples");
  return out->finish();
}

}  // namespace inferbench::media::av

#else

namespace inferbench::media::av {

sound_facts inspect_sound(std::string_view /*file*/) {
  lack("sound files that libsndfile does not read");
}
wav_file to_wav(std::string_view /*file*/) { lack("sound files that libsndfile does not read"); }

}  // namespace inferbench::media::av

#endif
