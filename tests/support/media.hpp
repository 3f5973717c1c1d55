// Tests that need the codecs for images, videos and sound.
#pragma once

#include <cstdlib>
#include <string_view>

#include <gtest/gtest.h>

namespace inferbench::support {

/// Whether a missing codec is a failure: INFERBENCH_REQUIRE_MEDIA is 1.
inline bool media_is_required() {
  const char* const required = std::getenv("INFERBENCH_REQUIRE_MEDIA");
  return required != nullptr && std::string_view(required) == "1";
}

/// For a test that has found that a codec is missing: skips the test, or fails it if the codecs are
/// required. `why` is streamable.
#define INFERBENCH_LACKS_MEDIA(why)                                \
  if (::inferbench::support::media_is_required()) FAIL() << (why); \
  GTEST_SKIP() << (why)

}  // namespace inferbench::support
