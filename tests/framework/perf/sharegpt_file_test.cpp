#include "perf/sharegpt_file.hpp"

#include <atomic>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_text.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::perf {
namespace {

using testing::AllOf;
using testing::HasSubstr;

chosen_tests tests_with(const std::string& path) {
  chosen_tests out;
  out.throughput = offline_tests(test_kind::throughput,
                                 R"([{"test_name": "throughput_a", "parameters":
                                      {"num_prompts": 200, "dataset": ")" +
                                     path + "\"}}]",
                                 "t.json");
  return out;
}

TEST(the_sharegpt_file, is_missing_if_a_test_names_it_and_it_is_not_there) {
  const support::temporary_folder folder;
  const std::string path = folder.path(sharegpt_name);
  EXPECT_EQ(missing_sharegpt(tests_with(path)), path);
  EXPECT_EQ(missing_sharegpt(tests_with(folder.path("other.json"))), std::nullopt);
  EXPECT_EQ(missing_sharegpt({}), std::nullopt);
  folder.write(sharegpt_name, "[]");
  EXPECT_EQ(missing_sharegpt(tests_with(path)), std::nullopt);
}

TEST(the_sharegpt_file, is_looked_for_in_serving_tests_too) {
  const support::temporary_folder folder;
  chosen_tests tests;
  tests.serving = serving_tests(
      R"([{"test_name": "serving_a", "qps_list": [1], "max_concurrency_list": [1],
           "server_parameters": {"model": "m"}, "client_parameters": {"dataset_path": ")" +
          folder.path(sharegpt_name) + "\"}}]",
      "t.json");
  EXPECT_EQ(missing_sharegpt(tests), folder.path(sharegpt_name));
}

TEST(a_download_that_fails, leaves_no_file_and_says_why) {
  const support::temporary_folder folder;
  const std::atomic<bool> stop = false;
  const std::string path = folder.path(sharegpt_name);
  // Nobody listens at the port 1 of the loopback network.
  EXPECT_THAT(support::error_text([&] {
                download_sharegpt("http://127.0.0.1:1", path, stop);
                return 0;
              }),
              AllOf(HasSubstr("it cannot be downloaded"), HasSubstr("127.0.0.1:1")));
  EXPECT_TRUE(std::filesystem::is_empty(folder.root));
}

}  // namespace
}  // namespace inferbench::perf
