#include "check/print.hpp"

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"

namespace inferbench::check {
namespace {

using ::testing::HasSubstr;

result result_of(const char* test_name, ifb_kind kind, outcome said) {
  result out;
  for (const test& t : tests())
    if (std::string_view(t.name) == test_name) out.what = &t;
  out.kind = kind;
  out.id = kind == 0 ? "" : "acme";
  out.version = kind == 0 ? "" : "1.0.0";
  settle(said);
  out.said = std::move(said);
  return out;
}

report a_report() {
  report out;
  out.file = "/x/acme.so";
  out.sha256 = "ab";
  out.results.push_back(result_of("entry", 0, {}));
  outcome warned;
  warned.findings = {{false, "no licence", "name one"}};
  out.results.push_back(result_of("descriptor", IFB_BACKEND, warned));
  outcome failed;
  failed.findings = {{true, "open < \"x\" & \1 fails", "mend it"}, {true, "and more", ""}};
  out.results.push_back(result_of("calls", IFB_BACKEND, failed));
  outcome crashed;
  crashed.findings = {{true, "Segmentation fault", ""}};
  crashed.said = verdict::crashed;
  out.results.push_back(result_of("borrowing", IFB_BACKEND, crashed));
  outcome skipped;
  skipped.skipped = "no path";
  out.results.push_back(result_of("cost", IFB_BACKEND, skipped));
  return out;
}

TEST(print, for_people_groups_by_plugin_and_says_reason_and_remedy) {
  const report r = a_report();
  EXPECT_EQ(
      to_text(r.results[0], true),
      "library\n  passed   entry              loading and the entry function are quick and leave "
      "nothing behind\n");
  EXPECT_EQ(to_text(r.results[1], true),
            "backend acme 1.0.0\n"
            "  warned   descriptor         id, version and texts are well-formed\n"
            "           warning: no licence\n           -> name one\n");
  EXPECT_EQ(to_text(r.results[4], false), "  skipped  cost               no path\n");
  EXPECT_EQ(totals_of(r), "1 passed, 1 warned, 1 failed, 1 crashed, 1 skipped");
  EXPECT_FALSE(r.good());
}

TEST(print, for_people_escapes_the_control_characters_of_a_plugin) {
  outcome said;
  said.findings = {{true, "red \x1b[31m\r\n", "say \x7f"}};
  const std::string text = to_text(result_of("calls", IFB_BACKEND, said), false);
  EXPECT_THAT(text, HasSubstr("           red \\x1b[31m\\x0d\\x0a\n           -> say \\x7f\n"));
  outcome skipped;
  skipped.skipped = "no \tpath";
  EXPECT_EQ(to_text(result_of("cost", IFB_BACKEND, skipped), false),
            "  skipped  cost               no \\x09path\n");
}

TEST(print, notes_come_after_the_sentence) {
  outcome said;
  said.notes = {"a row costs 5 ns", "more"};
  EXPECT_EQ(to_text(result_of("cost", IFB_DATASET, said), false),
            "  passed   cost               the time that a call takes: a row costs 5 ns, more\n");
}

TEST(print, json_holds_every_test) {
  const rapidjson::Document json = base::parse_json(to_json(a_report()), "the report");
  EXPECT_EQ(json["failed"].GetInt(), 1);
  ASSERT_EQ(json["tests"].Size(), 5U);
  const auto& failed = json["tests"][2];
  EXPECT_STREQ(failed["plugin"].GetString(), "backend acme");
  EXPECT_STREQ(failed["verdict"].GetString(), "failed");
  EXPECT_STREQ(failed["findings"][0]["remedy"].GetString(), "mend it");
  EXPECT_STREQ(json["tests"][4]["skipped"].GetString(), "no path");
}

TEST(print, junit_has_a_suite_for_each_plugin_and_is_well_formed) {
  const std::string xml = to_junit(a_report());
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"library\" tests=\"1\" failures=\"0\" errors=\"0\" "
                             "skipped=\"0\""));
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"backend acme\" tests=\"4\" failures=\"1\" "
                             "errors=\"1\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<failure message=\"open &lt; &quot;x&quot; &amp;   fails\">"));
  EXPECT_THAT(xml, HasSubstr("<error message=\"Segmentation fault\">"));
  EXPECT_THAT(xml, HasSubstr("<system-out>warning: no licence; name one\n</system-out>"));
}

TEST(print, every_test_has_a_name_of_its_own_and_is_listed) {
  const std::string list = list_of_tests();
  std::set<std::string> names;
  for (const test& t : tests()) {
    EXPECT_TRUE(names.insert(t.name).second) << t.name;
    EXPECT_NE(t.run, nullptr);
    EXPECT_THAT(list, HasSubstr(t.sentence));
  }
  EXPECT_GT(names.size(), 30U);
}

}  // namespace
}  // namespace inferbench::check
