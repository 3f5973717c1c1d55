// Tests single requests through the tables of the plugin, as the host calls it.
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "python_plugin_bench.hpp"

namespace python_engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(python_plugins, take_single_requests) {
  create(SCRIPTED_WORKER, "good");
  heard_request heard[3];
  ifb_call* calls[3] = {};
  for (int i = 0; i < 3; ++i)
    ASSERT_EQ(submit(heard[i], calls[i]), IFB_OK) << error_.message;
  for (int i = 0; i < 3; ++i) {
    heard[i].wait();
    EXPECT_THAT(heard[i].lines,
                ElementsAre("one 1 stamped", " two 1 stamped", "usage 4 2", "done stop"));
    engine().release(calls[i]);
  }
}

TEST_F(python_plugins, take_single_requests_of_an_engine_without_events) {
  create(SCRIPTED_WORKER, "submit-whole");
  heard_request heard;
  ifb_call* call = nullptr;
  ASSERT_EQ(submit(heard, call), IFB_OK);
  heard.wait();
  EXPECT_THAT(heard.lines, ElementsAre("one two 2", "usage 4 2", "done stop"));
  engine().release(call);
}

TEST_F(python_plugins, end_single_requests_that_are_cancelled) {
  create(SCRIPTED_WORKER, "submit-silent");
  heard_request heard;
  ifb_call* call = nullptr;
  ASSERT_EQ(submit(heard, call), IFB_OK);
  engine().cancel(call);
  heard.wait();
  EXPECT_EQ(heard.code, IFB_E_CANCELLED);
  engine().release(call);
}

TEST_F(python_plugins, tell_the_worker_which_request_is_cancelled) {
  // The worker ends the second request when it hears that the first is aborted.
  create(SCRIPTED_WORKER, "submit-until-abort");
  heard_request heard[2];
  ifb_call* calls[2] = {};
  for (int i = 0; i < 2; ++i)
    ASSERT_EQ(submit(heard[i], calls[i]), IFB_OK) << error_.message;
  engine().cancel(calls[0]);
  for (heard_request& each : heard)
    each.wait();
  EXPECT_EQ(heard[0].code, IFB_E_CANCELLED);
  EXPECT_EQ(heard[1].lines.back(), "done stop");
  for (ifb_call* each : calls)
    engine().release(each);
}

TEST_F(python_plugins, end_single_requests_if_the_worker_dies_or_errs) {
  create(SCRIPTED_WORKER, "submit-dies");
  heard_request heard;
  ifb_call* call = nullptr;
  ASSERT_EQ(submit(heard, call), IFB_OK);
  heard.wait();
  EXPECT_THAT(
      heard.lines,
      ElementsAre(HasSubstr("ended with exit status 9 during traffic of single requests; ")));
  engine().release(call);
  described.destroy(std::exchange(self_, nullptr));

  create(SCRIPTED_WORKER, "unknown-request");
  heard_request other;
  ASSERT_EQ(submit(other, call), IFB_OK);
  other.wait();
  EXPECT_THAT(other.lines,
              ElementsAre(HasSubstr("(finished): request: 99, and there is no such request")));
  engine().release(call);
}

TEST_F(python_plugins, end_single_requests_with_the_error_frame_of_the_worker) {
  create(SCRIPTED_WORKER, "submit-refused");
  heard_request heard;
  ifb_call* call = nullptr;
  ASSERT_EQ(submit(heard, call), IFB_OK);
  heard.wait();
  EXPECT_EQ(heard.code, IFB_E_INTERNAL);
  EXPECT_THAT(heard.lines, ElementsAre(HasSubstr("the worker refuses the frame submit, field "
                                                 "item.output_tokens: not between 1 and 7; ")));
  engine().release(call);
}

TEST_F(python_plugins, end_single_requests_at_a_frame_of_a_batch) {
  create(SCRIPTED_WORKER, "submit-done");
  heard_request heard;
  ifb_call* call = nullptr;
  ASSERT_EQ(submit(heard, call), IFB_OK);
  heard.wait();
  EXPECT_EQ(heard.code, IFB_E_PROTOCOL);
  EXPECT_THAT(heard.lines, ElementsAre(HasSubstr("(done): it is not allowed here; there are only "
                                                 "single requests")));
  engine().release(call);
}

TEST_F(python_plugins, refuse_a_sample_that_would_end_the_worker_and_go_on) {
  create(SCRIPTED_WORKER, "good");
  const auto refused = [&](std::int64_t tokens, const char* overrides) {
    what_.sample(0).output_tokens = tokens;
    what_.sample(0).overrides = ifb::str(overrides);
    heard_request heard;
    ifb_call* call = nullptr;
    EXPECT_EQ(submit(heard, call), IFB_OK);
    heard.wait();
    engine().release(call);
    EXPECT_EQ(heard.code, IFB_E_DATA);
    EXPECT_EQ(run(what_.batch), IFB_E_DATA);
    EXPECT_EQ(error_.message, "item 0: " + heard.lines.front());
    return heard.lines.front();
  };
  EXPECT_EQ(refused(0, ""),
            "the sample asks for an output of 0 tokens, and an engine generates 1 or more");
  for (const char* priority : {R"("high")", "true", "0.5", "1.0"})
    EXPECT_EQ(refused(2, ("{\"priority\": " + std::string(priority) + "}").c_str()),
              "the overrides of the sample: priority: not an integer");
  EXPECT_EQ(refused(2, "[1]"), "the overrides of the sample: not a JSON object");
  EXPECT_THAT(refused(2, R"({"seed": 1, "seed": 2})"), HasSubstr(R"(the key "seed" comes twice)"));

  ifb_part ids = blank_part(IFB_PART_TOKENS);
  const ifb_sample good = what_.sample(0);
  ids.data = ifb::bytes("1234567");
  what_.sample(0).shape = IFB_PROMPT_TOKENS;
  what_.sample(0).prompt = ifb::list_of({&ids, 1});
  EXPECT_EQ(refused(2, ""), "the token ids of the sample have 7 bytes, and each token id has 4");

  what_.sample(0) = good;
  what_.sample(0).overrides = ifb::str(R"({"priority": -1, "top_k": 2})");
  heard_request heard;
  ifb_call* call = nullptr;
  ASSERT_EQ(submit(heard, call), IFB_OK);
  heard.wait();
  EXPECT_EQ(heard.lines.back(), "done stop");
  engine().release(call);
}

}  // namespace
}  // namespace python_engine
