// The signals that decide a verdict, and the causes that are reported with it.
#include "metrics/health_signals.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "health_of.hpp"

namespace inferbench::metrics {
namespace {

using base::ns_per_s;
using base::ns_per_us;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using testing_::forget_bounds;
using testing_::good;
using testing_::ttft_bound;
using testing_::with;

/// A change that takes one signal above its lower limit or, if `beyond`, above both limits.
struct limit_case {
  const char* name;
  std::function<void(client_health&, bool beyond)> change;
  const char* suspect;  // the reason; null: the signal never has this level
  const char* invalid;
};

const std::vector<limit_case>& cases() {
  static const std::vector<limit_case> all = {
      {"local_failures", [](client_health& h, bool) { h.local_failures = 1; }, nullptr,
       "1 connection could not be made for want of ports or descriptors of this machine (limit "
       "0): raise the limit of open files (ulimit -n), use more --workers, or lower "
       "--max-concurrency"},
      {"answers_without_end_mark",
       [](client_health& h, bool) {
         h.answers = 40;
         h.unmarked = 1;
       },
       "1 of 40 answers stopped without [DONE] and without a finish reason (limit 0): look at "
       "the logs of the server and of the proxies before it; --strict-answers counts such answers "
       "as failed",
       nullptr},
      {"answers_shorter_than_promised",
       [](client_health& h, bool) {
         h.answers = 40;
         h.cut_short = 2;
       },
       "2 of 40 answers are shorter than the length asked for, although the server was told to "
       "ignore the end of sequence (limit 0): look at the logs of the server and of the proxies "
       "before it; --strict-answers counts such answers as failed",
       nullptr},
      {"retransmits",
       [](client_health& h, bool beyond) {
         h.workers[0].servers[0].retransmits = beyond ? 9'000 : 11;
       },
       "11 segments were sent again for 10000 requests (limit 0.1 %): the network lost them, not "
       "the server; measure nearer to the server",
       nullptr},
      {"small_buffers",
       [](client_health& h, bool beyond) {
         h.workers[0].servers[0].connects = 64;
         h.workers[0].servers[0].small_buffers = beyond ? 64 : 1;
       },
       "1 of 64 connections got less than 32 KiB to receive or 8 KiB to send, so that answers and "
       "requests wait for room in this machine (limit 0): raise net.ipv4.tcp_rmem and tcp_wmem "
       "of this machine; with so little room stamps may be late by any amount",
       nullptr},
      {"starved", [](client_health& h, bool beyond) { h.workers[0].starved = beyond ? 101 : 11; },
       "11 of 10000 requests were due before their sample was ready (limit 0.1 %): the dataset or "
       "tokenizer is too slow: use a faster one, or a lower --request-rate",
       "101 of 10000 requests were due before their sample was ready (limit 1 %): the dataset or "
       "tokenizer is too slow: use a faster one, or a lower --request-rate"},
  };
  return all;
}

TEST(judge, each_signal_has_its_limits_and_a_sentence_with_figure_limit_and_remedy) {
  for (const limit_case& c : cases()) {
    const verdict mild = with([&](client_health& h) { c.change(h, false); });
    const verdict grave = with([&](client_health& h) { c.change(h, true); });
    if (c.suspect != nullptr) {
      EXPECT_EQ(mild.level, validity::suspect) << c.name;
      EXPECT_THAT(mild.reasons, ElementsAre(c.suspect)) << c.name;
    }
    if (c.invalid != nullptr) {
      EXPECT_EQ(grave.level, validity::invalid) << c.name;
      EXPECT_THAT(grave.reasons, ElementsAre(c.invalid)) << c.name;
    } else {
      EXPECT_EQ(grave.level, validity::suspect) << c.name;
    }
  }
}

TEST(judge, a_share_at_its_limit_is_good) {
  EXPECT_EQ(with([](client_health& h) { h.workers[0].starved = 10; }).level, validity::valid);
}

TEST(judge, the_worst_reason_comes_first) {
  const verdict v = with([](client_health& h) {
    h.bounds = {ttft_bound({}, {}, {10, 1})};
    h.local_failures = 2;
    h.workers[0].starved = 20;
  });
  EXPECT_EQ(v.level, validity::invalid);
  EXPECT_THAT(v.reasons, ElementsAre(StartsWith("2 connections"), StartsWith("P99 TTFT"),
                                     HasSubstr("their sample")));
}

TEST(judge, one_outlier_of_the_event_loop_condemns_no_run_however_short) {
  for (std::uint64_t requests = 1; requests < 1000; ++requests) {
    client_health h;
    forget_bounds(h);
    h.workers.resize(1);
    client::worker_health& w = h.workers[0];
    w.loop_lag.add(10 * ns_per_us, requests - 1);
    w.loop_lag.add(ns_per_s);
    w.launch_lag = w.loop_lag;
    w.starved = 1;
    w.servers = {{.requests = requests, .retransmits = 1}};
    EXPECT_EQ(judge(h).level, validity::valid) << requests;
  }
}

TEST(judge, two_outliers_of_a_few_change_the_verdict) {
  client_health h;
  forget_bounds(h);
  h.workers.resize(1);
  h.workers[0].loop_lag.add(10 * ns_per_us, 20);
  h.workers[0].loop_lag.add(ns_per_s, 2);
  EXPECT_EQ(judge(h).level, validity::invalid);
}

/// An observation that may explain a late client.
struct cause_case {
  const char* name;
  std::function<void(client_health&)> change;
  bool always;  // also reported for a valid run
  const char* sentence;
};

const std::vector<cause_case>& causes() {
  static const std::vector<cause_case> all = {
      {"standstill",
       [](client_health& h) {
         h.workers[0].standstills = 3;
         h.workers[0].longest_standstill_ns = 80'300 * ns_per_us;
       },
       true,
       "the client did not look at its sockets for more than 10 ms 3 times, the longest for 80.3 "
       "ms, as if it was stopped or had no core: keep other programs off this machine, or use "
       "fewer --workers"},
      {"throttling", [](client_health& h) { h.cgroup = throttling{3, ns_per_s / 50}; }, true,
       "the system kept this program from running in 3 periods of the CPU quota, for 20 ms: raise "
       "the CPU quota of this container or service"},
      {"periods without a time", [](client_health& h) { h.cgroup = throttling{1, 0}; }, true,
       "the system kept this program from running in 1 period of the CPU quota, for 0 ms: raise "
       "the CPU quota of this container or service"},
      {"run_delay", [](client_health& h) { h.workers[0].run_delay_ns = 2 * ns_per_s / 10; }, false,
       "the client waited for a core for 2 % of the run: keep other programs off this machine, or "
       "use fewer --workers"},
      {"longest wait", [](client_health& h) { h.loads[0].longest_wait = 0.63; }, true,
       "the client waited for a core for 63 % of its worst second: keep other programs off this "
       "machine, or use fewer --workers"},
      {"busiest second", [](client_health& h) { h.loads[0].busiest_second = 0.95; }, true,
       "the client used 95 % of a core in its busiest second: use more --workers, or a machine "
       "with more free cores"},
      {"cpu", [](client_health& h) { h.workers[0].cpu_ns = 91 * ns_per_s / 10; }, true,
       "the client used 91 % of a core during the whole run: use more --workers, or a machine with "
       "more free cores"},
      {"kernel to client",
       [](client_health& h) { h.workers[0].kernel_to_client.add(8 * base::ns_per_ms, 200); }, false,
       "the client read what the kernel had 8 ms late at P99: use more --workers, or a machine "
       "with more free cores"},
      {"loop lag", [](client_health& h) { h.workers[0].loop_lag.add(3100 * ns_per_us, 20'000); },
       false,
       "the client's event loop was busy for 3.1 ms at P99: use more --workers, or a machine with "
       "more free cores"},
  };
  return all;
}

TEST(judge, a_possible_cause_is_reported_and_changes_no_verdict) {
  for (const cause_case& c : causes()) {
    const verdict fine = with(c.change);
    EXPECT_EQ(fine.level, validity::valid) << c.name;
    EXPECT_THAT(fine.reasons, IsEmpty()) << c.name;
    if (c.always)
      EXPECT_THAT(fine.causes, ElementsAre(c.sentence)) << c.name;
    else
      EXPECT_THAT(fine.causes, IsEmpty()) << c.name;
    const verdict late = with([&](client_health& h) {
      c.change(h);
      h.bounds = {ttft_bound({}, {}, {10, 1})};
    });
    EXPECT_EQ(late.level, validity::suspect) << c.name;
    EXPECT_THAT(late.causes, ElementsAre(c.sentence)) << c.name;
  }
}

TEST(judge, a_burst_that_kept_a_quiet_machine_busy_causes_no_message) {
  const verdict v = with([](client_health& h) {
    h.wall_ns = h.workers[0].wall_ns = 80 * base::ns_per_ms;
    h.workers[0].cpu_ns = 79 * base::ns_per_ms;
    h.workers[0].run_delay_ns = 9 * base::ns_per_ms;
    h.workers[0].launch_lag.add(26 * base::ns_per_ms, 1000);
    h.loads = {{}};
  });
  EXPECT_EQ(v.level, validity::valid);
  EXPECT_THAT(v.causes, IsEmpty());
}

TEST(judge, a_few_turns_of_the_scheduler_are_not_a_cause_in_a_short_run) {
  const auto told = [](std::uint64_t waited_ns) {
    return with([&](client_health& h) {
             h.bounds = {ttft_bound({}, {}, {10, 1})};
             h.workers[0].wall_ns = ns_per_s / 50;
             h.workers[0].cpu_ns = ns_per_s / 100;
             h.workers[0].run_delay_ns = waited_ns;
           })
        .causes.size();
  };
  EXPECT_EQ(told(ns_per_s / 100 - 1), 0U);
  EXPECT_EQ(told(ns_per_s / 100), 1U);
}

TEST(judge, of_several_workers_the_worst_is_named) {
  const verdict v = with([](client_health& h) {
    h.workers.resize(4, h.workers[0]);
    h.loads.resize(4, h.loads[0]);
    forget_bounds(h);
    h.workers[2].loop_lag = {};
    h.workers[2].loop_lag.add(base::ns_per_ms, 1000);
    h.loads[3].busiest_second = 0.97;
  });
  EXPECT_THAT(v.reasons, ElementsAre(StartsWith("worker 3's event loop was busy for 1 ms")));
  EXPECT_THAT(v.causes, ElementsAre(StartsWith("worker 4 used 97 % of a core")));
}

TEST(health_json, an_unhealthy_client_is_described_completely) {
  client_health h = good();
  for (const limit_case& c : cases())
    c.change(h, true);
  for (const cause_case& c : causes())
    c.change(h);
  h.workers.push_back(good().workers[0]);  // a worker that the system did not measure
  h.cgroup.reset();
  h.stamping = base::stamping::kernel;
  h.servers[0] = "http://\"quoted\"\n";
  const auto json = base::parse_json(to_json(h, judge(h)), "the test");
  EXPECT_EQ(base::text_of(base::find(json, "verdict")), "INVALID");
  EXPECT_EQ(base::find(json, "reasons")->Size(), judge(h).reasons.size());
  EXPECT_EQ(base::find(json, "causes")->Size(), judge(h).causes.size());
  EXPECT_EQ(base::text_of(base::find(json, "timestamps")), "kernel");
  EXPECT_TRUE(base::find(json, "cgroup")->IsNull());
  ASSERT_EQ(base::find(json, "workers")->Size(), 2U);
  const auto& first = (*base::find(json, "workers"))[0];
  EXPECT_EQ(base::find(*base::find(first, "kernel_to_client_ms"), "count")->GetUint64(), 200U);
  EXPECT_EQ(base::find((*base::find(json, "workers"))[1], "cpu_busiest_second"), nullptr);
  const auto& server = (*base::find(json, "connections"))[0];
  EXPECT_EQ(base::text_of(base::find(server, "server")), "http://\"quoted\"\n");
  EXPECT_EQ(base::find(server, "requests")->GetUint64(), 20'000U);
}

TEST(number_text, has_three_digits_and_no_exponent) {
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(0.5042), "0.504");
  EXPECT_EQ(number_text(12.34), "12.3");
  EXPECT_EQ(number_text(99.96), "100");
  EXPECT_EQ(number_text(999.4), "999");
  EXPECT_EQ(number_text(999.6), "1000");
  EXPECT_EQ(number_text(1234567), "1234567");
}

}  // namespace
}  // namespace inferbench::metrics
