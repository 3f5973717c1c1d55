// A lock between processes, as a file: the same one that huggingface_hub takes.
#pragma once

#include <filesystem>

#include <inferbench/host.hpp>

namespace hub {

/// Held from its making to its end. [one thread]
class file_lock {
 public:
  /// Waits for whoever holds it, with a line in the log. Throws ifb::failure: IFB_E_IO where the
  /// file cannot be made, IFB_E_CANCELLED when the run is being stopped meanwhile.
  file_lock(ifb::host host, const std::filesystem::path& file);
  ~file_lock();
  file_lock(const file_lock&) = delete;
  file_lock& operator=(const file_lock&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace hub
