#include "check/task.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::check {
namespace {

TEST(task, goes_to_a_child_as_one_word) {
  task given{.file = "/a b/\"c\".so", .test = "create", .kind = IFB_DATASET, .id = "x"};
  given.settings = {{"path", "a=b"}, {"list", "\n"}};
  given.transcripts = "/t";
  given.folder = "/f";
  given.limit = std::chrono::milliseconds(1500);
  const task back = task_from_json(to_json(given));
  EXPECT_EQ(back.file, given.file);
  EXPECT_EQ(back.test, given.test);
  EXPECT_EQ(back.kind, given.kind);
  EXPECT_EQ(back.id, given.id);
  EXPECT_EQ(back.settings, given.settings);
  EXPECT_EQ(back.transcripts, given.transcripts);
  EXPECT_EQ(back.folder, given.folder);
  EXPECT_EQ(back.limit, given.limit);
  EXPECT_THROW(static_cast<void>(task_from_json("{")), base::error);
}

}  // namespace
}  // namespace inferbench::check
