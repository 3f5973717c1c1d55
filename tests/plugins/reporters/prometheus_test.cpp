// Tests the reporter `prometheus`: the text of its file. parts/pusher_test.cpp tests the pushes.
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "driver.hpp"
#include "judged_run.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::reporters_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

/// Checks the grammar of the text format, and that the samples of a metric follow each other.
void expect_exposition(const std::string& text) {
  const std::regex help(R"(# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) ([^\n]*))");
  const std::regex type(R"(# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (gauge|summary))");
  const std::regex sample(
      R"(([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[a-zA-Z_]\w*="([^"\\]|\\.)*"(,[a-zA-Z_]\w*="([^"\\]|\\.)*")*\})? (NaN|[+-]Inf|-?[0-9].*))");
  std::set<std::string> metrics;
  std::set<std::string> samples;
  std::string current;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::smatch found;
    if (std::regex_match(line, found, help)) {
      current = found[1];
      EXPECT_TRUE(metrics.insert(current).second) << current << " appears twice";
    } else if (std::regex_match(line, found, type)) {
      EXPECT_EQ(found[1], current);
    } else {
      ASSERT_TRUE(std::regex_match(line, found, sample)) << line;
      EXPECT_TRUE(std::string(found[1]).starts_with(current)) << line;
      EXPECT_TRUE(samples.insert(line.substr(0, line.rfind(' '))).second) << line;
    }
  }
  EXPECT_TRUE(text.ends_with('\n'));
}

class prometheus_file : public testing::Test {
 protected:
  std::string report(const input& in, std::vector<setting> more = {}) {
    more.push_back({"file", file()});
    const outcome o = report_with("prometheus", more, in);
    EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
    EXPECT_THAT(o.artifacts, ElementsAre(Pair("prometheus", file())));
    return base::read_file(file());
  }
  std::string file() const { return files_.path("r.prom"); }

  support::temporary_folder files_;
};

TEST_F(prometheus_file, figures_and_facts_in_base_units) {
  const std::string text = report(judged_run(), {{"labels", std::vector<std::string>{"gpu=H100"}}});
  expect_exposition(text);
  expect_golden(text, "judged.prom");
}

TEST_F(prometheus_file, every_kind_of_run_follows_the_grammar) {
  for (const input& in : {plain_run(), strained_run(), pooling_run(), hopeless_run(), closed_run(),
                          diffusing_run(), hostile_run()})
    expect_exposition(report(in));
  input in = plain_run();
  in.records.clear();
  expect_exposition(report(in));
}

TEST_F(prometheus_file, a_latency_without_values_has_no_quantile) {
  EXPECT_THAT(report(hopeless_run()), HasSubstr("quantile=\"0.99\"} NaN"));
}

TEST_F(prometheus_file, a_label_that_is_taken_or_no_name_is_refused) {
  for (const char* label : {"model=x", "quantile=x", "a-b=x", "1a=x", "__a=x", "=x", "a"})
    EXPECT_THROW((void)report_with("prometheus",
                                   {{"file", file()}, {"labels", std::vector<std::string>{label}}},
                                   plain_run()),
                 base::error)
        << label;
  EXPECT_THROW(
      (void)report_with("prometheus",
                        {{"file", file()}, {"labels", std::vector<std::string>{"a=1", "a=2"}}},
                        plain_run()),
      base::error);
}

TEST_F(prometheus_file, a_push_that_fails_is_a_warning_and_the_file_is_written) {
  const outcome o = report_with(
      "prometheus", {{"file", file()}, {"push-url", std::string("http://user:secret@127.0.0.1:9")}},
      plain_run());
  EXPECT_TRUE(o.ok);
  ASSERT_EQ(o.lines.size(), 1U);
  EXPECT_THAT(o.lines[0], HasSubstr("cannot be pushed to http://127.0.0.1:9/metrics/job/"));
  EXPECT_THAT(o.lines[0], Not(HasSubstr("secret")));
  expect_exposition(base::read_file(file()));
}

TEST_F(prometheus_file, a_push_url_that_is_no_url_is_refused) {
  for (const char* url : {"gateway:9091", "ftp://gateway", "http://gateway/?a=b"})
    EXPECT_THROW((void)report_with("prometheus", {{"file", file()}, {"push-url", std::string(url)}},
                                   plain_run()),
                 base::error)
        << url;
}

}  // namespace
}  // namespace inferbench::reporters_test
