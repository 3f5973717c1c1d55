#include "av_input.hpp"
#include "codecs.hpp"

#if MEDIA_HAS_AV

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "framing.hpp"
#include "limits.hpp"
#include "webp.hpp"

namespace inferbench::media::av {
namespace {

// Half an hour of 1920 x 1080 pixels at 30 frames a second.
constexpr std::uint64_t most_video_pixels = std::uint64_t{1} << 37U;

// ---- what the file is --------------------------------------------------------------------------

bool is_iso(const input& file) { return file.format().starts_with("mov,"); }

bool holds_image(const input& file, std::string_view bytes) {
  const std::string_view format = file.format();
  const std::string_view brand = framing::brand(bytes);
  return format.ends_with("_pipe") || format == "gif" || format == "apng" || format == "ico" ||
         brand == "avif" || brand == "heic" || brand == "mif1";
}

kind kind_of(const input& file, std::string_view bytes) {
  if (holds_image(file, bytes)) return kind::image;
  if (file.find(AVMEDIA_TYPE_VIDEO) != nullptr) return kind::video;
  if (file.find(AVMEDIA_TYPE_AUDIO) != nullptr) return kind::sound;
  throw failure(cause::data, "the file has neither picture nor sound");
}

using names = std::pair<std::string_view, std::string_view>;

template <std::size_t count>
std::string_view lookup(const std::array<names, count>& table, std::string_view name) {
  const auto* const found = std::ranges::find(table, name, &names::first);
  return found == table.end() ? name : found->second;
}

std::string media_type(const input& file, std::string_view bytes, kind what) {
  constexpr std::array<names, 4> image_types{
      {{"mjpeg", "jpeg"}, {"jpeg2000", "jp2"}, {"apng", "png"}, {"mif1", "heif"}}};
  constexpr std::array<names, 4> video_types{
      {{"avi", "x-msvideo"}, {"asf", "x-ms-asf"}, {"ogg", "ogg"}, {"gif", "gif"}}};
  constexpr std::array<names, 2> sound_types{{{"mp3", "mpeg"}, {"au", "basic"}}};
  const std::string_view brand = framing::brand(bytes);
  std::string_view type;
  if (what == kind::image) {
    const AVCodecID codec = file.best(AVMEDIA_TYPE_VIDEO).codecpar->codec_id;
    type = lookup(image_types, brand.empty() ? avcodec_get_name(codec) : brand);
    return "image/" + std::string(type);
  }
  if (is_iso(file))
    type = brand == "qt  " ? "quicktime" : "mp4";
  else if (file.format().starts_with("matroska"))
    type = brand == "webm" ? "webm" : "x-matroska";
  else if (what == kind::video)
    type = lookup(video_types, file.format());
  else
    type = lookup(sound_types, file.format());
  return (what == kind::video ? "video/" : "audio/") + std::string(type);
}

// ---- decoding ----------------------------------------------------------------------------------

// Decodes a stream to its end.
class inspection {
 public:
  inspection(input& file, const AVStream& stream, std::string name, bool streamed)
      : file_(file),
        stream_(stream),
        name_(std::move(name)),
        streamed_(streamed),
        decoder_(stream, checks::strict, name_),
        frame_(make_frame()) {}

  /// Throws failure if a part cannot be decoded or is missing. `only_first` leaves out what follows
  /// the first frame.
  facts run(bool only_first) {
    const owned_packet packet = make_packet();
    do {
      const bool more = file_.read(*packet, stream_);
      if (more) note(*packet);
      decoder_.send(more ? packet.get() : nullptr);
      while (decoder_.receive(*frame_))
        count();
    } while (!decoder_.ended() && !(only_first && out_.frames > 0));
    if (out_.frames == 0) fail("has no frame");
    if (!only_first) compare();
    return out_;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw failure(cause::data, name_ + " " + why);
  }
  [[nodiscard]] bool is_sound() const { return stream_.codecpar->codec_type == AVMEDIA_TYPE_AUDIO; }

  void note(const AVPacket& packet) {
    if ((packet.flags & AV_PKT_FLAG_CORRUPT) != 0 && !streamed_) fail("ends early");
    ++packets_;
    ticks_ += std::max<std::int64_t>(packet.duration, 0);
    if ((packet.flags & AV_PKT_FLAG_DISCARD) != 0) {
      ++discarded_;
    } else if (packet.pts != AV_NOPTS_VALUE) {
      begin_ = std::min(begin_, packet.pts);
      end_ = std::max(end_, packet.pts + std::max<std::int64_t>(packet.duration, 0));
    }
  }

  void count() {
    if ((frame_->flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame_->decode_error_flags != 0)
      fail("has a damaged frame");
    is_sound() ? count_sound() : count_picture();
  }

  void count_picture() {
    const auto width = static_cast<std::uint32_t>(frame_->width);
    const auto height = static_cast<std::uint32_t>(frame_->height);
    if (out_.frames != 0 && (width != out_.width || height != out_.height))
      fail("changes its size after " + std::to_string(out_.frames) + " frames");
    out_.width = width;
    out_.height = height;
    ++out_.frames;
    if (out_.frames * width * height > most_video_pixels)
      fail("has too many frames: more than 30 minutes of 1920 x 1080 pixels");
  }

  void count_sound() {
    const auto rate = static_cast<std::uint32_t>(std::max(frame_->sample_rate, 0));
    const auto channels = static_cast<std::uint32_t>(std::max(channels_of(*frame_), 0));
    if (rate == 0 || channels == 0) fail("has no sample rate or no channel");
    if (out_.rate != 0 && (rate != out_.rate || channels != out_.channels))
      fail("changes its sample rate or its channels");
    out_.rate = rate;
    out_.channels = channels;
    out_.frames += static_cast<std::uint64_t>(std::max(frame_->nb_samples, 0));
    if (out_.frames > most_samples / channels) fail("has more samples than 24 hours at 48 kHz");
  }

  // Compares what was decoded with what the file announces.
  void compare() {
    if (is_sound()) {
      out_.frames = played(out_.frames, announced_end(file_, stream_, out_.rate));
      out_.seconds = static_cast<double>(out_.frames) / out_.rate;
      if (is_short()) fail("ends early");
    } else if (end_ > begin_) {
      out_.seconds = static_cast<double>(end_ - begin_) * av_q2d(stream_.time_base);
    }
    if (!is_iso(file_)) return;
    const auto announced =
        static_cast<std::uint64_t>(std::max(avformat_index_get_entries_count(&stream_), 0));
    if (packets_ != announced) fail("ends early");
    if (!is_sound() && out_.frames + discarded_ != packets_)
      fail("announces " + std::to_string(packets_ - discarded_) + " frames and has " +
           std::to_string(out_.frames));
  }

  // Whether less was decoded than the head of the file announces. Other demuxers than these
  // estimate the length.
  [[nodiscard]] bool is_short() const {
    const std::string_view format = file_.format();
    if (stream_.duration == AV_NOPTS_VALUE || streamed_) return false;
    // The number of packets, which includes silence that is not played.
    if (format == "mp3") return ticks_ < stream_.duration;
    const bool exact = format == "wav" || format == "flac" || format == "aiff" || format == "au";
    const double announced = static_cast<double>(stream_.duration) * av_q2d(stream_.time_base);
    return exact && out_.seconds < announced - 0.5 / out_.rate;
  }

  input& file_;
  const AVStream& stream_;
  std::string name_;
  bool streamed_;
  decoder decoder_;
  owned_frame frame_;
  facts out_;
  std::uint64_t packets_ = 0;
  std::uint64_t discarded_ = 0;  // decoded, and not shown
  std::int64_t ticks_ = 0;       // the duration of all packets
  std::int64_t begin_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t end_ = std::numeric_limits<std::int64_t>::min();
};

std::string noun(kind what) {
  switch (what) {
    case kind::image: return "image";
    case kind::video: return "video";
    case kind::sound: return "sound";
  }
  return {};
}
std::string with_article(kind what) { return (what == kind::image ? "an " : "a ") + noun(what); }

facts decoded(std::string_view bytes, AVMediaType type, const std::string& name, bool only_first) {
  input file(bytes, "the file", checks::strict);
  const AVStream& stream = file.best(type);
  return inspection(file, stream, name, framing::is_streamed(bytes)).run(only_first);
}

facts decoded_image(std::string_view bytes, bool only_first) {
  facts out;
  // FFmpeg does not know WebP animations.
  const auto first =
      webp::recognises(bytes) ? webp::first_of(bytes) : std::optional<webp::first_picture>();
  if (first) {
    out = decoded(first->file, AVMEDIA_TYPE_VIDEO, "the image", true);
    out.width = first->canvas.width;
    out.height = first->canvas.height;
  } else {
    out = decoded(bytes, AVMEDIA_TYPE_VIDEO, "the image", only_first);
  }
  out.frames = 1;
  out.seconds = 0;
  return out;
}

facts decoded_video(std::string_view bytes, bool with_sound) {
  const facts out = decoded(bytes, AVMEDIA_TYPE_VIDEO, "the video", false);
  if (with_sound)
    static_cast<void>(decoded(bytes, AVMEDIA_TYPE_AUDIO, "the sound of the video", false));
  return out;
}

}  // namespace

facts inspect(std::string_view file, kind expected) {
  if (file.empty()) throw failure(cause::data, "the file is empty");
  std::string type;
  bool with_sound = false;
  bool only_first = false;
  {
    const input opened(file, "the file", checks::strict);
    const kind found = kind_of(opened, file);
    type = media_type(opened, file, found);
    with_sound = opened.find(AVMEDIA_TYPE_AUDIO) != nullptr;
    // Transcriptions accept the sound of a video.
    if (found != expected && !(expected == kind::sound && with_sound))
      throw failure(cause::data, "the file is " + with_article(found) + " (" + type +
                                     "), and not " + with_article(expected));
    only_first = opened.format().ends_with("_pipe");
  }
  if (framing::ends_early(file))
    throw failure(cause::data, "the " + noun(expected) + " ends early");
  facts out;
  switch (expected) {
    case kind::image: out = decoded_image(file, only_first); break;
    case kind::video: out = decoded_video(file, with_sound); break;
    case kind::sound: out = decoded(file, AVMEDIA_TYPE_AUDIO, "the sound", false); break;
  }
  out.format = type;
  return out;
}

}  // namespace inferbench::media::av

#else

namespace inferbench::media::av {

facts inspect(std::string_view /*file*/, kind /*expected*/) { lack("the checks of media"); }

}  // namespace inferbench::media::av

#endif
