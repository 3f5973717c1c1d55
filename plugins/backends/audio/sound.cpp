#include "sound.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "backends/bodies/prompt.hpp"
#include "wav.hpp"

namespace openai {
namespace {

class descriptor {
 public:
  // O_NONBLOCK: without this flag, opening a pipe that has no writer would block. The flag does not
  // change how a regular file is read.
  explicit descriptor(const char* path) : fd_(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

constexpr std::size_t most_bytes = std::size_t{512} << 20U;

std::string_view read_file(const std::string& path, ifb::arena memory) {
  const auto fail = [&](int code) {
    throw ifb::failure{IFB_E_IO, "cannot read the sound " + path + ": " + std::strerror(code)};
  };
  const descriptor file(path.c_str());
  struct stat about{};
  if (file.get() < 0 || ::fstat(file.get(), &about) != 0) fail(errno);
  if (!S_ISREG(about.st_mode)) fail(S_ISDIR(about.st_mode) ? EISDIR : EINVAL);
  const auto size = static_cast<std::size_t>(about.st_size);
  if (size == 0) throw ifb::failure{IFB_E_DATA, "the sound " + path + " is an empty file"};
  if (size > most_bytes)
    throw ifb::failure{IFB_E_DATA, "the sound " + path + " has " + std::to_string(size >> 20U) +
                                       " MiB, and a request sends at most " +
                                       std::to_string(most_bytes >> 20U) + " MiB"};
  auto* const to = static_cast<char*>(memory.allocate(size));
  std::size_t done = 0;
  while (done < size) {
    const ::ssize_t got = ::read(file.get(), to + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return {to, done};
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 10> types = {{
    {"wav", "audio/wav"},
    {"flac", "audio/flac"},
    {"mp3", "audio/mpeg"},
    {"mpga", "audio/mpeg"},
    {"ogg", "audio/ogg"},
    {"opus", "audio/ogg"},
    {"m4a", "audio/mp4"},
    {"aac", "audio/aac"},
    {"mp4", "video/mp4"},
    {"webm", "video/webm"},
}};

std::string_view type_of(std::string_view name) {
  const auto dot = name.rfind('.');
  for (const auto& [ending, type] : types) {
    if (dot != name.npos && name.substr(dot + 1) == ending) return type;
  }
  return "application/octet-stream";
}

std::string_view name_of(std::string_view type) {
  if (type == "audio/flac") return "audio.flac";
  if (type == "audio/mpeg") return "audio.mp3";
  if (type == "audio/ogg") return "audio.ogg";
  return "audio.wav";
}

const ifb_part& sound_part(const ifb_sample& sample) {
  const ifb_part* found = nullptr;
  std::size_t sounds = 0;
  for (const auto& list : {sample.media, sample.prompt}) {
    for (const auto& part : ifb::view(list)) {
      if (part.kind != IFB_PART_AUDIO) continue;
      found = &part;
      ++sounds;
    }
    if (found != nullptr) break;
  }
  if (sounds == 1) return *found;
  bodies::refuse(sounds == 0
                     ? "a transcription takes a sound, and the sample has none; choose a dataset "
                       "with sounds, or another backend than openai-audio"
                     : "a transcription takes one sound, and the sample has " +
                           std::to_string(sounds));
}

}  // namespace

sound sound_of(const ifb_sample& sample, ifb::arena memory) {
  const ifb_part& part = sound_part(sample);
  const std::string_view mime = part.mime == nullptr ? "" : part.mime;
  sound out;
  if (part.uri.size != 0) {
    const auto uri = ifb::view(part.uri);
    constexpr std::string_view scheme = "file://";
    if (!uri.starts_with(scheme))
      bodies::refuse("a transcription sends a sound as a file and cannot fetch " +
                     std::string(uri.substr(0, 100)) + "; give its path");
    const auto path = uri.substr(scheme.size());
    out.file = read_file(std::string(path), memory);
    out.name = path.substr(path.rfind('/') + 1);
    out.type = type_of(out.name);
  } else if (const auto raw = raw_format_of(mime)) {
    out.file = wav_file(*raw, ifb::view(part.data), memory);
    out.name = "audio.wav";
    out.type = "audio/wav";
  } else {
    out.file = ifb::view(part.data);
    out.type = mime.empty() ? "audio/wav" : mime;
    out.name = name_of(out.type);
  }
  if (part.name.size != 0) out.name = ifb::view(part.name);
  return out;
}

}  // namespace openai
