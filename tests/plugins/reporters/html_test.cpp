// Tests the reporter `html`: reads the data of its page. tests/plugins/pages tests the data itself,
// and web/tests what a browser makes of it.
#include <filesystem>
#include <string>
#include <vector>

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

class html_page : public testing::Test {
 protected:
  outcome report(const input& in, std::vector<setting> more = {}) const {
    more.push_back({"result-dir", folder.string()});
    more.push_back({"result-filename", std::string("r.json")});
    return report_with("html", more, in);
  }
  std::string page(const char* name = "r.html") const {
    return base::read_file((folder / name).string());
  }

  support::temporary_folder files_;
  const fs::path& folder = files_.root;
};

const rapidjson::Value& metric_of(const rapidjson::Value& run, const std::string& name) {
  for (const auto& each : run["metrics"].GetArray())
    if (name == each["name"].GetString()) return each;
  throw base::error("no metric " + name);
}

TEST_F(html_page, has_the_figures_and_all_requests_of_the_run) {
  const outcome o = report(strained_run());
  EXPECT_TRUE(o.ok);
  EXPECT_TRUE(o.stamps);
  EXPECT_THAT(o.artifacts, ElementsAre(Pair("report", (folder / "r.html").string())));
  EXPECT_THAT(o.lines, IsEmpty());
  const auto read = pages_test::report_of(page());
  const auto& run = read["runs"][0];
  EXPECT_STREQ(read["kind"].GetString(), "run");
  EXPECT_STREQ(run["name"].GetString(), "run-1");
  EXPECT_TRUE(run["interrupted"].GetBool());
  EXPECT_EQ(run["finished_unix_ms"].GetInt64() - run["started_unix_ms"].GetInt64(), 1'200'000);
  EXPECT_EQ(run["description"]["max_concurrency"].GetInt(), 8);
  EXPECT_EQ(run["facts"]["accounting"]["failed"].GetInt(), 12);
  EXPECT_EQ(metric_of(run, "completed")["value"].GetDouble(), 4);
  EXPECT_EQ(metric_of(run, "ttft")["percentiles"].Size(), 3U);
  const auto rows = pages_test::rows_of(page());
  ASSERT_EQ(rows.count, 16U);  // without the request that was never sent
  double sum = 0;
  int ok = 0;
  for (std::size_t i = 0; i < rows.count; ++i) {
    if (rows.at("status", i) != 0) continue;
    sum += static_cast<double>(rows.at("first", i));
    ++ok;
  }
  EXPECT_EQ(ok, 4);
  EXPECT_NEAR(metric_of(run, "ttft")["value"].GetDouble(), sum / ok / 1e3, 0.001);
}

TEST_F(html_page, is_small_and_needs_no_other_file) {
  ASSERT_TRUE(report(plain_run()).ok);
  const std::string text = page();
  EXPECT_LT(text.size(), 400'000U);
  EXPECT_THAT(text, HasSubstr("default-src 'none'"));
  EXPECT_THAT(text, Not(HasSubstr("{{title}}")));
  for (const char* elsewhere : {"src=\"http", "href=\"http", "@import", "url(http"})
    EXPECT_THAT(text, Not(HasSubstr(elsewhere)));
}

TEST_F(html_page, the_title_is_the_users_else_the_label_else_backend_and_model) {
  const auto title = [&] {
    return std::string(pages_test::report_of(page())["title"].GetString());
  };
  ASSERT_TRUE(report(plain_run()).ok);
  EXPECT_EQ(title(), "openai, org/small-7b");
  ASSERT_TRUE(report(plain_run(), {{"label", std::string("night")}}).ok);
  EXPECT_EQ(title(), "night");
  ASSERT_TRUE(report(plain_run(), {{"title", std::string("</title><b>")}}).ok);
  EXPECT_EQ(title(), "</title><b>");
  EXPECT_THAT(page(), HasSubstr("<title>&lt;/title&gt;&lt;b&gt;</title>"));
}

TEST_F(html_page, what_a_server_says_cannot_leave_the_data) {
  input in = plain_run();
  const std::string attack = "</script><script>alert(1)</script>";
  in.records[0].status = IFB_E_REMOTE;
  in.records[0].error = attack + std::string("\0\xFF\xE2\x80\xA8", 5);
  in.records[1].session = attack;
  in.records[1].finish_reason = attack;
  in.records[1].attributes = {{"lora", attack}};
  in.resolved.replace(in.resolved.find("org/small-7b"), 12, attack);
  ASSERT_TRUE(report(in).ok);
  EXPECT_THAT(page(), Not(HasSubstr("<script>alert(1)")));
  const auto read = pages_test::report_of(page());
  const auto& strings = read["runs"][0]["rows"]["strings"];
  EXPECT_EQ(strings["session"][0].GetString(), attack);
  EXPECT_EQ(strings["class"][0].GetString(), attack);
  EXPECT_THAT(strings["error"][0].GetString(), testing::StartsWith(attack));
}

TEST_F(html_page, answers_are_left_out_unless_the_user_wants_them) {
  ASSERT_TRUE(report(plain_run()).ok);
  EXPECT_THAT(page(), Not(HasSubstr("four tokens")));
}

TEST_F(html_page, runs_of_every_kind_have_a_page) {
  input none = plain_run();
  none.records.clear();
  struct kind {
    input run;
    std::size_t rows;
  };
  for (const kind& each : {kind{none, 0}, kind{hopeless_run(), 1}, kind{pooling_run(), 3},
                           kind{full_run(), 16}, kind{closed_run(), 10}}) {
    const outcome o = report(each.run);
    EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
    EXPECT_EQ(pages_test::rows_of(page()).count, each.rows);
  }
}

TEST_F(html_page, requests_to_several_servers_name_their_server) {
  input in = plain_run();
  in.records[1].server = 1;
  in.plan = R"("server": {"base-url": ["http://a:1", "http://key@b:2"]}, )";
  ASSERT_TRUE(report(in).ok);
  const auto read = pages_test::report_of(page());
  const auto& servers = read["runs"][0]["rows"]["strings"]["server"];
  EXPECT_STREQ(servers[1].GetString(), "http://(cut)@b:2");
  EXPECT_EQ(pages_test::rows_of(page()).at("server", 1), 2);
}

TEST_F(html_page, several_runs_are_one_page) {
  const outcome o = report_table_with(
      "html", {{"result-dir", folder.string()}},
      {{plain_run(), "first", "a.journal", "1"}, {strained_run(), "second", "b.journal", "8"}});
  EXPECT_TRUE(o.ok);
  EXPECT_THAT(o.artifacts, ElementsAre(Pair("report", (folder / "table-1.html").string())));
  const auto read = pages_test::report_of(page("table-1.html"));
  EXPECT_STREQ(read["kind"].GetString(), "table");
  EXPECT_STREQ(read["axes"][0]["name"].GetString(), "max_concurrency");
  EXPECT_EQ(read["runs"][1]["axes"]["max_concurrency"].GetInt(), 8);
  EXPECT_STREQ(read["runs"][1]["label"].GetString(), "second");
  EXPECT_STREQ(read["runs"][0]["source"].GetString(), "a.journal");
  EXPECT_EQ(read["points"].Size(), 2U);
  EXPECT_EQ(pages_test::rows_of(page("table-1.html"), 1).count, 16U);
}

TEST_F(html_page, a_place_that_cannot_be_written_is_refused_before_the_run) {
  fs::create_directory(folder / "r.html");
  EXPECT_THROW((void)report(plain_run()), base::error);
  try {
    (void)report_with("html", {{"file", (folder / "none" / "x.html").string()}}, plain_run());
    ADD_FAILURE();
  } catch (const base::error& e) {
    EXPECT_THAT(std::string(e.what()), HasSubstr("none"));
  }
}

TEST_F(html_page, thresholds_that_are_not_two_numbers_are_refused) {
  EXPECT_THROW((void)report(plain_run(), {{"itl-thresholds", std::string("50,25")}}), base::error);
}

}  // namespace
}  // namespace inferbench::reporters_test
