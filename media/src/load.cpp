// Opens the shared library, and turns its troubles into exceptions. This file is part of every
// program and plugin that uses media.
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <dlfcn.h>

#include "table.hpp"

namespace inferbench::media {
namespace {

namespace fs = std::filesystem;

constexpr const char* below_prefix = "lib/inferbench/inferbench-media.so";

// The library in the nearest folder above the file that contains this code: above a plugin in
// lib/inferbench/plugins, above the program in bin, and above a test in the build folder.
fs::path library_file() {
  Dl_info own{};
  if (::dladdr(reinterpret_cast<const void*>(&library_file), &own) == 0) return {};
  // The name of a library is a path. The name of the program is the first word of its command line,
  // which is no path if the shell found the program in PATH.
  const bool path = std::string_view(own.dli_fname).find('/') != std::string_view::npos;
  std::error_code ignored;
  fs::path at = fs::canonical(path ? own.dli_fname : "/proc/self/exe", ignored);
  while (at.has_relative_path()) {
    at = at.parent_path();
    if (fs::exists(at / below_prefix, ignored)) return at / below_prefix;
  }
  return {};
}

[[noreturn]] void cannot_open(const std::string& why) {
  throw failure(cause::missing, "the library for images and sound " + why +
                                    "; install inferbench again, with " + below_prefix);
}

const table& opened() {
  const fs::path file = library_file();
  if (file.empty()) cannot_open("is not installed");
  // It stays open: codecs have threads and static data.
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    const char* const said = ::dlerror();
    cannot_open(std::string("cannot be loaded: ") + (said == nullptr ? file.c_str() : said));
  }
  auto* const enter = reinterpret_cast<entry*>(::dlsym(library, entry_name));
  if (enter == nullptr) cannot_open("is of another version: " + file.string());
  const table* const out = enter();
  if (std::string_view(out->version) != INFERBENCH_VERSION)
    cannot_open("is of version " + std::string(out->version) + ", and not of " +
                INFERBENCH_VERSION);
  return *out;
}

// A failed attempt is repeated by the next call.
const table& functions() {
  static const table& out = opened();
  return out;
}

template <typename result, typename... argument, typename... given>
result call(void (*function)(argument...) noexcept, given&&... arguments) {
  result out{};
  trouble why;
  function(std::forward<given>(arguments)..., out, why);
  if (!why.what.empty()) throw failure(why.kind, why.what);
  return out;
}

}  // namespace

image decode_image(std::string_view file, orientation turn) {
  return call<image>(functions().decode_image, file, turn);
}
std::string encode_jpeg(const image_view& pixels) {
  return call<std::string>(functions().encode_jpeg, pixels);
}
std::string encode_png(const image_view& pixels) {
  return call<std::string>(functions().encode_png, pixels);
}
std::string encode_mp4(const video_view& frames) {
  return call<std::string>(functions().encode_mp4, frames);
}
sound_facts inspect_sound(std::string_view file) {
  return call<sound_facts>(functions().inspect_sound, file);
}
wav_file to_wav(std::string_view file, precision between) {
  return call<wav_file>(functions().to_wav, file, between);
}
wav_file encode_wav(std::uint32_t rate, std::uint32_t channels, std::span<const double> samples) {
  return call<wav_file>(functions().encode_wav, rate, channels, samples);
}
facts inspect(std::string_view file, kind expected) {
  return call<facts>(functions().inspect, file, expected);
}

}  // namespace inferbench::media
