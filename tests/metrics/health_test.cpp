#include "metrics/health.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "metrics/health_signals.hpp"

namespace inferbench::metrics {
namespace {

using base::ns_per_s;
using base::ns_per_us;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// Ten seconds of one worker with 10,000 requests, everything as it should be.
client_health good() {
  client_health out;
  client::worker_health w;
  w.loop_lag.add(20 * ns_per_us, 1'000'000);
  w.launch_lag.add(30 * ns_per_us, 10'000);
  w.receive_queue.add(300, 1'000'000);
  w.turns = 900'000;
  w.cpu_ns = 4 * ns_per_s;
  w.run_delay_ns = ns_per_s / 100;
  w.wall_ns = 10 * ns_per_s;
  w.servers = {{.requests = 10'000, .connects = 64, .opened_ahead = 64, .reuses = 10'000}};
  out.workers = {w};
  out.loads = {{0.5, 0.001}};
  out.servers = {"http://127.0.0.1:8000"};
  out.process_cpu_ns = 5 * ns_per_s;
  out.wall_ns = 10 * ns_per_s;
  out.cgroup = throttling{};
  return out;
}

verdict with(const std::function<void(client_health&)>& change) {
  client_health h = good();
  change(h);
  return judge(h);
}

TEST(judge, a_client_that_keeps_up_is_valid_and_needs_no_reason) {
  const verdict v = judge(good());
  EXPECT_EQ(v.level, validity::valid);
  EXPECT_THAT(v.reasons, IsEmpty());
  EXPECT_EQ(judge({}).level, validity::valid);  // nothing observed, nothing held against it
}

/// A change that brings one signal between its limits or over both.
struct limit_case {
  const char* name;
  std::function<void(client_health&, bool beyond)> change;
  const char* suspect;  // the reason; null: there is no such level
  const char* invalid;
};

const std::vector<limit_case>& cases() {
  static const std::vector<limit_case> all = {
      {"loop_lag",
       [](client_health& h, bool beyond) {
         h.workers[0].loop_lag.add((beyond ? 6200 : 3100) * ns_per_us, 20'000);
       },
       "the client's event loop was busy for 3.1 ms at P99 (limit 0.5 ms): use more --workers, or "
       "a machine with more free cores",
       "the client's event loop was busy for 6.2 ms at P99 (limit 5 ms): use more --workers, or a "
       "machine with more free cores"},
      {"launch_lag",
       [](client_health& h, bool beyond) {
         h.workers[0].launch_lag.add((beyond ? 20'000 : 510) * ns_per_us, 102);
       },
       "the client sent requests 0.51 ms late at P99 (limit 0.5 ms): use more --workers, or a "
       "machine with more free cores",
       "the client sent requests 20 ms late at P99 (limit 5 ms): use more --workers, or a "
       "machine with more free cores"},
      {"kernel_to_client",
       [](client_health& h, bool beyond) {
         h.workers[0].kernel_to_client.add((beyond ? 8 : 1) * base::ns_per_ms, 200);
       },
       "the client read what the kernel had 1 ms late at P99 (limit 0.5 ms): use more --workers, "
       "or a machine with more free cores",
       "the client read what the kernel had 8 ms late at P99 (limit 5 ms): use more --workers, or "
       "a machine with more free cores"},
      {"busiest_second",
       [](client_health& h, bool beyond) { h.loads[0].busiest_second = beyond ? 0.995 : 0.95; },
       "the client used 95 % of a core in its busiest second (limit 90 %): use more --workers, or "
       "a machine with more free cores",
       "the client used 99.5 % of a core in its busiest second (limit 98 %): use more --workers, "
       "or a machine with more free cores"},
      {"cpu",
       [](client_health& h, bool beyond) {
         h.workers[0].cpu_ns = (beyond ? 99 : 91) * ns_per_s / 10;
       },
       "the client used 91 % of a core during the whole run (limit 90 %): use more --workers, or a "
       "machine with more free cores",
       "the client used 99 % of a core during the whole run (limit 98 %): use more --workers, or a "
       "machine with more free cores"},
      {"run_delay",
       [](client_health& h, bool beyond) {
         h.workers[0].run_delay_ns = (beyond ? 20 : 2) * ns_per_s / 10;
       },
       "the client waited for a core for 2 % of the run (limit 1 %): keep other programs off this "
       "machine, or use fewer --workers",
       "the client waited for a core for 20 % of the run (limit 10 %): keep other programs off "
       "this "
       "machine, or use fewer --workers"},
      {"throttling",
       [](client_health& h, bool beyond) {
         h.cgroup = throttling{3, beyond ? ns_per_s / 5 : ns_per_s / 50};
       },
       "the system kept this program from running in 3 periods, for 20 ms (limit none): raise the "
       "CPU quota of this container or service",
       "the system kept this program from running in 3 periods, for 200 ms (limit 1 %): raise the "
       "CPU quota of this container or service"},
      {"local_failures", [](client_health& h, bool) { h.local_failures = 1; }, nullptr,
       "1 connection could not be made for want of ports or descriptors of this machine (limit "
       "none): raise the limit of open files (ulimit -n), use more --workers, or lower "
       "--max-concurrency"},
      {"retransmits",
       [](client_health& h, bool beyond) {
         h.workers[0].servers[0].retransmits = beyond ? 9'000 : 11;
       },
       "11 segments were sent again for 10000 requests (limit 0.1 %): the network lost them, not "
       "the server; measure nearer to the server",
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

TEST(judge, a_figure_at_its_limit_is_good) {
  EXPECT_EQ(with([](client_health& h) {
              h.workers[0].loop_lag.add(500 * ns_per_us, 1'000'000);
              h.loads[0].busiest_second = 0.9;
              h.workers[0].starved = 10;
            }).level,
            validity::valid);
}

TEST(judge, a_few_turns_of_the_scheduler_condemn_no_short_run) {
  const auto short_run = [](std::uint64_t waited_ns) {
    return with([&](client_health& h) {
             h.workers[0].wall_ns = ns_per_s / 50;
             h.workers[0].cpu_ns = ns_per_s / 100;
             h.workers[0].run_delay_ns = waited_ns;
           })
        .level;
  };
  EXPECT_EQ(short_run(ns_per_s / 100 - 1), validity::valid);
  EXPECT_EQ(short_run(ns_per_s / 100), validity::invalid);
}

TEST(judge, the_worst_reason_comes_first) {
  const verdict v = with([](client_health& h) {
    h.loads[0].busiest_second = 0.95;
    h.workers[0].run_delay_ns = 2 * ns_per_s;
    h.workers[0].starved = 20;
  });
  EXPECT_EQ(v.level, validity::invalid);
  EXPECT_THAT(v.reasons, ElementsAre(HasSubstr("waited for a core"), HasSubstr("busiest second"),
                                     HasSubstr("their sample")));
}

TEST(judge, of_several_workers_the_worst_is_named) {
  const verdict v = with([](client_health& h) {
    h.workers.resize(4, h.workers[0]);
    h.loads.resize(4, h.loads[0]);
    h.workers[2].loop_lag = {};
    h.workers[2].loop_lag.add(base::ns_per_ms, 1000);
    h.loads[3].busiest_second = 0.97;
  });
  EXPECT_THAT(v.reasons, ElementsAre(StartsWith("worker 3's event loop was busy for 1 ms"),
                                     StartsWith("worker 4 used 97 % of a core")));
}

// A cold start makes the first request late; the rest of the run does not suffer from it.
TEST(judge, one_outlier_condemns_no_run_however_short) {
  for (std::uint64_t requests = 1; requests < 1000; ++requests) {
    client_health h;
    h.workers.resize(1);
    client::worker_health& w = h.workers[0];
    w.launch_lag.add(10 * ns_per_us, requests - 1);
    w.launch_lag.add(ns_per_s);
    w.loop_lag = w.kernel_to_client = w.launch_lag;
    w.starved = 1;
    w.servers = {{.requests = requests, .retransmits = 1}};
    EXPECT_EQ(judge(h).level, validity::valid) << requests;
  }
}

TEST(judge, two_bad_ones_of_a_few_do) {
  client_health h;
  h.workers.resize(1);
  h.workers[0].launch_lag.add(10 * ns_per_us, 20);
  h.workers[0].launch_lag.add(ns_per_s, 2);
  EXPECT_EQ(judge(h).level, validity::invalid);
}

TEST(judged_p99, is_exceeded_by_one_in_a_hundred_and_by_one_at_least) {
  for (const std::uint64_t count : {2U, 3U, 99U, 100U, 101U, 199U, 200U, 250U, 1000U}) {
    base::histogram h;
    for (std::uint64_t i = 1; i <= count; ++i)
      h.add(i);
    const std::uint64_t aside = std::max<std::uint64_t>(count / 100, 1);
    EXPECT_NEAR(judged_p99(h), static_cast<double>(count - aside), 1e-6) << count;
  }
  base::histogram one;
  EXPECT_EQ(judged_p99(one), 0);
  one.add(5);
  EXPECT_EQ(judged_p99(one), 0);
}

TEST(judge, periods_without_a_time_are_throttling_too) {
  EXPECT_EQ(with([](client_health& h) { h.cgroup = throttling{1, 0}; }).level, validity::suspect);
  EXPECT_EQ(with([](client_health& h) { h.cgroup.reset(); }).level, validity::valid);
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

TEST(health_json, says_all_that_was_observed) {
  const client_health h = good();
  EXPECT_EQ(to_json(h, judge(h)) + "\n",
            base::read_file(INFERBENCH_FIXTURES "/metrics/health.json"));
}

TEST(health_json, an_unhealthy_client_is_told_in_full) {
  client_health h = good();
  for (const limit_case& c : cases())
    c.change(h, true);
  h.workers.push_back(good().workers[0]);  // and one of which the system said nothing
  h.cgroup.reset();
  h.stamping = base::stamping::kernel;
  h.servers[0] = "http://\"quoted\"\n";
  const auto json = base::parse_json(to_json(h, judge(h)), "the test");
  EXPECT_EQ(base::text_of(base::find(json, "verdict")), "INVALID");
  EXPECT_EQ(base::find(json, "reasons")->Size(), judge(h).reasons.size());
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

TEST(health_json, of_nothing_is_an_object_too) {
  const auto json = base::parse_json(to_json({}, judge({})), "the test");
  EXPECT_EQ(base::text_of(base::find(json, "verdict")), "VALID");
  EXPECT_EQ(base::find(json, "workers")->Size(), 0U);
}

TEST(name_of, the_three_verdicts) {
  EXPECT_EQ(name_of(validity::valid), "VALID");
  EXPECT_EQ(name_of(validity::suspect), "SUSPECT");
  EXPECT_EQ(name_of(validity::invalid), "INVALID");
}

}  // namespace
}  // namespace inferbench::metrics
