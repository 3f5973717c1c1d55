// A lock between processes, as a file: the same one that huggingface_hub takes.
#pragma once

#include <filesystem>

#include <inferbench/host.hpp>

namespace hub {

/// Held from its construction to its destruction. [one thread]
class file_lock {
 public:
  /// Waits while another process holds it, with a line in the log. Throws ifb::failure: IFB_E_IO if
  /// the file cannot be made, IFB_E_CANCELLED if the run is stopped meanwhile.
  file_lock(ifb::host host, const std::filesystem::path& file);
  ~file_lock();
  file_lock(const file_lock&) = delete;
  file_lock& operator=(const file_lock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace hub
