#include "check/subject.hpp"

#include <gtest/gtest.h>

namespace inferbench::check {
namespace {

TEST(subject, looks_for_recorded_paths_in_their_folder_and_leaves_addresses_alone) {
  const task given{
      .file = WRONG_PLUGINS "/file_nothing.so", .test = "", .kind = IFB_DATASET, .id = "right"};
  outcome out;
  subject s(given, out);
  EXPECT_EQ(s.values({{"path", "a.txt"}}, "/recorded").front().text, "/recorded/a.txt");
  EXPECT_EQ(s.values({{"path", "https://host/a.txt"}}, "/recorded").front().text,
            "https://host/a.txt");
}

}  // namespace
}  // namespace inferbench::check
