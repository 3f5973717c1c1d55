#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/engine.hpp>

#include "sdk/layer/fake_host.hpp"

namespace {

using sdk_test::fake_host;
using sdk_test::heard_events;
using sdk_test::made;
using sdk_test::stale_error;
using sdk_test::text_value;

int live_calls = 0;

/// The steps of one request in order. run() reads it, too.
std::vector<std::string> steps;

/// Throws an exception in the operation that its option selects.
template <bool blocks>
class moody_engine {
 public:
  static constexpr const char* id = blocks ? "moody-blocking" : "moody";
  static constexpr const char* version = "1.2.3";
  static constexpr const char* summary = "Fails on demand.";
  static constexpr const char* license = "MIT";
  static constexpr bool blocking = blocks;

  struct options {
    std::string trouble;
    static constexpr auto schema() {
      return std::tuple{ifb::option{"trouble", &options::trouble, "Where to fail."}};
    }
  };

  class call {
   public:
    call(const moody_engine& owner, std::string_view prompt, ifb::engine_output out)
        : owner_(owner), prompt_(prompt), out_(out) {
      ++live_calls;
    }
    call(const call&) = delete;  // constructed in the arena, without a copy or move
    call& operator=(const call&) = delete;
    ~call() { --live_calls; }

    void run() {
      steps.push_back("run");
      owner_.fail("run");
      out_.token_at(17, prompt_, 2, IFB_CHANNEL_REASONING, 1);
      out_.token("b");
      out_.usage({.prompt = 1, .output = 3});
      out_.attribute("k", "v");
      out_.done("length");
    }
    void cancel() noexcept { steps.push_back("cancel"); }

   private:
    const moody_engine& owner_;
    std::string_view prompt_;
    ifb::engine_output out_;
  };

  moody_engine(ifb::host, const options& given) : options_(given) {}

  call open(const ifb_sample& sample, ifb::arena, ifb::engine_output out) const {
    fail("open");
    return call(*this, ifb::prompt_text(sample), out);
  }

  void fail(std::string_view where) const {
    if (options_.trouble == where) throw ifb::failure{IFB_E_REMOTE, "as asked", "trouble"};
  }

 private:
  options options_;
};

constexpr const ifb_plugin& engine_plugin = ifb::engine<moody_engine<false>>::descriptor;
constexpr const ifb_plugin& blocking_plugin = ifb::engine<moody_engine<true>>::descriptor;

class engine : public testing::Test {
 protected:
  engine() {
    steps.clear();
    part_ = ifb::text_part("hello");
    sample_ = ifb::blank_sample();
    sample_.shape = IFB_PROMPT_TEXT;
    sample_.prompt = ifb::list_of({&part_, 1});
  }
  ~engine() override { EXPECT_EQ(live_calls, 0); }

  ifb_status submit(const made& self) {
    return self.table<ifb_engine>(IFB_ENGINE)
        .submit(self.get(), &sample_, host_.arena(), &events_.table, events_.handle(), &call_,
                &error_);
  }

  fake_host host_;
  ifb_part part_{};
  ifb_sample sample_{};
  ifb_error error_ = stale_error();
  heard_events events_;
  ifb_call* call_ = nullptr;
};

TEST_F(engine, is_described_as_the_contract_wants_it) {
  EXPECT_EQ(engine_plugin.kind, static_cast<ifb_kind>(IFB_BACKEND));
  EXPECT_STREQ(engine_plugin.interfaces[0], IFB_ENGINE);
  EXPECT_EQ(engine_plugin.interfaces[1], nullptr);
  EXPECT_EQ(engine_plugin.query(&engine_plugin, IFB_HTTP_CODEC), nullptr);
  const auto* table =
      static_cast<const ifb_engine*>(engine_plugin.query(&engine_plugin, IFB_ENGINE));
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->struct_size, sizeof *table);
  EXPECT_EQ(table->flags, 0U);
  EXPECT_EQ(
      static_cast<const ifb_engine*>(blocking_plugin.query(&blocking_plugin, IFB_ENGINE))->flags,
      static_cast<std::uint32_t>(IFB_ENGINE_BLOCKING));
}

TEST_F(engine, carries_a_request_from_submit_to_release) {
  const made self(engine_plugin, host_);
  ASSERT_EQ(submit(self), IFB_OK);
  EXPECT_TRUE(host_.arena()->holds(call_));
  EXPECT_EQ(live_calls, 1);
  EXPECT_EQ(events_.lines,
            (std::vector<std::string>{"token 'hello' 2 channel 1 choice 1 at 17",
                                      "token 'b' 0 channel 0 choice 0 at 0", "usage 1 -1 3 -1",
                                      "attribute k=v", "done length"}));
  const auto& table = self.table<ifb_engine>(IFB_ENGINE);
  table.cancel(call_);
  EXPECT_EQ(steps, (std::vector<std::string>{"run", "cancel"}));
  table.release(call_);
  EXPECT_STREQ(error_.message, "stale");
}

TEST_F(engine, an_exception_in_open_refuses_the_request) {
  const made self(engine_plugin, host_, {text_value(IFB_STRING, "open")});
  EXPECT_EQ(submit(self), IFB_E_REMOTE);
  EXPECT_STREQ(error_.message, "as asked");
  EXPECT_EQ(error_.option, 0);
  EXPECT_EQ(call_, nullptr);
  EXPECT_TRUE(events_.lines.empty());
}

TEST_F(engine, an_exhausted_arena_refuses_the_request) {
  const made self(engine_plugin, host_);
  host_.allocations_left = 0;
  EXPECT_EQ(submit(self), IFB_E_MEMORY);
  EXPECT_EQ(call_, nullptr);
}

TEST_F(engine, an_exception_in_run_ends_the_request_with_its_error) {
  for (const ifb_plugin* one : {&engine_plugin, &blocking_plugin}) {
    const made self(*one, host_, {text_value(IFB_STRING, "run")});
    events_.lines.clear();
    ASSERT_EQ(submit(self), IFB_OK);
    EXPECT_EQ(events_.lines,
              (std::vector<std::string>{"error " + std::to_string(IFB_E_REMOTE) + " as asked"}));
    EXPECT_EQ(live_calls, 1) << "the host may be cancelling it";
    self.table<ifb_engine>(IFB_ENGINE).release(call_);
  }
}

TEST_F(engine, the_call_is_named_before_it_runs) {
  struct looking {
    heard_events heard;
    ifb_call** call;
    bool named = false;
  } seen{{}, &call_};
  ifb_events table = seen.heard.table;
  table.on_token = [](ifb_output* to, const ifb_token*) {
    auto& me = *reinterpret_cast<looking*>(to);
    me.named = *me.call != nullptr;
  };
  const made self(blocking_plugin, host_);
  const auto& ops = self.table<ifb_engine>(IFB_ENGINE);
  ASSERT_EQ(ops.submit(self.get(), &sample_, host_.arena(), &table,
                       reinterpret_cast<ifb_output*>(&seen), &call_, &error_),
            IFB_OK);
  EXPECT_TRUE(seen.named);
  ops.release(call_);
}

}  // namespace
