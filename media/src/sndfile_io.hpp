// libsndfile's files with owners. For sndfile.cpp and wav_writer.cpp only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include <sndfile.h>

namespace inferbench::media::sndfile {

struct close_file {
  void operator()(SNDFILE* of) const noexcept { sf_close(of); }
};
using handle = std::unique_ptr<SNDFILE, close_file>;

/// Moves the position `at` in a file of `size` bytes, as SF_VIRTUAL_IO::seek does. Returns the new
/// position, or -1.
inline sf_count_t moved(std::size_t& at, std::size_t size, sf_count_t offset, int whence) noexcept {
  sf_count_t base = 0;
  if (whence == SEEK_CUR) base = static_cast<sf_count_t>(at);
  if (whence == SEEK_END) base = static_cast<sf_count_t>(size);
  if (offset < -base || offset > INT64_MAX - base) return -1;
  at = static_cast<std::size_t>(base + offset);
  return base + offset;
}

/// Returns nullptr if libsndfile does not open the file. It keeps the reason of a failed attempt to
/// open a file in static data.
inline handle opened(SF_VIRTUAL_IO& io, int mode, SF_INFO& info, void* opaque) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  return handle(sf_open_virtual(&io, mode, &info, opaque));
}

}  // namespace inferbench::media::sndfile
