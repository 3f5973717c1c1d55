#include "simulator/counters.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"

namespace inferbench::simulator {
namespace {

TEST(counters, the_metrics_page_is_as_recorded) {
  counters counted;
  counted.prompt_tokens = 1;
  counted.generation_tokens = 2;
  counted.prefix_queries = 3;
  counted.prefix_hits = 4;
  counted.finished_stop = 5;
  counted.finished_length = 6;
  counted.aborted = 7;
  counted.refused = 8;
  counted.connections = 9;
  counted.events = 10;
  counted.stalled = 11;
  counted.prefix_resets = 12;
  counted.media_resets = 13;
  counted.encoder_resets = 14;
  counted.media = {.checked = 20,
                   .mismatches = 21,
                   .not_chosen = 22,
                   .queue_full = 23,
                   .remote = 24,
                   .no_codec = 25,
                   .images = 26,
                   .videos = 27,
                   .sounds = 28,
                   .pixels = 29,
                   .frames = 30,
                   .video_seconds = 31.5,
                   .sound_seconds = 32.5};
  counted.structures = {.right = 40, .wrong = 41, .limited = 42, .unsupported = 43};
  for (const std::uint64_t ns : {5'000U, 50'000U, 500'000U, 2'000'000'000U})
    counted.late.record(ns);
  EXPECT_EQ(metrics_text(counted, "org/model", 12, 13),
            base::read_file(INFERBENCH_FIXTURES "/simulator/metrics.txt"));
}

TEST(counters, drafts_are_counted_with_their_accepted_tokens) {
  counters counted;
  counted.count_draft(3);  // no effect without speculative decoding
  EXPECT_EQ(metrics_text(counted, "m", 0, 0).find("spec_decode"), std::string::npos);
  counted.drafts.resize(3 + 1);
  for (const std::uint64_t tokens : {1U, 2U, 4U, 9U, 0U})
    counted.count_draft(tokens);
  const std::string page = metrics_text(counted, "m", 0, 0);
  const std::string labels = R"({engine="0",model_name="m")";
  const std::string name = "\nvllm:spec_decode_num_";
  for (const std::string& line :
       {"drafts_total" + labels + "} 4.0\n", "draft_tokens_total" + labels + "} 12.0\n",
        "accepted_tokens_total" + labels + "} 7.0\n",
        "accepted_tokens_per_pos_total" + labels + ",position=\"0\"} 3.0\n"})
    EXPECT_NE(page.find(name + line), std::string::npos) << line;
  EXPECT_NE(page.find(",position=\"2\"} 2.0\n"), std::string::npos);
  EXPECT_EQ(page.find(",position=\"3\"}"), std::string::npos);
}

TEST(counters, a_model_name_is_escaped) {
  EXPECT_NE(metrics_text({}, "a\"b\\c\nd", 0, 0).find(R"(model_name="a\"b\\c\nd"})"),
            std::string::npos);
}

}  // namespace
}  // namespace inferbench::simulator
