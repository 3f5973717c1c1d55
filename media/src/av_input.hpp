// FFmpeg's objects with owners, a file in memory as FFmpeg's input, and decoders on one thread.
// Only the codecs of av_*.cpp include this file.
//
// A decoding loop:
//
//   av::input file(bytes, "the video");
//   const AVStream& stream = file.best(AVMEDIA_TYPE_VIDEO);
//   av::decoder decoder(stream, av::checks::lenient, "the video");
//   const av::owned_packet packet = av::make_packet();
//   const av::owned_frame frame = av::make_frame();
//   do {
//     decoder.send(file.read(*packet, stream) ? packet.get() : nullptr);
//     while (decoder.receive(*frame)) use(*frame);
//   } while (!decoder.ended());
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <inferbench-media/media.hpp>

#if MEDIA_HAS_AV
extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/frame.h>
}
#endif

namespace inferbench::media::av {

/// Throws failure with cause::missing: "this build of inferbench has no FFmpeg, which WHAT need".
/// For builds with MEDIA_HAS_AV equal to 0.
[[noreturn]] void lack(const char* what);

#if MEDIA_HAS_AV

struct release {
  void operator()(AVPacket* of) const noexcept { av_packet_free(&of); }
  void operator()(AVFrame* of) const noexcept { av_frame_free(&of); }
  void operator()(AVCodecContext* of) const noexcept { avcodec_free_context(&of); }
};
using owned_packet = std::unique_ptr<AVPacket, release>;
using owned_frame = std::unique_ptr<AVFrame, release>;
using owned_context = std::unique_ptr<AVCodecContext, release>;

/// Throw std::bad_alloc.
[[nodiscard]] owned_packet make_packet();
[[nodiscard]] owned_frame make_frame();
[[nodiscard]] owned_context make_context(const AVCodec* codec);

/// Makes FFmpeg write nothing to standard error and limits its memory, in the whole process. Each
/// class of this file calls it.
void set_up() noexcept;

/// A text for FFmpeg's error, such as "it is damaged, or of another format".
[[nodiscard]] std::string text_of(int error);

/// Returns `status` if it is not negative. Otherwise throws failure "WHAT: text_of(status)", or
/// std::bad_alloc if memory is short.
int check(int status, const std::string& what);

enum class checks : std::uint8_t {
  lenient,  // damaged data is decoded as far as possible
  strict    // damaged data is an error; checksums are compared
};

/// A file in memory, opened by the demuxer that recognises its content. FFmpeg cannot open another
/// file or a connection on behalf of the content, and reads only a list of common formats.
class input {
 public:
  /// `file` must outlive this object. `name`, such as "the video", begins the texts of failures.
  /// Throws failure if no demuxer recognises the file.
  input(std::string_view file, std::string name, checks care = checks::lenient);
  ~input();
  input(const input&) = delete;
  input& operator=(const input&) = delete;

  [[nodiscard]] const AVFormatContext& context() const noexcept { return *context_; }
  /// The short name of the demuxer: "mov,mp4,m4a,3gp,3g2,mj2", "webp_pipe".
  [[nodiscard]] std::string_view format() const noexcept { return context_->iformat->name; }

  /// The stream of this type that a player would choose, or nullptr. Pictures that are attached to
  /// a sound (covers) do not count.
  [[nodiscard]] const AVStream* find(AVMediaType type) const noexcept;
  /// The same stream. Throws failure if there is none.
  [[nodiscard]] const AVStream& best(AVMediaType type) const;

  /// Reads the next packet of `stream`, and leaves out packets of other streams. Returns false at
  /// the end of the file. Throws failure if the file cannot be read.
  bool read(AVPacket& out, const AVStream& stream);

 private:
  struct cursor {
    std::string_view file;
    std::size_t at = 0;
    std::uint64_t budget = 0;  // bytes that may still be read
  };
  static int read_bytes(void* opaque, std::uint8_t* out, int most) noexcept;
  static std::int64_t seek(void* opaque, std::int64_t offset, int whence) noexcept;
  void open(checks care);
  [[noreturn]] void fail_for_budget() const;
  void close() noexcept;

  cursor cursor_;
  std::string name_;
  std::uint64_t packets_ = 0;  // read so far, of all streams
  AVIOContext* io_ = nullptr;
  AVFormatContext* context_ = nullptr;
};

/// The decoder of a stream. It runs on the calling thread, and refuses pictures of more than
/// most_pixels.
class decoder {
 public:
  /// `name` begins the texts of failures. Throws failure if FFmpeg has no decoder for the stream.
  decoder(const AVStream& stream, checks care, std::string name);

  /// Passes a packet, or nullptr after the last packet. Call receive() until it returns false
  /// before the next packet. Throws failure if the packet cannot be decoded.
  void send(const AVPacket* data);
  /// Replaces `out` by the next frame. Returns false if the decoder needs the next packet, or has
  /// returned all frames. Throws failure if the data cannot be decoded.
  bool receive(AVFrame& out);
  /// Whether all frames have been returned.
  [[nodiscard]] bool ended() const noexcept { return ended_; }

  [[nodiscard]] const AVCodecContext& context() const noexcept { return *context_; }

 private:
  std::string name_;
  owned_context context_;
  bool ended_ = false;
};

/// The number of channels of a decoded frame of sound.
[[nodiscard]] inline int channels_of(const AVFrame& sound) noexcept {
#if LIBAVUTIL_VERSION_INT >= AV_VERSION_INT(57, 24, 100)
  return sound.ch_layout.nb_channels;
#else
  return sound.channels;
#endif
}

/// The last packets of a sound can contain silence behind its end, at most so many samples of each
/// channel.
inline constexpr std::uint64_t most_padding = 4096;

/// The number of samples of each channel before the end that an MP4 or Ogg file announces; 0 if the
/// file has another format or announces none.
[[nodiscard]] std::uint64_t announced_end(const input& file, const AVStream& sound,
                                          std::uint32_t rate) noexcept;

/// The number of samples of each channel to be played, of `decoded`. `announced`: see above; it is
/// ignored if more than padding would be left out.
[[nodiscard]] constexpr std::uint64_t played(std::uint64_t decoded,
                                             std::uint64_t announced) noexcept {
  const bool padded = announced != 0 && announced < decoded && decoded - announced <= most_padding;
  return padded ? announced : decoded;
}

#endif  // MEDIA_HAS_AV

}  // namespace inferbench::media::av
