// Tests the reporter `multi-turn` as the host calls it.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "driver.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::reporters_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

class multi_turn_files : public testing::Test {
 protected:
  multi_turn_files() {
    std::ofstream(chats()) << R"([{"id": "a", "messages": [{"role": "user", "content": "q"},
      {"role": "assistant", "content": "recorded"}]}])";
  }

  std::string chats() const { return files_.path("chats.json"); }
  /// A run whose requests belong to one conversation.
  static input talking_run() {
    input in = plain_run();
    for (std::size_t i = 0; i < in.records.size(); ++i) {
      in.records[i].session = "s-0";
      in.records[i].turn = static_cast<std::uint32_t>(i);
      in.records[i].attributes = {{"conversation_id", "a"}, {"client", "1"}};
      in.records[i].text = "answer";
    }
    return in;
  }

  support::temporary_folder files_;
};

TEST_F(multi_turn_files, parameters_and_tables_are_printed) {
  const outcome o = report_with("multi-turn",
                                {{"parameters", std::vector<std::string>{"model=m", "seed=0"}},
                                 {"warmup-percentages", std::vector<std::string>{"50%", "0%"}}},
                                talking_run());
  ASSERT_TRUE(o.ok) << testing::PrintToString(o.lines);
  EXPECT_THAT(o.printed, HasSubstr("Parameters:\nmodel=m\nseed=0\n"));
  EXPECT_THAT(o.printed, HasSubstr("runtime_sec = "));
  EXPECT_THAT(o.printed, HasSubstr("\nttft_ms"));
  EXPECT_LT(o.printed.find("Statistics summary:"), o.printed.find("without the first 50%"));
  EXPECT_THAT(o.printed, Not(HasSubstr("time_between_user_turns_sec")));
}

TEST_F(multi_turn_files, all_files_are_written) {
  const std::string json = files_.path("r.json");
  const std::string excel = files_.path("r.xlsx");
  const std::string answers = files_.path("a.json");
  const outcome o = report_with("multi-turn",
                                {{"file", json},
                                 {"excel", excel},
                                 {"answers", answers},
                                 {"conversations", chats()},
                                 {"turn-times", true}},
                                talking_run());
  ASSERT_TRUE(o.ok) << testing::PrintToString(o.lines);
  EXPECT_THAT(o.artifacts, ElementsAre(Pair("requests", json), Pair("workbook", excel),
                                       Pair("answers", answers)));
  EXPECT_THAT(base::read_file(json), HasSubstr("\"client_id\": 1"));
  EXPECT_TRUE(base::read_file(excel).starts_with("PK")) << "a workbook is a ZIP archive";
  EXPECT_THAT(base::read_file(answers), HasSubstr("\"content\": \"answer\""));
  EXPECT_THAT(o.printed, HasSubstr("time_between_user_turns_sec"));
}

TEST_F(multi_turn_files, an_answer_that_differs_fails_a_run_that_verifies) {
  input in = talking_run();
  const std::vector<setting> verify{{"conversations", chats()}, {"verify", true}};
  const outcome o = report_with("multi-turn", verify, in);
  EXPECT_FALSE(o.ok);
  EXPECT_THAT(o.lines,
              Contains(HasSubstr("an answer differs from the recorded answer: conversation a, "
                                 "turn 1: \"answer\" in place of \"recorded\"")));
  EXPECT_THAT(o.lines, Contains(AllOf(HasSubstr("the verification has failed: 1 of 1 answers"),
                                      HasSubstr("ends with status 1"))));
  for (auto& each : in.records)
    each.text = "recorded";
  EXPECT_TRUE(report_with("multi-turn", verify, in).ok);
}

TEST_F(multi_turn_files, a_run_without_conversations_says_so) {
  const outcome o = report_with("multi-turn", {}, plain_run());
  ASSERT_TRUE(o.ok);
  EXPECT_THAT(o.printed, HasSubstr("No request of a conversation succeeded."));
}

TEST_F(multi_turn_files, the_detailed_result_has_sessions_and_turns) {
  const std::string json = files_.path("r.json");
  const std::vector<setting> detailed{{"file", json}, {"save-detailed", true}};
  ASSERT_TRUE(report_with("json", detailed, talking_run()).ok);
  EXPECT_THAT(base::read_file(json),
              HasSubstr(R"("sessions": ["s-0", "s-0", "s-0"], "turns": [0, 1, 2])"));
  ASSERT_TRUE(report_with("json", detailed, plain_run()).ok);
  EXPECT_THAT(base::read_file(json), Not(HasSubstr("\"sessions\"")));
}

TEST_F(multi_turn_files, options_that_cannot_work_are_refused) {
  EXPECT_THROW(std::ignore = report_with("multi-turn", {{"verify", true}}, plain_run()),
               base::error);
  EXPECT_THROW(
      std::ignore = report_with("multi-turn", {{"answers", files_.path("a.json")}}, plain_run()),
      base::error);
  EXPECT_THROW(
      std::ignore = report_with("multi-turn", {{"file", files_.path("no/r.json")}}, plain_run()),
      base::error);
  EXPECT_THROW(
      std::ignore = report_with(
          "multi-turn", {{"warmup-percentages", std::vector<std::string>{"1"}}}, plain_run()),
      base::error);
}

}  // namespace
}  // namespace inferbench::reporters_test
