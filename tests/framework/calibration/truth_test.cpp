#include "calibration/truth.hpp"

#include <cstdio>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "simulator/ground_truth.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::calibration {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class truth : public ::testing::Test {
 protected:
  void write(const std::string& text) const { files.write("truth.log", text); }

  std::string refusal() const {
    try {
      truth_reader reader(path);
      for (served one; reader.next(one);) {
      }
    } catch (const base::error& e) {
      return e.what();
    }
    return {};
  }

  const support::temporary_folder files;
  const std::string path = files.path("truth.log");
};

TEST_F(truth, reads_the_log_of_the_simulator) {
  simulator::truth first;
  first.request_id = "bench-\"0\"";
  first.path = "/v1/chat/completions";
  first.outcome = "finished";
  first.events = client::stamps(5'000'000'000'000);
  first.events.push(5'000'000'000'001);
  first.events.push(5'000'000'000'300);
  first.written = client::stamps(5'000'000'000'000);
  first.written.push(5'000'000'000'100);
  first.written.push(5'000'000'000'400);
  simulator::truth second;
  second.request_id = "bench-1";
  second.path = "/v1/completions";
  std::string text;
  append_line(text, first);
  append_line(text, second);
  write(text);

  truth_reader reader(path);
  served out;
  ASSERT_TRUE(reader.next(out));
  EXPECT_EQ(out.id, "bench-\"0\"");
  EXPECT_TRUE(out.role_event);
  EXPECT_TRUE(out.finished);
  EXPECT_THAT(out.event_ns, ElementsAre(5'000'000'000'001, 5'000'000'000'300));
  EXPECT_THAT(out.written_ns, ElementsAre(5'000'000'000'100, 5'000'000'000'400));
  ASSERT_TRUE(reader.next(out));
  EXPECT_EQ(out.id, "bench-1");
  EXPECT_FALSE(out.role_event);
  EXPECT_FALSE(out.finished);
  EXPECT_THAT(out.event_ns, IsEmpty());
  EXPECT_FALSE(reader.next(out));
}

TEST_F(truth, a_chat_that_is_not_streamed_has_no_role_event) {
  simulator::truth whole;
  whole.request_id = "bench-0";
  whole.path = "/v1/chat/completions";
  whole.streamed = false;
  std::string text;
  append_line(text, whole);
  write(text);
  truth_reader reader(path);
  served out;
  ASSERT_TRUE(reader.next(out));
  EXPECT_FALSE(out.role_event);
}

TEST_F(truth, names_a_line_that_the_simulator_did_not_write) {
  const std::string good = R"({"request_id": "a", "event_ns": [1], "written_ns": [2]})"
                           "\n";
  write(good + "{\n");
  EXPECT_THAT(refusal(), HasSubstr(path));
  EXPECT_THAT(refusal(), HasSubstr("malformed JSON"));
  write(good + R"({"event_ns": [1]})");
  EXPECT_THAT(refusal(), HasSubstr(path + ":2: no request_id"));
  write(R"({"request_id": "a"})");
  EXPECT_THAT(refusal(), HasSubstr(path + ":1: no event_ns"));
  write(R"({"request_id": "a", "event_ns": [1, -2]})");
  EXPECT_THAT(refusal(), HasSubstr(path + ":1: event_ns is not a list of times"));
  write(R"({"request_id": "a", "event_ns": [1]})");
  EXPECT_THAT(refusal(), HasSubstr(path + ":1: no written_ns"));
  write(R"({"request_id": "a", "event_ns": [1], "written_ns": ["2"]})");
  EXPECT_THAT(refusal(), HasSubstr(path + ":1: written_ns is not a list of times"));
  write(R"({"request_id": "a", "event_ns": [1], "written_ns": [2, 3]})");
  EXPECT_THAT(refusal(), HasSubstr(path + ":1: written_ns has not as many times as event_ns"));
  write("[]\n");
  EXPECT_THAT(refusal(), HasSubstr("no request_id"));
  std::remove(path.c_str());
  EXPECT_EQ(refusal(), "cannot read the ground truth " + path);
}

TEST_F(truth, that_cannot_be_read_does_not_end_like_a_file) {
  std::filesystem::create_directory(path);  // it can be opened, but not read
  EXPECT_EQ(refusal(), "cannot read the ground truth " + path + ": Is a directory");
}

}  // namespace
}  // namespace inferbench::calibration
