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

inline constexpr bool sanitized =
    INFERBENCH_ADDRESS_SANITIZER != 0 || INFERBENCH_THREAD_SANITIZER != 0;

/// The number of trials of a case that differ in a random or an enumerated input, or the length of
/// a long input: `all` in a plain build, and a tenth of it, at least 1, with a sanitizer. There a
/// case takes about five times as long, and a fault of memory or of threads shows in few trials.
template <class number>
constexpr number reduced(number all) {
  return sanitized ? std::max<number>(all / 10, 1) : all;
}

}  // namespace inferbench::support
