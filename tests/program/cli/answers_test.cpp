// The warnings about suspicious answers: whole runs against recorded answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

/// A server that repeats `transcripts`, and runs against it.
class answers : public ::testing::Test {
 protected:
  finished serve(const std::string& transcripts, const std::vector<std::string>& flags,
                 std::vector<std::string> pace = {"--ttft", "0", "--itl", "0"}) {
    pace.insert(pace.end(), {"--replay", where_.write("answers.json", transcripts)});
    const simulator server(std::move(pace));
    std::vector<std::string> line{"serve",
                                  "--base-url",
                                  server.url(),
                                  "--model",
                                  "m",
                                  "--tokenizer-mode",
                                  "bytes",
                                  "--num-prompts",
                                  "4",
                                  "--random-input-len",
                                  "40",
                                  "--random-output-len",
                                  "50",
                                  "--save-result",
                                  "--save-detailed",
                                  "--result-dir",
                                  where_.path(),
                                  "--result-filename",
                                  "result.json"};
    line.insert(line.end(), flags.begin(), flags.end());
    return inferbench(std::move(line));
  }
  [[nodiscard]] rapidjson::Document result() const {
    const std::string path = where_.path("result.json");
    return base::parse_json(read(path), path);
  }

  folder where_;
};

constexpr const char* two_tokens_and_no_end = R"([{"name": "cut", "heard": [], "body": [
  "data: {\"choices\": [{\"index\": 0, \"text\": \"a\"}]}\n\n",
  "data: {\"choices\": [{\"index\": 0, \"text\": \"b\"}]}\n\n"]}])";

TEST_F(answers, that_just_stop_are_counted_and_make_the_run_suspect) {
  const finished run = serve(two_tokens_and_no_end, {});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Successful requests:                     4"));
  EXPECT_THAT(run.out, HasSubstr("Answers without an end mark:             4\n"));
  EXPECT_THAT(run.out, HasSubstr("  4 of 4 answers stopped without [DONE] and without a finish "
                                 "reason (limit 0): "));
  EXPECT_THAT(run.out, Not(HasSubstr("VALID\n")));
}

TEST_F(answers, that_just_stop_fail_where_answers_are_strict) {
  const finished run = serve(two_tokens_and_no_end, {"--strict-answers"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Failed requests:                         4"));
  EXPECT_THAT(run.out, HasSubstr("the answer ended early (--strict-answers): the stream stopped "
                                 "without [DONE] and without a finish reason"));
  // The report from the journal is the same.
  const finished again = inferbench({"report", where_.only(".journal")});
  EXPECT_THAT(again.out, HasSubstr("Failed requests:                         4"));
}

TEST_F(answers, shorter_than_ignore_eos_promises_are_counted) {
  const finished run = serve(R"([{"name": "short", "heard": [], "body": [
    "data: {\"choices\": [{\"index\": 0, \"text\": \"ab\", \"finish_reason\": \"stop\"}], \"usage\": {\"prompt_tokens\": 40, \"completion_tokens\": 2}}\n\ndata: [DONE]\n\n"]}])",
                             {});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("Answers shorter than promised:           4\n"));
  EXPECT_THAT(run.out, Not(HasSubstr("Answers without an end mark")));
  EXPECT_THAT(run.out, HasSubstr("4 of 4 answers are shorter than the length asked for"));
}

TEST_F(answers, whose_first_event_has_no_text_have_a_ttft_that_is_warned_of) {
  const finished run = serve(R"([{"name": "role first", "heard": [], "body": [
    "data: {\"choices\": [{\"index\": 0, \"text\": \"\"}]}\n\n",
    "data: {\"choices\": [{\"index\": 0, \"text\": \"ab\", \"finish_reason\": \"stop\"}]}\n\n"]}])",
                             {}, {"--ttft", "0", "--itl", "150ms"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("TTFT is not the time of the first text"));
  EXPECT_THAT(run.out,
              ContainsRegex("TTFT to the first text, P50 / P99 \\(ms\\): +[1-9][0-9][0-9]+\\."));
  EXPECT_THAT(run.out,
              ContainsRegex("TTFT from due time, P50 / P99 \\(ms\\): +[1-9][0-9][0-9]+\\."));
}

TEST_F(answers, that_are_not_a_stream_have_failed_and_their_type_is_named) {
  const finished run =
      serve(R"([{"name": "whole", "heard": [], "type": "application/json", "body": [
    "{\"choices\": [{\"index\": 0, \"text\": \"all of it\"}]}"]}])",
            {});
  EXPECT_THAT(run.out, HasSubstr("Failed requests:                         4"));
  EXPECT_THAT(run.out, HasSubstr("is no stream of events (Content-Type: application/json)"));
}

TEST_F(answers, of_one_status_with_different_reasons_are_distinguished) {
  const finished run = serve(R"([
    {"name": "a", "heard": [], "status": "400 Bad", "type": "text/plain", "body": ["too long"]},
    {"name": "b", "heard": [], "status": "400 Bad", "type": "text/plain", "body": ["no such model"]}
    ])",
                             {"--max-concurrency", "1"});
  EXPECT_THAT(run.out, HasSubstr("2 x HTTP 400 Bad Request: too long\n"));
  EXPECT_THAT(run.out, HasSubstr("2 x HTTP 400 Bad Request: no such model\n"));
}

TEST_F(answers, of_two_choices_keep_the_text_of_the_first_and_the_tokens_of_both) {
  const finished run = serve(R"([{"name": "n = 2", "heard": [], "body": [
    "data: {\"choices\": [{\"index\": 1, \"text\": \"B\"}]}\n\n",
    "data: {\"choices\": [{\"index\": 0, \"text\": \"A\"}]}\n\n",
    "data: {\"choices\": [{\"index\": 1, \"text\": \"b\"}, {\"index\": 0, \"text\": \"a\"}]}\n\n",
    "data: {\"choices\": [{\"index\": 0, \"text\": \"\", \"finish_reason\": \"stop\"}], \"usage\": {\"prompt_tokens\": 7, \"completion_tokens\": 20}}\n\n",
    "data: {\"choices\": [{\"index\": 1, \"text\": \"\", \"finish_reason\": \"stop\"}], \"usage\": {\"prompt_tokens\": 7, \"completion_tokens\": 30}}\n\ndata: [DONE]\n\n"]}])",
                             {});
  EXPECT_EQ(run.status, 0) << run.err;
  const auto json = result();
  EXPECT_STREQ(json["generated_texts"][0].GetString(), "Aa");
  EXPECT_EQ(json["output_lens"][0].GetInt(), 50);
  EXPECT_EQ(json["input_lens"][0].GetInt(), 7);
  EXPECT_EQ(json["itls"][0].Size(), 4U);
}

}  // namespace
}  // namespace inferbench::testing
