#include "driver.hpp"

#include <cstdlib>
#include <limits>
#include <memory>
#include <mutex>

#include "base/log.hpp"
#include "base/text.hpp"
#include "framework/metrics/record_of.hpp"
#include "metrics/accumulator.hpp"
#include "plugin/instance.hpp"
#include "plugin/library.hpp"
#include "report/fanout.hpp"
#include "report/table.hpp"
#include "support/golden.hpp"

namespace inferbench::reporters_test {
namespace {

using metrics::testing_::at_ms;
using metrics::testing_::failure;
using metrics::testing_::success;

struct terminal {
  std::mutex mutex;
  outcome* out;
};

const ifb_console_service console_table = {
    sizeof(ifb_console_service), 0,
    [](const ifb_host* host, ifb_str text) {
      auto* t = static_cast<terminal*>(plugin::services_of(host).console_state);
      const std::lock_guard lock(t->mutex);
      t->out->printed += plugin::view(text);
    },
    [](const ifb_host* host, ifb_str what, ifb_str path) {
      auto* t = static_cast<terminal*>(plugin::services_of(host).console_state);
      const std::lock_guard lock(t->mutex);
      t->out->artifacts.emplace_back(plugin::view(what), plugin::view(path));
    }};

/// An ifb_value and the memory that it points to.
struct held_value {
  ifb_value value{};
  std::vector<ifb_str> list;
};

void assign(held_value& to, ifb_type type, const setting& from) {
  to.value.type = type;
  to.value.is_set = 1;
  if (const auto* flag = std::get_if<bool>(&from.second)) {
    to.value.as.i = *flag ? 1 : 0;
  } else if (const auto* text = std::get_if<std::string>(&from.second)) {
    to.value.as.s = plugin::str(*text);
  } else {
    for (const std::string& item : std::get<std::vector<std::string>>(from.second))
      to.list.push_back(plugin::str(item));
    to.value.as.list = {to.list.data(), to.list.size()};
  }
}

std::unique_ptr<plugin::instance> create(const std::string& name,
                                         const std::vector<setting>& settings,
                                         const plugin::services& shared) {
  const plugin::search_path search{{INFERBENCH_PLUGIN_FOLDER}, true};
  const plugin::loaded library = plugin::load(IFB_REPORTER, name, search);
  const auto options = library.options();
  std::vector<held_value> held(options.size());
  std::vector<ifb_value> values;
  std::size_t used = 0;
  for (std::size_t i = 0; i < options.size(); ++i) {
    for (const setting& s : settings) {
      if (s.first != options[i]->name) continue;
      assign(held[i], options[i]->type, s);
      ++used;
    }
    held[i].value.type = options[i]->type;
    values.push_back(held[i].value);
  }
  if (used != settings.size()) throw base::error("a setting names no option of " + name);
  return std::make_unique<plugin::instance>(library, values, shared);
}

std::vector<client::record> three_successes() {
  std::vector<client::record> records = {success({0, 0, 0, {100, 110, 130, 170}, 175, 10, 4}),
                                         success({1, 0, 50.25, {250}, 250, 20, 1}),
                                         success({2, 0, 1000, {1300, 1400, 1600}, 1601, 30, 6})};
  records[0].text = "four tokens";
  records[1].text = "\xC3\xA9\n\"x\"";
  records[2].text = "six";
  return records;
}

/// The services of a host, whose output an outcome collects.
class stage {
 public:
  explicit stage(outcome& out)
      : log_(base::log_level::info, [this](base::log_level, std::string_view line) {
          const std::lock_guard lock(screen_.mutex);
          screen_.out->lines.emplace_back(line);
        }) {
    ::setenv("TZ", "UTC", 1);
    ::tzset();
    screen_.out = &out;
    shared_.log = &log_;
    shared_.clock = &clock_;
    shared_.console = &console_table;
    shared_.console_state = &screen_;
  }
  base::log& log() { return log_; }
  const plugin::services& shared() const { return shared_; }

 private:
  terminal screen_;
  base::log log_;
  base::monotonic_clock clock_;
  plugin::services shared_;
};

/// Gives a run to its reporters. Returns whether all of them reported it.
bool play(const input& given, std::vector<report::target> reporters, stage& on, outcome& out) {
  metrics::accumulator all(given.run);
  std::vector<client::record> records = given.records;
  for (client::record& r : records) {
    const auto source = metrics::resolve(r, given.run.pooling, {});
    all.add(r, source);
  }
  const metrics::report figures = all.finish(given.run);

  report::fanout fanout(std::move(reporters), on.log());
  const std::string config = '{' + given.plan + "\"resolved\": " + given.resolved + "}";
  const std::string environment = R"({"host": "test"})";
  ifb_run run{};
  run.struct_size = sizeof run;
  run.name = plugin::str(given.name);
  run.started_ns = started_ns;
  run.started_unix_ns = 1'795'155'000'000'000'000;
  run.config_json = plugin::str(config);
  run.environment_json = plugin::str(environment);
  try {
    fanout.begin(run);
  } catch (const base::error& refusal) {
    out.lines.emplace_back(refusal.what());
    return false;
  }
  out.stamps = fanout.wants_stamps();
  // Two batches that are not in the order of the sequence, as in a real run.
  std::vector<client::record> second;
  while (records.size() > given.records.size() / 2) {
    second.push_back(std::move(records.back()));
    records.pop_back();
  }
  fanout.records(std::make_shared<const report::batch>(std::move(second), out.stamps));
  fanout.records(std::make_shared<const report::batch>(std::move(records), out.stamps));
  return fanout.finish(figures.summary(1'795'156'200'000'000'000, given.interrupted));
}

}  // namespace

outcome report_with(const std::string& name, const std::vector<setting>& settings,
                    const input& given) {
  outcome out;
  stage on(out);
  const auto reporter = create(name, settings, on.shared());
  out.ok = play(given, {report::target_of(*reporter)}, on, out);
  return out;
}

namespace {

/// A point of a table with the figures of table_input.
struct table_place {
  table_place(const table_input& of, const std::uint32_t* first_run)
      : input(of), first(first_run) {}

  ifb_table_point view() {
    ifb_table_point out{};
    out.struct_size = sizeof out;
    out.runs = first;
    out.run_count = runs;
    if (input.point.empty()) return out;
    facts = R"({"label": ")" + input.point + "\"}";
    out.facts_json = plugin::str(facts);
    axis = {plugin::str("max_concurrency"), plugin::str(input.concurrency)};
    out.axes = &axis;
    out.axis_count = 1;
    figures = {figure("request_throughput", "value", "req/s", 15, 2),
               figure("ttft", "median", "ms", 20, 1), figure("ttft", "p50", "ms", 20, 1),
               figure("ttft", "p95", "ms", 30, 3)};
    out.figures = figures.data();
    out.figure_count = static_cast<std::uint32_t>(figures.size());
    out.figure_stride = sizeof(ifb_interval);
    return out;
  }

  [[nodiscard]] ifb_interval figure(const char* name, const char* statistic, const char* unit,
                                    double mean, double half) const {
    constexpr double unlimited = std::numeric_limits<double>::infinity();
    if (runs < 2) half = unlimited;
    return {sizeof(ifb_interval), 0,   name, statistic, unit, mean, mean - half, mean + half,
            runs < 2 ? 0 : 0.95,  runs};
  }

  const table_input& input;
  const std::uint32_t* first;
  std::size_t runs = 0;
  std::string facts;
  ifb_field axis{};
  std::vector<ifb_interval> figures;
};

}  // namespace

outcome report_table_with(const std::string& name, const std::vector<setting>& settings,
                          const std::vector<table_input>& runs) {
  outcome out;
  stage on(out);
  const auto reporter = create(name, settings, on.shared());
  report::table_fanout table({report::table_target_of(*reporter)}, on.log());
  ifb_axis axis{};
  axis.struct_size = sizeof axis;
  axis.name = "max_concurrency";
  axis.unit = "request";
  axis.title = "Maximum request concurrency";
  ifb_table about{};
  about.struct_size = sizeof about;
  about.name = plugin::str("table-1");
  about.command = plugin::str("inferbench report a.journal b.journal");
  about.axes = &axis;
  about.axis_count = 1;
  about.axis_stride = sizeof axis;
  about.run_count = runs.size();
  about.started_unix_ns = 1'795'155'000'000'000'000;
  about.facts_json = plugin::str("{}");
  try {
    table.begin(about);
  } catch (const base::error& refusal) {
    out.lines.emplace_back(refusal.what());
    return out;
  }
  std::vector<std::uint32_t> indices(runs.size());
  std::vector<table_place> places;
  for (std::uint32_t i = 0; i < runs.size(); ++i) {
    const table_input& one = runs[i];
    const bool repeats = i > 0 && !one.point.empty() && one.point == runs[i - 1].point;
    if (!repeats) places.emplace_back(one, &indices[i]);
    report::table_entry entry{
        i, static_cast<std::uint32_t>(places.size() - 1), one.source, one.label, {}};
    if (!one.concurrency.empty()) entry.axes = {{"max_concurrency", one.concurrency}};
    (void)play(one.run, table.run_targets(entry), on, out);
    indices[i] = i;
    ++places.back().runs;
  }
  std::vector<ifb_table_point> points;
  for (table_place& each : places)
    points.push_back(each.view());
  ifb_table_end end{};
  end.struct_size = sizeof end;
  end.finished_unix_ns = 1'795'156'200'000'000'000;
  end.points = points.data();
  end.point_count = static_cast<std::uint32_t>(points.size());
  end.point_stride = sizeof(ifb_table_point);
  end.facts_json = plugin::str("{}");
  out.ok = table.finish(end);
  return out;
}

void expect_golden(const std::string& found, const std::string& name) {
  support::expect_golden(found, std::string(INFERBENCH_FIXTURES) + "/reporters/" + name);
}

std::string golden(const std::string& name) {
  return base::read_file(std::string(INFERBENCH_FIXTURES) + "/reporters/" + name);
}

input plain_run() {
  input in;
  in.records = three_successes();
  in.run.duration_s = 1.75;
  in.run.planned = 3;
  in.resolved =
      R"({"endpoint_type": "openai", "backend": "openai", "label": null, "model_id": "org/small-7b",
          "tokenizer_id": "org/small-7b", "num_prompts": 3, "request_rate": "inf",
          "burstiness": 1.0, "max_concurrency": null, "task": "generation", "metadata": {}})";
  return in;
}

input strained_run() {
  input in;
  in.records = three_successes();
  in.records.push_back(success({3, 10, 12.5, {20, 30}, 31, 8, 2}));
  for (std::uint64_t i = 4; i < 16; ++i) {
    const double start = 20.0 * static_cast<double>(i);
    const bool busy = i % 3 != 0;
    in.records.push_back(failure(
        {i, start - 1, start, busy ? std::vector<double>{} : std::vector{start + 5, start + 6},
         start + 10, 9, 0},
        busy ? IFB_E_REMOTE : IFB_E_IO, busy ? 503 : 200,
        busy ? "HTTP 503 Service Unavailable: {\"error\":\n\"request " + std::to_string(i) +
                   " refused\"}"
             : "the connection ended inside the body"));
  }
  client::record waiting;  // cancelled before it was sent: reporters must leave it out
  waiting.sequence = 16;
  waiting.due_ns = at_ms(900);
  waiting.end_ns = at_ms(950);
  waiting.status = IFB_E_CANCELLED;
  waiting.error = "the run was stopped";
  in.records.push_back(waiting);
  in.interrupted = true;
  in.run.duration_s = 1.75;
  in.run.planned = 20;
  in.run.selected = {
      "ttft", "tpot", "itl", "e2el", "client_queue_time", "e2el_including_client_queue"};
  in.run.percentiles = {50, 99.9, 99};
  in.run.goodput = {{"ttft", 200}, {"e2el", 250}};
  in.run.max_concurrency = 8;
  in.run.request_rate = 10.5;
  in.resolved =
      R"({"endpoint_type": "vllm", "backend": "vllm", "label": "night/run", "model_id": "small",
          "tokenizer_id": "tok", "num_prompts": 20, "request_rate": 10.5, "burstiness": "inf",
          "max_concurrency": 8, "task": "generation", "metadata": {"from": "the host"}})";
  return in;
}

input pooling_run() {
  input in;
  in.records = {success({0, 0, 0, {}, 30, 100, 0}), success({1, 0, 10, {}, 60, 50, 0}),
                failure({2, 0, 20, {}, 25, 70, 0}, IFB_E_REMOTE, 400, "HTTP 400 Bad Request")};
  in.records[1].attributes = {{"num_input_sequences", "5"}};
  in.run.pooling = true;
  in.run.duration_s = 0.5;
  in.run.planned = 3;
  in.run.selected = {"e2el"};
  in.run.percentiles = {99, 99};
  in.resolved =
      R"({"endpoint_type": "openai-embeddings", "backend": "openai-embeddings", "label": null,
          "model_id": "e5", "tokenizer_id": "e5", "num_prompts": 3, "request_rate": "inf",
          "burstiness": 1, "max_concurrency": null, "task": "pooling", "metadata": {}})";
  return in;
}

input hopeless_run() {
  input in = plain_run();
  in.records = {failure({0, 0, 0, {}, 5, 10, 0}, IFB_E_IO, 0, "connection refused")};
  in.run.planned = 1;
  return in;
}

input full_run() {
  using metrics::metric;
  input in = strained_run();
  in.interrupted = false;
  in.records[0].attributes = {{"input_audio_duration", "3.5"}};
  in.records[0].cached_tokens = 8;
  in.records[2].cached_tokens = 16;
  in.records[2].reasoning_tokens = 2;
  in.records[2].text_events = {1, 1, 0, 0};
  in.records[4].cached_tokens = 64;  // a failed request
  in.run.cached_tokens = true;
  in.run.beside = {{metric::spec_decode_acceptance_rate, 62.5},
                   {metric::spec_decode_acceptance_length, 2.25},
                   {metric::spec_decode_num_drafts, 40},
                   {metric::spec_decode_draft_tokens, 80},
                   {metric::spec_decode_accepted_tokens, 50},
                   {metric::probe_completed, 3},
                   {metric::probe_failed, 1},
                   {metric::probe_median_e2el, 11.25},
                   {metric::probe_p99_e2el, 29.5},
                   {metric::probe_max_e2el, 30}};
  in.run.set_fact("spec_decode", R"({"per_position_acceptance_rates": [0.75, 0.5]})");
  in.run.set_fact("prefix_cache", R"({"queries": 100, "hits": 98, "hit_rate": 0.98})");
  return in;
}

input closed_run() {
  input in;
  // Two concurrent lanes of five requests; the second lane pauses at the end.
  for (std::uint64_t i = 0; i < 10; ++i) {
    const double start = 100.0 * static_cast<double>(i / 2) + (i % 2 == 0 ? 0 : 50);
    in.records.push_back(
        success({i, 0, start, {start + 20, start + 60, start + 100}, start + 101, 10 + 1, 3}));
  }
  in.run.duration_s = 0.551;
  in.run.self_timed = true;
  in.run.planned = 10;
  in.run.max_concurrency = 2;
  in.run.percentiles = {50, 99.9};
  in.resolved =
      R"({"endpoint_type": "openai", "backend": "openai", "label": null, "model_id": "org/small-7b",
          "tokenizer_id": "org/small-7b", "num_prompts": 10, "request_rate": "inf",
          "burstiness": 1.0, "max_concurrency": 2, "task": "generation",
          "ramp_up": {"strategy": "exponential", "start": 1, "end": 20}, "metadata": {}})";
  in.run.set_fact("rps_change_events",
                  R"([{"rps": 1, "timestamp": "2026-11-20T06:00:00.000001"},
                      {"rps": 2, "timestamp": "2026-11-20T06:00:01.250000"}])");
  return in;
}

input pooling_closed_run() {
  input in = pooling_run();
  in.run.max_concurrency = 2;
  in.run.cached_tokens = true;
  in.records.push_back(success({3, 0, 40, {}, 80, 10, 0}));
  in.records.back().cached_tokens = 4;
  in.resolved.replace(in.resolved.find("null, \"task\""), 4, "2");
  return in;
}

input multi_turn_run(const std::string& mode) {
  input in = plain_run();
  in.records.push_back(failure({3, 300, 300, {310}, 320, 8, 0}, IFB_E_REMOTE, 503, "busy"));
  for (std::size_t i = 0; i < in.records.size(); ++i) {
    in.records[i].session = "conv-" + std::to_string(i % 2);
    in.records[i].turn = static_cast<std::uint32_t>(i / 2);
  }
  in.run.planned = 4;
  in.run.selected = {"ttft", "tpot", "itl", "e2el"};
  in.run.percentiles = {50, 99.9, 99};
  in.resolved.replace(in.resolved.find("\"num_prompts\": 3"), 16, "\"num_prompts\": 2");
  in.resolved.insert(1, R"("flags": {"multi-turn-num-turns": 2}, )");
  in.run.set_fact("conversations",
                  R"({"begun": 2, "finished": 1, "ended_early": 1, "requests_given_up": 0,
                      "most_active": 2, "mean_turns": 2.0, "mean_duration_ms": 935.625)" +
                      (mode.empty() ? mode : ", \"multi_turn\": " + mode) + '}');
  return in;
}

input diffusing_run() {
  using metrics::metric;
  input in = plain_run();
  in.run.beside = {{metric::diffusion_committed_throughput, 1234.5678},
                   {metric::diffusion_steps_per_canvas, 3.5},
                   {metric::diffusion_committed_per_step, 2.125},
                   {metric::diffusion_committed_tokens, 2160},
                   {metric::diffusion_denoising_steps, 1016},
                   {metric::diffusion_canvas_positions, 9000},
                   {metric::spec_decode_acceptance_rate, 10},
                   {metric::spec_decode_acceptance_length, 1.5},
                   {metric::spec_decode_num_drafts, 4},
                   {metric::spec_decode_draft_tokens, 20},
                   {metric::spec_decode_accepted_tokens, 2}};
  in.run.set_fact("spec_decode", R"({"per_position_acceptance_rates": []})");
  return in;
}

}  // namespace inferbench::reporters_test
