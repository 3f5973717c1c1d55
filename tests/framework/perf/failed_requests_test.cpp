#include "perf/failed_requests.hpp"

#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "pytext/python_json.hpp"

namespace inferbench::perf {
namespace {

std::optional<std::string> sentence_on(const std::string& json) {
  return failed_requests_text(pytext::read_json_document(json, "r.json"));
}

TEST(failed_requests, are_counted_in_a_sentence) {
  EXPECT_EQ(sentence_on(R"({"completed": 4, "failed": 2})"),
            "2 of 6 requests failed: the row has the figures of the others");
  EXPECT_EQ(sentence_on(R"({"failed": 2.0})"),
            "2 requests failed: the row has the figures of the others");
}

TEST(failed_requests, of_a_run_without_a_completed_request_leave_no_measurement) {
  EXPECT_EQ(sentence_on(R"({"completed": 0, "failed": 6})"),
            "all 6 requests failed: the latencies in the row are no measurements");
  EXPECT_EQ(sentence_on(R"({"completed": 0})"),
            "no request was completed: the latencies in the row are no measurements");
}

TEST(failed_requests, have_no_sentence_if_the_result_does_not_count_any) {
  for (const char* const result :
       {R"({"completed": 6, "failed": 0})", R"({"completed": 6})", "{}", "[]", "3",
        R"({"completed": 6, "failed": "2"})", R"({"completed": 6, "failed": NaN})",
        R"({"completed": 6, "failed": Infinity})", R"({"completed": 6, "failed": -1})"})
    EXPECT_EQ(sentence_on(result), std::nullopt) << result;
}

}  // namespace
}  // namespace inferbench::perf
