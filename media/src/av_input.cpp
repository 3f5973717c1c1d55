#include "av_input.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

#include "framing.hpp"

#if MEDIA_HAS_AV
extern "C" {
#include <libavutil/avstring.h>
#include <libavutil/error.h>
#include <libavutil/log.h>
#include <libavutil/mathematics.h>
#include <libavutil/mem.h>
}
#endif

namespace inferbench::media::av {

void lack(const char* what) {
  throw failure(cause::missing,
                std::string("this build of inferbench has no FFmpeg, which ") + what + " need");
}

#if MEDIA_HAS_AV
namespace {

// Formats that hold the media themselves. Playlists, scripts and descriptions of streams, which
// name other files, are not among them; neither are formats whose streams are known only after
// their data were decoded.
constexpr const char* formats =
    "aac,ac3,aiff,amr,amrnb,amrwb,apng,asf,au,avi,bmp_pipe,eac3,flac,gif,ico,ivf,j2k_pipe,"
    "jpeg_pipe,jpegls_pipe,matroska,webm,mov,mp4,mp3,nistsphere,ogg,pam_pipe,pbm_pipe,pcx_pipe,"
    "pfm_pipe,pgm_pipe,png_pipe,ppm_pipe,qoi_pipe,sgi_pipe,tiff_pipe,w64,wav,webp_pipe";

// Decoders that FFmpeg itself contains, and libdav1d: the less code reads foreign data, the better.
constexpr const char* codecs =
    "bmp,gif,jpeg2000,jpegls,mjpeg,pam,pbm,pcx,pfm,pgm,png,apng,ppm,qoi,sgi,tiff,webp,"
    "av1,ffv1,h263,h264,hevc,libdav1d,mpeg1video,mpeg2video,mpeg4,msmpeg4v2,msmpeg4,prores,"
    "rawvideo,theora,vp8,vp9,wmv1,wmv2,wmv3,vc1,"
    "aac,ac3,adpcm_ima_qt,adpcm_ima_wav,adpcm_ms,alac,amrnb,amrwb,eac3,flac,gsm,gsm_ms,mp1,"
    "mp1float,mp2,mp2float,mp3,mp3float,opus,pcm_alaw,pcm_f32be,pcm_f32le,pcm_f64be,pcm_f64le,"
    "pcm_mulaw,pcm_s16be,pcm_s16le,pcm_s24be,pcm_s24le,pcm_s32be,pcm_s32le,pcm_s8,pcm_u8,speex,"
    "vorbis,wmapro,wmav1,wmav2";

constexpr int buffer_bytes = 32 * 1024;

// A content that makes its demuxer jump to and fro reads the file many times; files with sound and
// pictures in distant places do so within limits.
constexpr std::uint64_t budget_for(std::uint64_t bytes) { return 64 * bytes + (256U << 20U); }

// FFmpeg guesses the formats of large images badly. Returns nullptr for the formats that it
// recognises.
auto demuxer_of(std::string_view file) {
  using namespace std::string_view_literals;
  const char* name = nullptr;
  if (file.starts_with("\xFF\xD8\xFF"sv)) name = "jpeg_pipe";
  if (file.starts_with("\x89PNG\r\n\x1A\n"sv)) name = "png_pipe";
  return name == nullptr ? nullptr : av_find_input_format(name);
}

// FFmpeg's largest block of memory: a picture of most_pixels with 6 bytes a pixel.
constexpr std::size_t most_memory = std::size_t{1} << 30U;

// The sound of 24 hours has a tenth of it.
constexpr std::uint64_t most_packets = 40'000'000;

template <typename object>
object made(typename object::pointer of) {
  if (of == nullptr) throw std::bad_alloc();
  return object(of);
}

// The demuxer asks for another file.
int refuse(AVFormatContext* /*from*/, AVIOContext** /*out*/, const char* /*url*/, int /*flags*/,
           AVDictionary** /*options*/) {
  return AVERROR(EPERM);
}

int recognition(checks care) {
  return care == checks::strict ? AV_EF_CRCCHECK | AV_EF_BITSTREAM | AV_EF_BUFFER | AV_EF_EXPLODE
                                : 0;
}

}  // namespace

owned_packet make_packet() { return made<owned_packet>(av_packet_alloc()); }
owned_frame make_frame() { return made<owned_frame>(av_frame_alloc()); }
owned_context make_context(const AVCodec* codec) {
  return made<owned_context>(avcodec_alloc_context3(codec));
}

void set_up() noexcept {
  [[maybe_unused]] static const bool done = [] {
    av_log_set_level(AV_LOG_QUIET);
    av_max_alloc(most_memory);
    return true;
  }();
}

std::string text_of(int error) {
  if (error == AVERROR_EOF) return "it ends early";
  if (error == AVERROR_INVALIDDATA) return "it is damaged, or of another format";
  if (error == AVERROR_PATCHWELCOME) return "FFmpeg does not support a feature of it";
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(error, text.data(), text.size());
  return text.data();
}

int check(int status, const std::string& what) {
  if (status >= 0) return status;
  if (status == AVERROR(ENOMEM)) throw std::bad_alloc();
  throw failure(cause::data, what + ": " + text_of(status));
}

// ---- input -------------------------------------------------------------------------------------

input::input(std::string_view file, std::string name, checks care)
    : cursor_{file, 0, budget_for(file.size())}, name_(std::move(name)) {
  set_up();
  try {
    open(care);
  } catch (...) {
    close();
    throw;
  }
}

input::~input() { close(); }

void input::close() noexcept {
  avformat_close_input(&context_);
  // The demuxer may have replaced the buffer.
  if (io_ != nullptr) av_free(io_->buffer);
  avio_context_free(&io_);
}

void input::open(checks care) {
  auto* const buffer = static_cast<std::uint8_t*>(av_malloc(buffer_bytes));
  if (buffer == nullptr) throw std::bad_alloc();
  io_ = avio_alloc_context(buffer, buffer_bytes, 0, &cursor_, &read_bytes, nullptr, &seek);
  if (io_ == nullptr) {
    av_free(buffer);
    throw std::bad_alloc();
  }
  context_ = avformat_alloc_context();
  if (context_ == nullptr) throw std::bad_alloc();
  if (framing::announces_too_much(cursor_.file))
    throw failure(cause::data, name_ + " announces more samples than it has bytes");
  context_->pb = io_;
  context_->flags |= AVFMT_FLAG_CUSTOM_IO;
  context_->io_open = &refuse;
  context_->format_whitelist = av_strdup(formats);
  context_->protocol_whitelist = av_strdup("");
  context_->error_recognition = recognition(care);
  if (context_->format_whitelist == nullptr || context_->protocol_whitelist == nullptr)
    throw std::bad_alloc();
  // If it fails it frees the context.
  const int status = avformat_open_input(&context_, nullptr, demuxer_of(cursor_.file), nullptr);
  if (cursor_.budget == 0) fail_for_budget();
  if (status == AVERROR(EINVAL))
    throw failure(cause::data, name_ + " has a format that inferbench does not read");
  check(status, name_ + " cannot be read");
}

void input::fail_for_budget() const {
  throw failure(cause::data, name_ + " refers to the same data too many times");
}

int input::read_bytes(void* opaque, std::uint8_t* out, int most) noexcept {
  cursor& from = *static_cast<cursor*>(opaque);
  if (from.at >= from.file.size()) return AVERROR_EOF;
  const std::size_t bytes = std::min(static_cast<std::size_t>(most), from.file.size() - from.at);
  if (bytes > from.budget) {
    from.budget = 0;
    return AVERROR(EIO);
  }
  from.budget -= bytes;
  std::memcpy(out, from.file.data() + from.at, bytes);
  from.at += bytes;
  return static_cast<int>(bytes);
}

std::int64_t input::seek(void* opaque, std::int64_t offset, int whence) noexcept {
  cursor& from = *static_cast<cursor*>(opaque);
  const auto size = static_cast<std::int64_t>(from.file.size());
  std::int64_t base = 0;
  switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE: return size;
    case SEEK_SET: break;
    case SEEK_CUR: base = static_cast<std::int64_t>(from.at); break;
    case SEEK_END: base = size; break;
    default: return AVERROR(EINVAL);
  }
  // Positions after the end are allowed, as in files.
  if (offset < -base || offset > INT64_MAX - base) return AVERROR(EINVAL);
  from.at = static_cast<std::size_t>(base + offset);
  return base + offset;
}

const AVStream* input::find(AVMediaType type) const noexcept {
  const AVStream* first = nullptr;
  for (unsigned i = 0; i < context_->nb_streams; ++i) {
    const AVStream* const stream = context_->streams[i];
    if (stream->codecpar->codec_type != type ||
        (stream->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0)
      continue;
    if ((stream->disposition & AV_DISPOSITION_DEFAULT) != 0) return stream;
    if (first == nullptr) first = stream;
  }
  return first;
}

const AVStream& input::best(AVMediaType type) const {
  const AVStream* const found = find(type);
  if (found != nullptr) return *found;
  throw failure(cause::data,
                name_ + (type == AVMEDIA_TYPE_AUDIO ? " has no sound" : " has no picture"));
}

bool input::read(AVPacket& out, const AVStream& stream) {
  for (unsigned i = 0; i < context_->nb_streams; ++i)
    context_->streams[i]->discard =
        context_->streams[i] == &stream ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  do {
    av_packet_unref(&out);
    const int status = av_read_frame(context_, &out);
    if (++packets_ > most_packets) throw failure(cause::data, name_ + " has too many packets");
    if (cursor_.budget == 0) fail_for_budget();
    if (status == AVERROR_EOF) return false;
    check(status, name_ + " cannot be read");
  } while (out.stream_index != stream.index);
  return true;
}

// ---- decoder -----------------------------------------------------------------------------------

decoder::decoder(const AVStream& stream, checks care, std::string name) : name_(std::move(name)) {
  set_up();
  const AVCodec* const codec = avcodec_find_decoder(stream.codecpar->codec_id);
  if (codec == nullptr || av_match_list(codec->name, codecs, ',') <= 0)
    throw failure(cause::data, name_ + " has a codec that inferbench does not decode: " +
                                   avcodec_get_name(stream.codecpar->codec_id));
  context_ = make_context(codec);
  check(avcodec_parameters_to_context(context_.get(), stream.codecpar),
        name_ + " cannot be decoded");
  context_->pkt_timebase = stream.time_base;
  context_->thread_count = 1;
  context_->max_pixels = static_cast<std::int64_t>(most_pixels);
  context_->err_recognition = recognition(care);
  // FFmpeg's decoder would refuse files with a resolution.
  if (codec->id == AV_CODEC_ID_TIFF) context_->err_recognition &= ~AV_EF_EXPLODE;
  check(avcodec_open2(context_.get(), codec, nullptr), name_ + " cannot be decoded");
}

void decoder::send(const AVPacket* data) {
  if (ended_) return;
  check(avcodec_send_packet(context_.get(), data), name_ + " cannot be decoded");
}

bool decoder::receive(AVFrame& out) {
  const int status = avcodec_receive_frame(context_.get(), &out);
  if (status == AVERROR(EAGAIN)) return false;
  if (status == AVERROR_EOF) {
    ended_ = true;
    return false;
  }
  check(status, name_ + " cannot be decoded");
  return true;
}

std::uint64_t announced_end(const input& file, const AVStream& sound, std::uint32_t rate) noexcept {
  if (sound.duration <= 0 || sound.time_base.num <= 0 || sound.time_base.den <= 0 ||
      rate > INT32_MAX || !(file.format() == "ogg" || file.format().starts_with("mov,")))
    return 0;
  const std::int64_t end =
      av_rescale_q(sound.duration, sound.time_base, {1, static_cast<int>(rate)});
  return end <= 0 ? 0 : static_cast<std::uint64_t>(end);
}

#endif  // MEDIA_HAS_AV

}  // namespace inferbench::media::av
