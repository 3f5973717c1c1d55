#include "check/subject.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::check {
namespace {

using ::testing::HasSubstr;

const task of_file{
    .file = WRONG_PLUGINS "/file_nothing.so", .test = "", .kind = IFB_DATASET, .id = "right"};
const task of_count{
    .file = WRONG_PLUGINS "/backend_counts.so", .test = "", .kind = IFB_BACKEND, .id = "right"};

std::string complaint_about(const task& given, const recorded_options& options) {
  outcome out;
  subject s(given, out);
  try {
    static_cast<void>(s.values(options));
  } catch (const base::error& e) {
    return e.what();
  }
  return "nothing";
}

TEST(subject, resolves_only_relative_recorded_paths_against_the_given_folder) {
  outcome out;
  ASSERT_EQ(::setenv("HOME", "/home/me", 1), 0);
  subject s(of_file, out);
  const auto path = [&](const char* recorded) {
    return s.values({.name = "a", .options = {{"path", recorded}}, .folder = "/recorded"})
        .front()
        .text;
  };
  EXPECT_EQ(path("a.txt"), "/recorded/a.txt");
  EXPECT_EQ(path("../a.txt"), "/a.txt");
  EXPECT_EQ(path("/a.txt"), "/a.txt");
  EXPECT_EQ(path("https://host/a.txt"), "https://host/a.txt");
  EXPECT_EQ(path("~/a.txt"), "/home/me/a.txt");
}

TEST(subject, refuses_a_recorded_value_that_does_not_fit_its_option) {
  EXPECT_THAT(complaint_about(of_count, {.name = "a.json: one", .options = {{"count", "abc"}}}),
              HasSubstr("a.json: one: backend.count: "));
  EXPECT_EQ(complaint_about(of_count, {.name = "a.json: one", .options = {{"count", "4"}}}),
            "nothing");
}

TEST(subject, a_text_or_path_option_needs_a_json_string_and_a_number_option_does_not) {
  const task of_model{
      .file = WRONG_PLUGINS "/backend_nothing.so", .test = "", .kind = IFB_BACKEND, .id = "right"};
  const auto complaint = [&](const char* value, bool bare) {
    return complaint_about(of_model, {.name = "a", .options = {{"model", value, bare}}});
  };
  EXPECT_THAT(complaint("3", true), HasSubstr("a: backend.model: expected a text, not 3"));
  EXPECT_THAT(complaint("true", true), HasSubstr("a: backend.model: expected a text, not true"));
  EXPECT_THAT(complaint("null", true), HasSubstr("a: backend.model: expected a text"));
  EXPECT_EQ(complaint("3", false), "nothing");
  EXPECT_THAT(complaint_about(of_file, {.name = "a", .options = {{"path", "3", true}}}),
              HasSubstr("a: dataset.path: expected a path"));
  EXPECT_EQ(complaint_about(of_count, {.name = "a", .options = {{"count", "4", true}}}), "nothing");
}

TEST(subject, refuses_a_recorded_option_that_the_plugin_does_not_have) {
  EXPECT_EQ(complaint_about(of_count, {.name = "a.json: one", .options = {{"cuont", "4"}}}),
            "a.json: one: there is no option cuont; did you mean count?");
  EXPECT_EQ(complaint_about(
                of_count, {.name = "a.json: one", .options = {{"logprobs", "4"}}, .lenient = true}),
            "nothing");
}

TEST(subject, skips_where_the_user_has_to_give_an_option) {
  outcome out;
  subject s(of_file, out);
  EXPECT_THROW(static_cast<void>(s.values()), skipped);
}

}  // namespace
}  // namespace inferbench::check
