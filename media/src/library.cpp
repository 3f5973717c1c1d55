// The shared library's entry: it chooses the codec for each file, and turns exceptions into
// troubles.
#include <exception>
#include <new>
#include <utility>

#include "codecs.hpp"
#include "sound_length.hpp"
#include "table.hpp"

namespace inferbench::media {
namespace {

// Calls `work` and stores its result, or why it failed.
template <typename result, typename job>
void run(result& out, trouble& why, job work) noexcept {
  try {
    out = work();
  } catch (const failure& e) {
    why = {e.what(), e.kind()};
  } catch (const std::bad_alloc&) {
    why = {"there is not enough memory to hold it", cause::data};
  } catch (const std::exception& e) {
    why = {e.what(), cause::data};
  }
}

image decoded(std::string_view file, orientation turn) {
  if (file.empty()) throw failure(cause::data, "the file is empty");
  if (jpeg::recognises(file)) return jpeg::decode(file, turn);
  if (png::recognises(file)) return png::decode(file, turn);
  return av::decode_image(file, turn);
}

sound_facts inspected(std::string_view file) {
  if (file.empty()) throw failure(cause::data, "the file is empty");
  check_sound_length(file);
  return sndfile::recognises(file) ? sndfile::inspect(file) : av::inspect_sound(file);
}

wav_file converted(std::string_view file, precision between) {
  if (file.empty()) throw failure(cause::data, "the file is empty");
  check_sound_length(file);
  return sndfile::recognises(file) ? sndfile::to_wav(file, between) : av::to_wav(file);
}

constexpr table functions{
    .version = INFERBENCH_VERSION,
    .decode_image =
        [](std::string_view file, orientation turn, image& out, trouble& why) noexcept {
          run(out, why, [&] { return decoded(file, turn); });
        },
    .encode_jpeg =
        [](const image_view& pixels, std::string& out, trouble& why) noexcept {
          run(out, why, [&] { return jpeg::encode(pixels); });
        },
    .encode_png = [](const image_view& pixels, std::string& out,
                     trouble& why) noexcept { run(out, why, [&] { return png::encode(pixels); }); },
    .encode_mp4 =
        [](const video_view& frames, std::string& out, trouble& why) noexcept {
          run(out, why, [&] { return av::encode_mp4(frames); });
        },
    .inspect_sound = [](std::string_view file, sound_facts& out,
                        trouble& why) noexcept { run(out, why, [&] { return inspected(file); }); },
    .to_wav =
        [](std::string_view file, precision between, wav_file& out, trouble& why) noexcept {
          run(out, why, [&] { return converted(file, between); });
        },
    .encode_wav =
        [](std::uint32_t rate, std::uint32_t channels, std::span<const double> samples,
           wav_file& out, trouble& why) noexcept {
          run(out, why, [&] { return sndfile::encode_wav(rate, channels, samples); });
        },
    .inspect =
        [](std::string_view file, kind expected, facts& out, trouble& why) noexcept {
          run(out, why, [&] { return av::inspect(file, expected); });
        },
};

}  // namespace
}  // namespace inferbench::media

extern "C" __attribute__((visibility("default"))) const inferbench::media::table*
inferbench_media_table() noexcept {
  return &inferbench::media::functions;
}
