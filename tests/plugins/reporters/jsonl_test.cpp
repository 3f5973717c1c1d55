// Tests the reporter `jsonl`: its lines, and its errors.
#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "driver.hpp"
#include "judged_run.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::reporters_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

std::vector<rapidjson::Document> json_lines_of(const std::string& text) {
  std::vector<rapidjson::Document> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    rapidjson::Document& d = out.emplace_back();
    d.Parse<rapidjson::kParseValidateEncodingFlag>(line.data(), line.size());
    EXPECT_TRUE(d.IsObject()) << line;
  }
  EXPECT_TRUE(text.ends_with('\n'));
  return out;
}

class jsonl_file : public testing::Test {
 protected:
  std::vector<setting> named(std::vector<setting> more = {}) const {
    more.push_back({"file", file()});
    return more;
  }
  std::string file() const { return files_.path("r.jsonl"); }
  std::string text() const { return base::read_file(file()); }

  support::temporary_folder files_;
};

TEST_F(jsonl_file, the_run_then_each_request_then_the_figures) {
  const outcome o = report_with("jsonl", named({{"itl", true}, {"texts", true}}), full_run());
  EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
  EXPECT_THAT(o.artifacts, ElementsAre(Pair("jsonl", file())));
  expect_golden(text(), "full.jsonl");
  const auto lines = json_lines_of(text());
  ASSERT_THAT(lines, SizeIs(18));
  EXPECT_STREQ(lines[0]["run"].GetString(), "run-1");
  EXPECT_TRUE(lines[1].HasMember("itl_ns"));
  EXPECT_TRUE(lines[17].HasMember("summary"));
  EXPECT_TRUE(lines[17]["facts"].IsObject());
}

TEST_F(jsonl_file, gaps_and_texts_come_only_if_they_are_wanted) {
  ASSERT_TRUE(report_with("jsonl", named(), hostile_run()).ok);
  for (const auto& line : json_lines_of(text())) {
    EXPECT_FALSE(line.HasMember("itl_ns"));
    EXPECT_FALSE(line.HasMember("text"));
    EXPECT_FALSE(line.HasMember("attributes") && line["attributes"].HasMember("reasoning"));
  }
}

TEST_F(jsonl_file, hostile_texts_are_valid_json) {
  ASSERT_TRUE(report_with("jsonl", named({{"texts", true}}), hostile_run()).ok);
  const auto lines = json_lines_of(text());
  ASSERT_THAT(lines, SizeIs(18));
  std::size_t seen = 0;
  for (const auto& line : lines)
    if (line.HasMember("sequence") && line["sequence"].GetInt() == 5) {
      const auto& error = line["error"];
      const std::string found(error.GetString(), error.GetStringLength());
      EXPECT_EQ(found.substr(0, 18), "=cmd|' /C calc'!A0");
      EXPECT_EQ(found[18], '\0');
      ++seen;
    }
  EXPECT_EQ(seen, 1U);
}

TEST_F(jsonl_file, the_same_run_gives_the_same_file_again) {
  ASSERT_TRUE(report_with("jsonl", named(), full_run()).ok);
  const std::string first = text();
  ASSERT_TRUE(report_with("jsonl", named(), full_run()).ok);
  EXPECT_EQ(text(), first);
}

TEST_F(jsonl_file, a_run_without_requests_has_two_lines) {
  input in = plain_run();
  in.records.clear();
  ASSERT_TRUE(report_with("jsonl", named(), in).ok);
  EXPECT_THAT(json_lines_of(text()), SizeIs(2));
}

TEST_F(jsonl_file, a_place_that_cannot_be_written_is_an_error_before_the_run) {
  EXPECT_THAT(
      [&] { (void)report_with("jsonl", {{"file", files_.path("missing/r")}}, plain_run()); },
      testing::ThrowsMessage<base::error>(
          HasSubstr("there is no folder " + files_.path("missing"))));
  const outcome full = report_with("jsonl", {{"file", std::string("/dev/full")}}, plain_run());
  EXPECT_FALSE(full.ok);
  EXPECT_THAT(full.lines, ElementsAre(HasSubstr("cannot write to /dev/full")));
}

}  // namespace
}  // namespace inferbench::reporters_test
