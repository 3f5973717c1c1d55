#include "perf/definition_files.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_text.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::perf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* latency_tests = R"([{"test_name": "latency_a"}, {"test_name": "latency_b"}])";

struct definitions_box {
  definitions_box() { request.tests_folder = folder.path(); }
  [[nodiscard]] std::string refusal(const std::string& suffix = "") const {
    return support::error_text([&] { return read_definition_files(request, suffix); });
  }
  support::temporary_folder folder;
  run_request request = {};
};

TEST(definition_files, have_the_suffix_of_the_machine) {
  definitions_box box;
  box.folder.write("latency-tests.json", latency_tests);
  box.folder.write("startup-tests-cpu.json", R"([{"test_name": "startup_a"}])");
  const read_definitions on_gpu = read_definition_files(box.request, "");
  EXPECT_EQ(on_gpu.tests.latency.size(), 2U);
  EXPECT_THAT(on_gpu.tests.startup, IsEmpty());
  EXPECT_THAT(on_gpu.notices,
              ElementsAre(HasSubstr("no serving tests"), HasSubstr("no startup tests"),
                          HasSubstr("no throughput tests")));
  const read_definitions on_cpu = read_definition_files(box.request, "-cpu");
  EXPECT_THAT(on_cpu.tests.latency, IsEmpty());
  EXPECT_EQ(on_cpu.tests.startup.size(), 1U);
}

TEST(a_named_file, must_be_there) {
  definitions_box box;
  box.folder.write("mine.json", latency_tests);
  box.request.latency_file = "mine.json";
  EXPECT_EQ(read_definition_files(box.request, "").tests.latency.size(), 2U);
  box.request.serving_file = "missing.json";
  EXPECT_THAT(box.refusal(), HasSubstr("missing.json"));
}

TEST(a_folder_without_definitions, is_an_error) {
  const definitions_box box;
  EXPECT_THAT(box.refusal("-hpu"), HasSubstr("there is no test definition in the folder"));
}

TEST(a_selector, leaves_out_tests_and_must_leave_some) {
  definitions_box box;
  box.folder.write("latency-tests.json", latency_tests);
  box.request.selector = std::regex("_b$", std::regex::extended);
  EXPECT_EQ(read_definition_files(box.request, "").tests.latency.front().name, "latency_b");
  box.request.selector = std::regex("_c$", std::regex::extended);
  EXPECT_THAT(box.refusal(), HasSubstr("no test is chosen"));
}

TEST(a_bad_file, is_refused_even_if_no_test_of_it_is_chosen) {
  definitions_box box;
  box.folder.write("latency-tests.json", latency_tests);
  box.folder.write("startup-tests.json", R"([{"test_name": "latency_a"}])");
  box.request.selector = std::regex("latency", std::regex::extended);
  EXPECT_THAT(box.refusal(), HasSubstr("does not begin with startup_"));
}

}  // namespace
}  // namespace inferbench::perf
