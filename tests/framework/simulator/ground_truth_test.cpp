#include "simulator/ground_truth.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::simulator {
namespace {

truth sample(const std::string& id) {
  truth out;
  out.request_id = id;
  out.path = "/v1/completions";
  out.outcome = "finished";
  out.received_ns = 1000;
  out.admitted_ns = 2000;
  out.first_byte_ns = 3000;
  out.end_ns = 10'000'005'000;
  out.prompt_tokens = 7;
  out.output_tokens = 2;
  out.events = client::stamps(1000);
  out.written = client::stamps(1000);
  out.planned = client::stamps(1000);
  for (const std::uint64_t at : {4000U, 5000U}) {
    out.events.push(at + 100);
    out.written.push(at + 105);
    out.planned.push(at);
  }
  out.events.push(10'000'005'000);  // a gap beyond 32 bits
  out.written.push(10'000'005'001);
  out.planned.push(10'000'000'000);
  return out;
}

constexpr std::string_view line =
    R"({"request_id": "a\"b", "path": "/v1/completions", "outcome": "finished", )"
    R"("streamed": true, "prompt_tokens": 7, "output_tokens": 2, "received_ns": 1000, "admitted_ns": 2000, )"
    R"("first_byte_ns": 3000, "end_ns": 10000005000, "event_ns": [4100, 5100, 10000005000], )"
    R"("written_ns": [4105, 5105, 10000005001], )"
    R"("planned_ns": [4000, 5000, 10000000000]})"
    "\n";

class ground_truth : public testing::Test {
 protected:
  const support::temporary_folder files;
  const std::string path = files.path("truth.jsonl");
};

TEST_F(ground_truth, a_request_is_one_line) {
  std::string out;
  append_line(out, sample("a\"b"));
  EXPECT_EQ(out, line);
}

TEST_F(ground_truth, an_answer_that_is_not_streamed_says_so) {
  truth whole = sample("a");
  whole.streamed = false;
  std::string out;
  append_line(out, whole);
  EXPECT_NE(out.find("\"streamed\": false"), std::string::npos);
}

TEST_F(ground_truth, nothing_is_written_before_there_is_time) {
  ground_truth_log log(path);
  EXPECT_EQ(log.pending_bytes(), 0U);
  log.add(sample("a\"b"));
  log.add(sample("a\"b"));
  EXPECT_GT(log.pending_bytes(), 2 * sizeof(truth));
  EXPECT_EQ(base::read_file(path), "");
  EXPECT_TRUE(log.write_some(1));
  EXPECT_EQ(base::read_file(path), line) << "one at least";
  EXPECT_TRUE(log.write_all());
  EXPECT_EQ(base::read_file(path), std::string(line) + std::string(line));
  EXPECT_EQ(log.pending_bytes(), 0U);
}

TEST_F(ground_truth, a_path_that_cannot_be_written_is_an_error) {
  try {
    ground_truth_log log("/no/such/folder/t");
    FAIL();
  } catch (const base::error& e) {
    EXPECT_STREQ(e.what(),
                 "--ground-truth: cannot write /no/such/folder/t: No such file or directory; give "
                 "a path in a folder that exists and is writable");
  }
}

TEST_F(ground_truth, a_full_disk_ends_the_log_and_says_so) {
  ground_truth_log log("/dev/full");
  log.add(sample("x"));
  log.add(sample("y"));
  EXPECT_FALSE(log.write_some(1));
  EXPECT_EQ(log.error(), "cannot write /dev/full: No space left on device");
  EXPECT_EQ(log.pending_bytes(), 0U);
  log.add(sample("z"));
  EXPECT_EQ(log.pending_bytes(), 0U);
  EXPECT_FALSE(log.write_all());
}

}  // namespace
}  // namespace inferbench::simulator
