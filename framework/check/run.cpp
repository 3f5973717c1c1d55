#include "check/run.hpp"

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "check/host.hpp"

namespace inferbench::check {

namespace {

constexpr std::uint64_t began = 5'000'000'000'000;

struct known {
  const char* name;
  const char* unit;
  const char* title;
  const char* label;
  std::uint32_t flags;
  double value;
};

constexpr known of_a_run[] = {
    {"completed", "1", "Successful requests", "Completed", IFB_METRIC_INTEGER | IFB_METRIC_UPSTREAM,
     2},
    {"request_throughput", "req/s", "Request throughput", "Requests", IFB_METRIC_UPSTREAM, 1.5},
    {"ttft", "ms", "Time to First Token", "TTFT",
     IFB_METRIC_SUMMARY | IFB_METRIC_SELECTED | IFB_METRIC_UPSTREAM, 12.5},
};

constexpr known of_the_future[] = {
    {"zzz_unknown", "furlong/fortnight", "A figure of the future", "ZZZ",
     IFB_METRIC_SUMMARY | IFB_METRIC_SELECTED | 0x40000000U,
     std::numeric_limits<double>::quiet_NaN()},
    {"zzz \"quoted\"\n", "", "", "", 0x80000000U, std::numeric_limits<double>::infinity()},
};

}  // namespace

ifb_run* lend_run(lent_memory& memory, std::uint32_t flags) {
  ifb_run run{};
  run.flags = flags;
  run.name = memory.text("check-run");
  run.started_ns = began;
  run.started_unix_ns = wall_clock_ns;
  run.config_json = memory.text(
      R"({"backend": {"use": "example", "model": "m"}, "load": {"request-rate": "inf"}})");
  run.environment_json = memory.text(R"({"host": "check", "plugins": []})");
  return memory.put(run);
}

lent_array<ifb_record> lend_records(lent_memory& memory, std::size_t count, bool with_stamps) {
  constexpr std::uint64_t ms = base::ns_per_ms;
  std::vector<ifb_record> all;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t start = began + i * ms;
    const bool failed = i % 2 == 1;
    ifb_record r{};
    r.http_status = failed ? 500 : 200;
    r.sequence = i;
    r.due_ns = r.start_ns = r.connected_ns = r.sent_ns = start;
    r.first_byte_ns = start + ms;
    r.first_token_ns = r.first_text_ns = r.first_answer_ns = failed ? 0 : start + 2 * ms;
    r.last_token_ns = r.last_text_ns = failed ? 0 : start + 4 * ms;
    r.end_ns = start + 5 * ms;
    r.sample_tokens = r.prompt_tokens = 5;
    r.output_tokens = failed ? -1 : 3;
    r.wanted_tokens = 3;
    r.cached_tokens = r.reasoning_tokens = -1;
    r.bytes_sent = 200;
    r.bytes_received = 300;
    r.status = failed ? IFB_E_REMOTE : IFB_OK;
    r.id = memory.text("check-" + std::to_string(i));
    r.error = memory.text(failed ? "HTTP 500: \"no\"\n" : "");
    r.finish_reason = memory.text(failed ? "" : "stop");
    r.text = memory.text(failed ? "" : "Hel\"lo \u4e2d\n");
    const std::array<std::uint64_t, 3> stamps = {start + 2 * ms, start + 3 * ms, start + 4 * ms};
    if (!failed) {
      if (with_stamps) r.token_ns = memory.copy(std::span<const std::uint64_t>(stamps));
      r.token_count = stamps.size();
    }
    const ifb_field field{memory.text("reasoning"), memory.text("because")};
    r.attributes = memory.copy(std::span<const ifb_field>(&field, 1));
    r.attribute_count = 1;
    all.push_back(r);
  }
  return {memory.put_array(std::span<const ifb_record>(all)), count};
}

lent_array<ifb_metric> lend_metrics(lent_memory& memory, bool unknown) {
  static constexpr ifb_quantile quantiles[] = {{0.5, 12.0}, {0.99, 20.5}};
  std::vector<ifb_metric> all;
  const auto add = [&](const known& k) {
    ifb_metric m{};
    m.flags = k.flags;
    m.name = memory.name(k.name);
    m.unit = memory.name(k.unit);
    m.title = memory.name(k.title);
    m.label = memory.name(k.label);
    m.help = memory.name("");
    m.value = k.value;
    if ((k.flags & IFB_METRIC_SUMMARY) != 0) {
      m.count = 2;
      m.minimum = 1;
      m.maximum = 21;
      m.deviation = 2;
      m.median = 12;
      m.quantiles = memory.copy(std::span<const ifb_quantile>(quantiles));
      m.quantile_count = std::size(quantiles);
    }
    all.push_back(m);
  };
  for (const known& k : of_a_run)
    add(k);
  if (unknown)
    for (const known& k : of_the_future)
      add(k);
  return {memory.put_array(std::span<const ifb_metric>(all)), all.size()};
}

ifb_snapshot* lend_snapshot(lent_memory& memory, bool unknown) {
  const auto metrics = lend_metrics(memory, unknown);
  ifb_snapshot figures{};
  figures.at_ns = began + 3 * base::ns_per_ms;
  figures.metrics = metrics.data();
  figures.metric_count = static_cast<std::uint32_t>(metrics.size());
  figures.metric_stride = memory.stride<ifb_metric>();
  figures.facts_json = memory.text(
      R"({"progress": {"planned": 3, "started": 3, "finished": 2, "failed": 1, "in_flight": 1, )"
      R"("elapsed_s": 0.003, "limit_s": null}, "accounting": {"planned": 3, "ok": 1, "failed": 1}, )"
      R"("errors": [{"class": "remote", "http_status": 500, "count": 1, "first": "HTTP 500"}], )"
      R"("client": {"busiest_worker": 0.5}, "series": [], "log": ["warning: slow"]})");
  return memory.put(figures);
}

ifb_summary* lend_summary(lent_memory& memory, bool unknown, std::uint32_t flags) {
  const auto metrics = lend_metrics(memory, unknown);
  ifb_summary summary{};
  summary.flags = flags;
  summary.finished_unix_ns = wall_clock_ns + 10'000'000;
  summary.metrics = metrics.data();
  summary.metric_count = static_cast<std::uint32_t>(metrics.size());
  summary.metric_stride = memory.stride<ifb_metric>();
  summary.facts_json = memory.text(
      R"({"accounting": {"planned": 3, "ok": 2, "failed": 1}, "errors": [], "health": {}})");
  return memory.put(summary);
}

}  // namespace inferbench::check
