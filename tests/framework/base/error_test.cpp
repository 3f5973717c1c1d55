#include "base/error.hpp"

#include <gtest/gtest.h>

namespace inferbench::base {

TEST(error, reads_as_place_message_and_remedy_in_one_line) {
  const error e("rate must be positive, not -1", "use inf to send at once", {"bench.toml", 12, 3});
  EXPECT_STREQ(e.what(), "bench.toml:12:3: rate must be positive, not -1; use inf to send at once");
}

TEST(error, leaves_out_unknown_parts) {
  EXPECT_STREQ(error("no samples").what(), "no samples");
  EXPECT_STREQ(error("no samples", {}, {"data.json", 0, 7}).what(), "data.json: no samples");
  EXPECT_STREQ(error("bad row", {}, {"data.json", 4, 0}).what(), "data.json:4: bad row");
}

}  // namespace inferbench::base
