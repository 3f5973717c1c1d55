// Tests the reporter `timeline`: reads the data of its page.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "driver.hpp"
#include "plugins/pages/page_reader.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::reporters_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

/// The numbers of gaps in the three classes.
std::vector<std::int64_t> classes_of(const pages_test::read_rows& rows, std::size_t row) {
  return {rows.at("gaps_low", row), rows.at("gaps_mid", row), rows.at("gaps_high", row)};
}

class timeline_page : public testing::Test {
 protected:
  outcome report(const input& in, std::vector<setting> more = {}) const {
    more.push_back({"result-dir", folder.string()});
    more.push_back({"result-filename", std::string("r.json")});
    return report_with("timeline", more, in);
  }
  std::string page() const { return base::read_file((folder / "r.timeline.html").string()); }
  pages_test::read_rows rows() const { return pages_test::rows_of(page()); }
  rapidjson::Document about() const { return pages_test::report_of(page()); }

  support::temporary_folder files_;
  const fs::path& folder = files_.root;
};

TEST_F(timeline_page, every_request_has_its_times_and_the_class_of_each_interval) {
  const outcome o = report(strained_run());
  EXPECT_TRUE(o.ok);
  EXPECT_TRUE(o.stamps);
  EXPECT_THAT(o.artifacts, ElementsAre(Pair("timeline", (folder / "r.timeline.html").string())));
  EXPECT_THAT(o.lines, IsEmpty());
  const auto all = rows();
  ASSERT_EQ(all.count, 16U);  // includes failed requests, but not requests that were never sent
  EXPECT_EQ(all.at("start", 0), 0);
  EXPECT_EQ(all.at("first", 0), 100'000);
  EXPECT_EQ(all.at("input", 0), 10);
  EXPECT_EQ(all.at("output", 0), 4);
  EXPECT_THAT(all.gaps.at(0), ElementsAre(10'000, 20'000, 40'000));
  EXPECT_THAT(classes_of(all, 0), ElementsAre(2, 1, 0));
  EXPECT_EQ(all.at("start", 1), 50'250);
  EXPECT_THAT(all.gaps.at(1), IsEmpty());
  EXPECT_THAT(all.gaps.at(2), ElementsAre(100'000, 200'000));
  EXPECT_THAT(classes_of(all, 2), ElementsAre(0, 0, 2));
  EXPECT_EQ(all.at("first", 4), pages_test::absent);  // it failed before its first token
  EXPECT_EQ(all.at("first", 6), 5'000);
  EXPECT_EQ(all.at("output", 6), pages_test::absent);
}

TEST_F(timeline_page, thresholds_are_the_users_and_belong_to_the_class_above) {
  ASSERT_TRUE(report(plain_run(), {{"itl-thresholds", std::string(" 10 , 20.4")}}).ok);
  EXPECT_THAT(classes_of(rows(), 0), ElementsAre(0, 2, 1));
  const auto read = about();
  EXPECT_EQ(read["runs"][0]["rows"]["class_limits_ms"][0].GetDouble(), 10);
  EXPECT_EQ(read["runs"][0]["rows"]["class_limits_ms"][1].GetDouble(), 20.4);
}

TEST_F(timeline_page, thresholds_that_are_not_two_numbers_are_refused) {
  for (const char* text : {"25", "25,50,75", "a,b", "50,25", "25,", "nan,inf", "25 50"}) {
    try {
      (void)report(plain_run(), {{"itl-thresholds", std::string(text)}});
      ADD_FAILURE() << text;
    } catch (const base::error& e) {
      EXPECT_THAT(std::string(e.what()), HasSubstr("\"" + std::string(text) + "\" is not two"));
    }
  }
}

TEST_F(timeline_page, a_long_answer_does_not_drift) {
  input in = plain_run();
  client::record& r = in.records[0];
  r.tokens = client::stamps(r.start_ns);
  for (std::uint64_t k = 1; k <= 10'000; ++k)
    r.tokens.push(r.start_ns + k * 1'999);
  ASSERT_TRUE(report(in).ok);
  const auto all = rows();
  std::uint64_t end = static_cast<std::uint64_t>(all.at("first", 0));
  for (const std::uint64_t us : all.gaps.at(0))
    end += us;
  EXPECT_EQ(end, (10'000U * 1'999U + 500U) / 1'000U);
}

TEST_F(timeline_page, of_very_many_intervals_the_page_keeps_counts) {
  input in = plain_run();
  client::record& r = in.records[0];
  r.tokens = client::stamps(r.start_ns);
  // A page keeps two million intervals; every tenth interval of this request is long.
  std::uint64_t at = r.start_ns;
  for (std::uint64_t k = 0; k < 2'500'001; ++k)
    r.tokens.push(at += k % 10 == 9 ? 60'000'000 : 1'000'000);
  ASSERT_TRUE(report(in).ok);
  const auto all = rows();
  EXPECT_THAT(classes_of(all, 0), ElementsAre(2'250'000, 0, 250'000));
  EXPECT_EQ(all.at("longest_gap", 0), 60'000);
  EXPECT_FALSE(all.gaps.contains(0));
  EXPECT_THAT(all.gaps.at(2), ElementsAre(100'000, 200'000));  // the other answers are whole
  EXPECT_EQ(about()["runs"][0]["rows"]["gaps"]["total"].GetInt(), 2'500'002);
}

TEST_F(timeline_page, needs_no_other_file) {
  ASSERT_TRUE(report(plain_run()).ok);
  const std::string text = page();
  EXPECT_THAT(text, Not(HasSubstr("{{title}}")));
  EXPECT_THAT(text, HasSubstr("default-src 'none'"));
  for (const char* elsewhere : {"src=\"http", "href=\"http", "@import", "url(http"})
    EXPECT_THAT(text, Not(HasSubstr(elsewhere)));
}

TEST_F(timeline_page, a_name_cannot_end_the_script) {
  input in = plain_run();
  in.resolved.replace(in.resolved.find("org/small-7b"), 12, "</script><b>");
  ASSERT_TRUE(report(in).ok);
  EXPECT_THAT(page(), Not(HasSubstr("</script><b>")));
  EXPECT_STREQ(about()["title"].GetString(), "openai, </script><b>");
}

TEST_F(timeline_page, without_tokens_or_requests_a_warning_says_so) {
  const outcome pooling = report(pooling_run());
  EXPECT_TRUE(pooling.ok);
  EXPECT_THAT(pooling.lines, ElementsAre(HasSubstr("no timeline: answers that come whole")));
  input in = plain_run();
  in.records.clear();
  const outcome empty = report(in);
  EXPECT_TRUE(empty.ok);
  EXPECT_THAT(empty.lines, ElementsAre(HasSubstr("no timeline: no request was sent")));
  EXPECT_FALSE(fs::exists(folder / "r.timeline.html"));
}

TEST_F(timeline_page, a_file_that_cannot_be_written_causes_a_warning) {
  fs::create_directory(folder / "r.timeline.html");
  const outcome o = report(plain_run());
  EXPECT_TRUE(o.ok);
  EXPECT_THAT(o.artifacts, IsEmpty());
  EXPECT_THAT(o.lines, ElementsAre(HasSubstr("no timeline: ")));
}

}  // namespace
}  // namespace inferbench::reporters_test
