// A lock between processes, as a file. huggingface_hub uses the same file.
#pragma once

#include <filesystem>

#include <inferbench/host.hpp>

namespace hub {

/// The lock is held from construction to destruction. [one thread]
class file_lock {
 public:
  /// Waits while another process holds the lock, and writes one line to the log. Throws
  /// ifb::failure: IFB_E_IO if the file cannot be created, IFB_E_CANCELLED if the run is stopped in
  /// the meantime.
  file_lock(ifb::host host, const std::filesystem::path& file);
  ~file_lock();
  file_lock(const file_lock&) = delete;
  file_lock& operator=(const file_lock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace hub
