#include "experiment/sweep_lock.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::experiment {
namespace {

using testing::HasSubstr;

std::string refusal_of_lock(const std::string& file) {
  try {
    const sweep_lock lock(file);
  } catch (const base::error& e) {
    return e.what();
  }
  return {};
}

TEST(sweep_lock, is_held_by_one_sweep_and_names_its_process) {
  const support::temporary_folder box;
  const std::string file = box.path(".lock");
  {
    const sweep_lock first(file);
    EXPECT_THAT(refusal_of_lock(file),
                HasSubstr("another sweep (process " + std::to_string(::getpid()) + ") works in " +
                          box.path() + "; wait for its end"));
  }
  EXPECT_EQ(refusal_of_lock(file), "");
}

TEST(sweep_lock, is_free_although_the_file_of_a_killed_process_is_there) {
  const support::temporary_folder box;
  const std::string file = box.write(".lock", "99999999999999999999\n");
  const sweep_lock lock(file);
  EXPECT_EQ(base::read_file(file), std::to_string(::getpid()) + "\n");
}

TEST(sweep_lock, names_no_process_if_the_file_names_none) {
  const support::temporary_folder box;
  const std::string file = box.path(".lock");
  const sweep_lock lock(file);
  box.write(".lock", "?");
  EXPECT_THAT(refusal_of_lock(file), HasSubstr("another sweep works in"));
}

TEST(sweep_lock, names_the_setting_that_chooses_another_folder) {
  const support::temporary_folder box;
  const sweep_lock lock(box.path(".lock"));
  try {
    const sweep_lock second(box.path(".lock"), "sweep.name");
    FAIL() << "no exception";
  } catch (const base::error& e) {
    EXPECT_THAT(e.what(), HasSubstr("or choose another sweep.name"));
  }
}

TEST(sweep_lock, needs_a_folder) {
  const support::temporary_folder box;
  EXPECT_THAT(refusal_of_lock(box.path("no/.lock")), HasSubstr("cannot open"));
}

}  // namespace
}  // namespace inferbench::experiment
