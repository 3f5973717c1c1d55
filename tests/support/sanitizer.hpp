// Whether a sanitizer checks this build of the tests. g++ and clang say it in different ways.
#pragma once

#include <algorithm>

#if defined(__SANITIZE_ADDRESS__)
#define INFERBENCH_ADDRESS_SANITIZER 1
#elif defined(__SANITIZE_THREAD__)
#define INFERBENCH_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define INFERBENCH_ADDRESS_SANITIZER 1
#elif __has_feature(thread_sanitizer)
#define INFERBENCH_THREAD_SANITIZER 1
#endif
#endif
#ifndef INFERBENCH_ADDRESS_SANITIZER
#define INFERBENCH_ADDRESS_SANITIZER 0
#endif
#ifndef INFERBENCH_THREAD_SANITIZER
#define INFERBENCH_THREAD_SANITIZER 0
#endif

namespace inferbench::support {

/// How often a case repeats its trials, which differ in a random or an enumerated input: `all`
/// times in a plain build, and a tenth of it, at least once, with a sanitizer. There a trial takes
/// about five times as long, and a fault of memory or of threads shows in few trials.
template <class number>
constexpr number trials(number all) {
  if (INFERBENCH_ADDRESS_SANITIZER == 0 && INFERBENCH_THREAD_SANITIZER == 0) return all;
  return std::max<number>(all / 10, 1);
}

}  // namespace inferbench::support
