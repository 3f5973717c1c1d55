#include "recoding.hpp"

#include <utility>

#include <inferbench/guard.hpp>

#include "unusable.hpp"

namespace row_media {

namespace codecs = inferbench::media;

namespace {

template <typename job>
auto attempt(const std::string& name, job&& work) {
  try {
    return work();
  } catch (const codecs::failure& e) {
    if (e.kind() == codecs::cause::missing) throw ifb::failure(IFB_E_UNSUPPORTED, e.what());
    throw unusable("cannot decode " + name + ": " + e.what());
  }
}

}  // namespace

encoded_medium to_jpeg(std::string_view file, codecs::orientation turn, const std::string& name) {
  return attempt(name, [&]() -> encoded_medium {
    return {codecs::encode_jpeg(codecs::decode_image(file, turn))};
  });
}

encoded_medium to_png(std::string_view file, const std::string& name) {
  return attempt(name, [&]() -> encoded_medium {
    return {codecs::encode_png(codecs::decode_image(file, codecs::orientation::upright))};
  });
}

encoded_medium to_wav(std::string_view file, codecs::precision between, const std::string& name) {
  return attempt(name, [&]() -> encoded_medium {
    codecs::wav_file made = codecs::to_wav(file, between);
    return {std::move(made.file), made.facts.seconds()};
  });
}

encoded_medium to_wav(const sample_values& sound, const std::string& name) {
  return attempt(name, [&]() -> encoded_medium {
    codecs::wav_file made = codecs::encode_wav(sound.rate, sound.channels, sound.samples);
    return {std::move(made.file), made.facts.seconds()};
  });
}

encoded_medium with_length(std::string file, const std::string& name) {
  return attempt(name, [&]() -> encoded_medium {
    const double seconds = codecs::inspect_sound(file).seconds();
    return {std::move(file), seconds};
  });
}

}  // namespace row_media
