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
#include "support/temporary_folder.hpp"

namespace inferbench::reporters_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

enum { green, orange, red };

struct drawn {
  std::uint64_t start = 0, first = 0, prompt = 0, output = 0;      // times in us
  std::vector<std::pair<std::uint64_t, std::uint64_t>> intervals;  // us, class
};

std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const auto begin = text.find(from);
  EXPECT_NE(begin, std::string::npos) << from;
  const auto end = text.find(to, begin + from.size());
  return text.substr(begin + from.size(), end - begin - from.size());
}

std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  unsigned known = 0;
  for (const char c : text) {
    const auto digit = digits.find(c);
    if (digit == std::string::npos) break;
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    known += 6;
    if (known < 8) continue;
    known -= 8;
    out += static_cast<char>(bits >> known);
  }
  return out;
}

std::vector<drawn> requests_of(const std::string& page) {
  const std::string bytes =
      from_base64(between(page, "<script id=\"data\" type=\"text/plain\">", "</script>"));
  std::size_t at = 0;
  const auto number = [&] {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes.at(at++));
      value |= std::uint64_t{byte & 127U} << shift;
      if (byte < 128) return value;
    }
  };
  std::vector<drawn> out;
  while (at < bytes.size()) {
    drawn& one = out.emplace_back();
    one.start = number();
    one.first = number();
    one.prompt = number();
    one.output = number();
    for (std::uint64_t n = number(); n > 0; --n) {
      const std::uint64_t code = number();
      one.intervals.emplace_back(code / 3, code % 3);
    }
  }
  return out;
}

class timeline_page : public testing::Test {
 protected:
  outcome report(const input& in, std::vector<setting> more = {}) const {
    more.push_back({"result-dir", folder.string()});
    more.push_back({"result-filename", std::string("r.json")});
    return report_with("timeline", more, in);
  }
  std::string page() const { return base::read_file((folder / "r.timeline.html").string()); }
  rapidjson::Document about() const {
    rapidjson::Document d;
    d.Parse(between(page(), "type=\"application/json\">", "</script>").c_str());
    EXPECT_TRUE(d.IsObject());
    return d;
  }

  support::temporary_folder files_;
  const fs::path& folder = files_.root;
};

TEST_F(timeline_page, every_request_has_its_times_and_the_class_of_each_interval) {
  const outcome o = report(strained_run());
  EXPECT_TRUE(o.ok);
  EXPECT_TRUE(o.stamps);
  EXPECT_THAT(o.artifacts, ElementsAre(Pair("timeline", (folder / "r.timeline.html").string())));
  EXPECT_THAT(o.lines, IsEmpty());
  const auto all = requests_of(page());
  ASSERT_EQ(all.size(), 16U);  // includes failed requests, but not requests that were never sent
  EXPECT_EQ(all[0].start, 0U);
  EXPECT_EQ(all[0].first, 100'000U);
  EXPECT_EQ(all[0].prompt, 10U);
  EXPECT_EQ(all[0].output, 4U);
  EXPECT_THAT(all[0].intervals,
              ElementsAre(Pair(10'000, green), Pair(20'000, green), Pair(40'000, orange)));
  EXPECT_EQ(all[1].start, 50'250U);
  EXPECT_THAT(all[1].intervals, IsEmpty());
  EXPECT_THAT(all[2].intervals, ElementsAre(Pair(100'000, red), Pair(200'000, red)));
  EXPECT_EQ(all[4].first, 0U);  // the request failed before its first token
  EXPECT_EQ(all[6].first, 5'000U);
  EXPECT_EQ(all[6].output, 0U);
}

TEST_F(timeline_page, thresholds_are_the_users_and_belong_to_the_class_above) {
  input in = plain_run();
  ASSERT_TRUE(report(in, {{"itl-thresholds", std::string(" 10 , 20.4")}}).ok);
  EXPECT_THAT(requests_of(page())[0].intervals,
              ElementsAre(Pair(10'000, orange), Pair(20'000, orange), Pair(40'000, red)));
  EXPECT_STREQ(about()["labels"][0].GetString(), "10");
  EXPECT_STREQ(about()["labels"][1].GetString(), "20");
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
  const auto all = requests_of(page());
  std::uint64_t end = all[0].first;
  for (const auto& [us, kind] : all[0].intervals)
    end += us;
  EXPECT_EQ(end, 10'000U * 1'999U / 1'000U);
}

TEST_F(timeline_page, very_many_intervals_share_segments_of_the_longest_ones_colour) {
  input in = plain_run();
  client::record& r = in.records[0];
  r.tokens = client::stamps(r.start_ns);
  // A page draws at most two million intervals; every tenth interval of this request is long.
  std::uint64_t at = r.start_ns;
  for (std::uint64_t k = 0; k < 2'500'001; ++k)
    r.tokens.push(at += k % 10 == 9 ? 60'000'000 : 1'000'000);
  ASSERT_TRUE(report(in).ok);
  EXPECT_EQ(about()["grouped"].GetInt(), 2);
  const auto all = requests_of(page());
  EXPECT_EQ(all[0].intervals.size(), 1'250'000U);
  EXPECT_THAT(std::vector(all[0].intervals.begin(), all[0].intervals.begin() + 5),
              ElementsAre(Pair(2'000, green), Pair(2'000, green), Pair(2'000, green),
                          Pair(2'000, green), Pair(61'000, red)));
}

TEST_F(timeline_page, needs_no_other_file) {
  ASSERT_TRUE(report(plain_run()).ok);
  EXPECT_THAT(page(), Not(HasSubstr("://")));
  EXPECT_THAT(page(), Not(HasSubstr("{{")));
  for (const char* colour : {"#636EFA", "#109618", "#FF7F0E", "#D62728"})
    EXPECT_THAT(page(), HasSubstr(colour));
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
