#include "check/table.hpp"

#include <array>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "check/host.hpp"

namespace inferbench::check {

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

ifb_axis axis_of(lent_memory& memory, const char* name, const char* unit, const char* title) {
  ifb_axis out{};
  out.name = memory.name(name);
  out.unit = memory.name(unit);
  out.title = memory.name(title);
  return out;
}

struct lent_values {
  const ifb_field* first = nullptr;
  std::size_t count = 0;
};

lent_values lend_values(lent_memory& memory, const table_story& what, std::uint32_t index) {
  if (!what.axes) return {};
  std::vector<ifb_field> out{{memory.text("max_concurrency"),
                              memory.text(std::to_string(std::uint64_t{8} << (index % 32U)))}};
  // The last run has no value on the second axis.
  if (index + 1 < what.runs)
    out.push_back({memory.text("colour"), memory.text(R"("r\"ed\u0007")")});
  return {memory.copy(std::span<const ifb_field>(out)), out.size()};
}

lent_array<ifb_interval> lend_intervals(lent_memory& memory, const table_story& what) {
  struct known {
    const char* name;
    const char* statistic;
    const char* unit;
    double value, low, high, confidence;
    std::uint64_t observations;
  };
  static constexpr known all_known[] = {
      {"ttft", "mean", "ms", 12.5, 11, 14, 0.95, 40},
      {"ttft", "p99", "ms", 20.5, -no_limit, no_limit, 0.99, 3},
      {"request_throughput", "value", "req/s", 1.5, -no_limit, no_limit, 0, 1}};
  static constexpr known all_unknown[] = {
      {"zzz_unknown", "p99.999", "furlong/fortnight", std::numeric_limits<double>::quiet_NaN(), 2,
       1, 7, std::numeric_limits<std::uint64_t>::max()},
      {"", "", "", no_limit, -no_limit, no_limit, -1, 0}};
  std::vector<ifb_interval> out;
  const auto add = [&](const known& k) {
    ifb_interval one{};
    one.name = memory.name(k.name);
    one.statistic = memory.name(k.statistic);
    one.unit = memory.name(k.unit);
    one.value = k.value;
    one.low = k.low;
    one.high = k.high;
    one.confidence = k.confidence;
    one.observations = k.observations;
    out.push_back(one);
  };
  for (const known& k : all_known)
    add(k);
  if (what.unknown)
    for (const known& k : all_unknown)
      add(k);
  return {memory.put_array(std::span<const ifb_interval>(out)), out.size()};
}

}  // namespace

ifb_table* lend_table(lent_memory& memory, const table_story& what) {
  ifb_table out{};
  out.name = memory.text("check-table");
  out.command = memory.text("inferbench report a.journal b.journal");
  if (what.axes) {
    const std::array axes{
        axis_of(memory, "max_concurrency", "request", "Maximum request concurrency"),
        axis_of(memory, "colour", nullptr, "Colour")};
    out.axes = memory.put_array(std::span<const ifb_axis>(axes));
    out.axis_count = axes.size();
  }
  out.axis_stride = memory.stride<ifb_axis>();
  out.run_count = what.counted ? what.runs : 0;
  out.started_unix_ns = wall_clock_ns;
  out.facts_json = memory.text("{}");
  return memory.put(out);
}

ifb_table_run* lend_table_run(lent_memory& memory, const table_story& what, std::uint32_t index,
                              bool ended) {
  ifb_table_run out{};
  out.index = out.point = index;
  out.run = lend_run(memory, IFB_RUN_REPLAYED);
  out.source = memory.text(index == 0 ? "" : "runs/b \"2\".journal");
  out.label = memory.text("run " + std::to_string(index) + (what.unknown ? " \x1b[31m<b>" : ""));
  const lent_values on_axes = lend_values(memory, what, index);
  out.axes = on_axes.first;
  out.axis_count = on_axes.count;
  out.interval_stride = memory.stride<ifb_interval>();
  if (ended) {
    out.summary =
        lend_summary(memory, what.unknown, what.interrupted ? IFB_SUMMARY_INTERRUPTED : 0);
    const auto intervals = lend_intervals(memory, what);
    out.intervals = intervals.data();
    out.interval_count = static_cast<std::uint32_t>(intervals.size());
  }
  return memory.put(out);
}

ifb_table_end* lend_table_end(lent_memory& memory, const table_story& what) {
  std::vector<ifb_table_point> points;
  for (std::uint32_t i = 0; i < what.runs; ++i) {
    ifb_table_point one{};
    const lent_values on_axes = lend_values(memory, what, i);
    one.axes = on_axes.first;
    one.axis_count = on_axes.count;
    one.runs = memory.copy(std::span<const std::uint32_t>(&i, 1));
    one.run_count = 1;
    const auto figures = lend_intervals(memory, what);
    one.figures = figures.data();
    one.figure_count = static_cast<std::uint32_t>(figures.size());
    one.figure_stride = memory.stride<ifb_interval>();
    points.push_back(one);
  }
  ifb_table_end out{};
  out.flags = what.interrupted ? IFB_TABLE_INTERRUPTED : 0;
  out.finished_unix_ns = wall_clock_ns + 20'000'000;
  out.points = memory.put_array(std::span<const ifb_table_point>(points));
  out.point_count = what.runs;
  out.point_stride = memory.stride<ifb_table_point>();
  out.facts_json = memory.text("{}");
  return memory.put(out);
}

lent_array<ifb_record> lend_hostile_records(lent_memory& memory) {
  constexpr auto most = std::numeric_limits<std::uint64_t>::max();
  constexpr auto longest = std::numeric_limits<std::int64_t>::max();
  std::vector<ifb_record> all;
  const auto add = [&](const auto& change) {
    ifb_record r{};
    r.sequence = all.size();
    r.sample_tokens = r.prompt_tokens = r.output_tokens = r.wanted_tokens = -1;
    r.cached_tokens = r.reasoning_tokens = -1;
    change(r);
    all.push_back(r);
  };
  add([](ifb_record&) {});  // succeeded, without times, texts and counts
  add([](ifb_record& r) {   // never sent
    r.status = IFB_E_CANCELLED;
    r.due_ns = most;
  });
  add([&](ifb_record& r) {  // before the start of the run, and backwards
    r.due_ns = 9;
    r.start_ns = 8;
    r.sent_ns = 7;
    r.first_byte_ns = 6;
    r.first_token_ns = 5;
    r.last_token_ns = 4;
    r.end_ns = 3;
    r.output_tokens = 0;
    r.text = memory.text(std::string(1, '\0') + "\x1b]0;title\x07 </script> \u202e");
  });
  add([&](ifb_record& r) {  // the largest numbers
    r.sequence = r.due_ns = r.start_ns = r.sent_ns = r.end_ns = most;
    r.first_token_ns = r.last_token_ns = r.bytes_sent = r.bytes_received = most;
    r.prompt_tokens = r.output_tokens = r.cached_tokens = longest;
    r.http_status = r.server = r.turn = std::numeric_limits<std::uint32_t>::max();
    r.status = -12345;
    r.error = memory.text(std::string(100'000, '"'));
    r.id = r.session = r.finish_reason = memory.text(std::string(1000, 'x'));
  });
  add([&](ifb_record& r) {  // stamps that descend, attributes that repeat
    static constexpr std::uint64_t stamps[] = {5, 3, most, 0};
    r.start_ns = 1;
    r.end_ns = 2;
    r.token_ns = memory.copy(std::span<const std::uint64_t>(stamps));
    r.token_count = std::size(stamps);
    const ifb_field fields[] = {{memory.text("a"), memory.text("")}, {memory.text("a"), {}}};
    r.attributes = memory.copy(std::span<const ifb_field>(fields));
    r.attribute_count = std::size(fields);
  });
  return {memory.put_array(std::span<const ifb_record>(all)), all.size()};
}

}  // namespace inferbench::check
