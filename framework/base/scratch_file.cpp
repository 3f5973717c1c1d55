#include "base/scratch_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.hpp"

namespace inferbench::base {

scratch_file::scratch_file() {
  std::error_code why;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(why);
  if (why)
    throw base::error("there is no folder for temporary files: " + why.message(),
                      "name a writable folder in $TMPDIR");
  std::string name = folder / "inferbench-XXXXXX";
  file_ = base::fd(::mkostemp(name.data(), O_CLOEXEC));
  if (!file_)
    throw base::error("cannot make a file like " + name + ": " + std::strerror(errno),
                      "name a writable folder in $TMPDIR");
  ::unlink(name.c_str());
}

std::string scratch_file::path() const { return "/proc/self/fd/" + std::to_string(file_.get()); }

}  // namespace inferbench::base
