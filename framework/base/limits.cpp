#include "base/limits.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

namespace inferbench::base {

std::size_t raise_descriptor_limit() noexcept {
  constexpr rlim_t plenty = 1U << 20U;  // the kernel's default for fs.nr_open
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  const rlim_t most = std::max(limit.rlim_max, plenty);
  for (const rlimit& wanted : {rlimit{most, most}, rlimit{limit.rlim_max, limit.rlim_max}})
    if (::setrlimit(RLIMIT_NOFILE, &wanted) == 0) return static_cast<std::size_t>(wanted.rlim_cur);
  return static_cast<std::size_t>(limit.rlim_cur);
}

bool own_descriptor_table() noexcept {
  if (::unshare(CLONE_FILES) == 0) return true;
  const int why = errno;
  // Docker forbids unshare() in containers, because it can also create namespaces, and allows
  // close_range() (Linux 5.9). No descriptor has the number UINT_MAX, so nothing is closed.
  if (::close_range(UINT_MAX, UINT_MAX, CLOSE_RANGE_UNSHARE) == 0) return true;
  errno = why;
  return false;
}

bool is_shortage(int error) noexcept {
  switch (error) {
    case EADDRNOTAVAIL:
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM: return true;
    default: return false;
  }
}

}  // namespace inferbench::base
