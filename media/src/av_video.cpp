#include "av_input.hpp"
#include "codecs.hpp"

#if MEDIA_HAS_AV

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <exception>
#include <new>
#include <utility>

extern "C" {
#include <libavutil/imgutils.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>
}

namespace inferbench::media::av {
namespace {

constexpr const char* failed = "the video cannot be encoded";
constexpr int rate = 30;                // frames a second
constexpr std::uint32_t widest = 8191;  // MPEG-4 Part 2 writes width and height in 13 bits

struct free_scaler {
  void operator()(SwsContext* of) const noexcept { sws_freeContext(of); }
};
using scaler = std::unique_ptr<SwsContext, free_scaler>;

// ---- a muxer that writes into memory -----------------------------------------------------------

#if LIBAVFORMAT_VERSION_MAJOR >= 61
using written = const std::uint8_t;
#else
using written = std::uint8_t;
#endif

class output {
 public:
  explicit output(const char* format) {
    set_up();
    try {
      open(format);
    } catch (...) {
      close();
      throw;
    }
  }
  output(const output&) = delete;
  output& operator=(const output&) = delete;
  ~output() { close(); }

  [[nodiscard]] AVFormatContext* get() noexcept { return context_; }

  // Returns the file that was written.
  [[nodiscard]] std::string take() {
    avio_flush(io_);
    if (no_memory_) throw std::bad_alloc();
    check(io_->error, failed);
    return std::move(bytes_);
  }

 private:
  void open(const char* format) {
    constexpr int buffer_bytes = 64 * 1024;
    check(avformat_alloc_output_context2(&context_, nullptr, format, nullptr),
          "FFmpeg has no muxer for this format");
    auto* const buffer = static_cast<std::uint8_t*>(av_malloc(buffer_bytes));
    if (buffer == nullptr) throw std::bad_alloc();
    io_ = avio_alloc_context(buffer, buffer_bytes, 1, this, nullptr, &write, &seek);
    if (io_ == nullptr) {
      av_free(buffer);
      throw std::bad_alloc();
    }
    context_->pb = io_;
    // Neither the time nor FFmpeg's version is in the file: equal frames make equal files.
    context_->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_BITEXACT;
  }

  void close() noexcept {
    avformat_free_context(context_);
    if (io_ != nullptr) av_free(io_->buffer);
    avio_context_free(&io_);
  }

  static int write(void* opaque, written* from, int count) noexcept {
    output& to = *static_cast<output*>(opaque);
    const auto size = static_cast<std::size_t>(count);
    try {
      if (to.at_ + size > to.bytes_.size()) to.bytes_.resize(to.at_ + size);
    } catch (const std::exception&) {
      to.no_memory_ = true;
      return AVERROR(ENOMEM);
    }
    std::memcpy(to.bytes_.data() + to.at_, from, size);
    to.at_ += size;
    return count;
  }

  static std::int64_t seek(void* opaque, std::int64_t offset, int whence) noexcept {
    output& to = *static_cast<output*>(opaque);
    if (whence == AVSEEK_SIZE) return static_cast<std::int64_t>(to.bytes_.size());
    if (whence != SEEK_SET || offset < 0) return AVERROR(EINVAL);
    to.at_ = static_cast<std::size_t>(offset);
    return offset;
  }

  std::string bytes_;
  std::size_t at_ = 0;
  bool no_memory_ = false;
  AVIOContext* io_ = nullptr;
  AVFormatContext* context_ = nullptr;
};

// ---- the encoder -------------------------------------------------------------------------------

owned_context opened_encoder(const video_view& of, int flags) {
  const AVCodec* const codec = avcodec_find_encoder(AV_CODEC_ID_MPEG4);
  if (codec == nullptr)
    throw failure(cause::missing,
                  "FFmpeg was built without its encoder for MPEG-4, which videos need");
  owned_context out = make_context(codec);
  out->width = static_cast<int>(of.width);
  out->height = static_cast<int>(of.height);
  out->pix_fmt = AV_PIX_FMT_YUV420P;
  out->time_base = {1, rate};
  out->framerate = {rate, 1};
  out->codec_tag = MKTAG('m', 'p', '4', 'v');
  // The bit rate and the distance of key frames are OpenCV's, with which upstream makes videos.
  out->bit_rate = std::min<std::int64_t>(std::int64_t{rate} * of.width * of.height, INT32_MAX / 2);
  out->gop_size = 12;
  out->thread_count = 1;
  out->flags |= flags;
  check(avcodec_open2(out.get(), codec, nullptr), failed);
  return out;
}

void write_packets(AVCodecContext& from, AVPacket& packet, AVFormatContext* to, AVStream& stream) {
  while (true) {
    const int status = avcodec_receive_packet(&from, &packet);
    if (status == AVERROR(EAGAIN) || status == AVERROR_EOF) return;
    check(status, failed);
    packet.stream_index = stream.index;
    packet.duration = 1;
    av_packet_rescale_ts(&packet, from.time_base, stream.time_base);
    check(av_interleaved_write_frame(to, &packet), failed);
  }
}

void check_view(const video_view& of) {
  if (of.width == 0 || of.height == 0 || of.width > widest || of.height > widest)
    throw failure(cause::data, "an MPEG-4 video has from 1 to " + std::to_string(widest) +
                                   " pixels in a row and in a column, and not " +
                                   std::to_string(of.width) + " x " + std::to_string(of.height));
  if (of.frames == 0) throw failure(cause::data, "a video has at least one frame");
  if (of.rgb.size() != std::uint64_t{of.width} * of.height * 3 * of.frames)
    throw failure(cause::data, "the pixels of the video do not fill its frames");
}

}  // namespace

std::string encode_mp4(const video_view& frames) {
  check_view(frames);
  const int width = static_cast<int>(frames.width);
  const int height = static_cast<int>(frames.height);
  output file("mp4");
  const bool global_header = (file.get()->oformat->flags & AVFMT_GLOBALHEADER) != 0;
  const owned_context encoder = opened_encoder(
      frames, AV_CODEC_FLAG_BITEXACT | (global_header ? AV_CODEC_FLAG_GLOBAL_HEADER : 0));
  AVStream* const stream = avformat_new_stream(file.get(), nullptr);
  if (stream == nullptr) throw std::bad_alloc();
  stream->time_base = encoder->time_base;
  stream->avg_frame_rate = encoder->framerate;
  check(avcodec_parameters_from_context(stream->codecpar, encoder.get()), failed);
  check(avformat_write_header(file.get(), nullptr), failed);

  const scaler scale(sws_getContext(width, height, AV_PIX_FMT_RGB24, width, height,
                                    AV_PIX_FMT_YUV420P, SWS_BILINEAR, nullptr, nullptr, nullptr));
  if (scale == nullptr) throw failure(cause::data, failed);
  const owned_packet packet = make_packet();
  const owned_frame picture = make_frame();
  picture->width = width;
  picture->height = height;
  picture->format = AV_PIX_FMT_YUV420P;
  check(av_frame_get_buffer(picture.get(), 0), failed);
  for (std::uint32_t i = 0; i < frames.frames; ++i) {
    // The encoder may still refer to the previous picture.
    check(av_frame_make_writable(picture.get()), failed);
    const std::array<const std::uint8_t*, 4> from{
        frames.rgb.data() + std::size_t{i} * frames.width * frames.height * 3};
    const std::array<int, 4> stride{3 * width};
    check(sws_scale(scale.get(), from.data(), stride.data(), 0, height, picture->data,
                    picture->linesize),
          failed);
    picture->pts = i;
    check(avcodec_send_frame(encoder.get(), picture.get()), failed);
    write_packets(*encoder, *packet, file.get(), *stream);
  }
  check(avcodec_send_frame(encoder.get(), nullptr), failed);
  write_packets(*encoder, *packet, file.get(), *stream);
  check(av_write_trailer(file.get()), failed);
  return file.take();
}

}  // namespace inferbench::media::av

#else

namespace inferbench::media::av {

std::string encode_mp4(const video_view& /*frames*/) { lack("videos"); }

}  // namespace inferbench::media::av

#endif
