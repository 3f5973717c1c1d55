#include "run_writer.hpp"

#include <cmath>

#include <inferbench/json_writer.hpp>
#include <inferbench/run_description_json.hpp>

#include "reporters/common/clean_text.hpp"
#include "reporters/common/command_text.hpp"
#include "reporters/common/facts.hpp"
#include "reporters/common/figures.hpp"
#include "reporters/common/request_times.hpp"

namespace reporters {
namespace {

using optional_ms = std::optional<double>;

template <typename number>
optional_ms in_ms(const std::optional<number>& ns) {
  if (!ns) return std::nullopt;
  return static_cast<double>(*ns) / 1e6;
}

std::optional<std::string> text_or_null(std::string_view text) {
  if (text.empty()) return std::nullopt;
  return clean_text(text);
}

std::optional<std::string_view> view_of(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return *text;
}

std::optional<std::int64_t> known(std::int64_t count) {
  if (count < 0) return std::nullopt;
  return count;
}

std::optional<std::string> attributes_json(const ifb_record& r, bool texts) {
  ifb::json_writer out;
  bool any = false;
  out.begin_object();
  for (const ifb_field& each : ifb::attributes_of(r)) {
    if (!texts && is_text_attribute(ifb::view(each.name))) continue;
    out.member(ifb::view(each.name), ifb::view(each.value));
    any = true;
  }
  out.end_object();
  if (!any) return std::nullopt;
  return out.take();
}

}  // namespace

run_writer::run_writer(const database& to, const ifb_run& run, const sqlite_content& content)
    : to_(to), content_(content), started_ns_(run.started_ns) {
  sql_transaction change(to_);
  insert(run);
  remove_rows();
  change.commit();
  // 38 values.
  request_.emplace(to_,
                   "INSERT OR REPLACE INTO requests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                   "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  gap_.emplace(to_, "INSERT OR REPLACE INTO gaps VALUES (?, ?, ?, ?)");
}

void run_writer::insert(const ifb_run& run) {
  const std::string_view config = ifb::view(run.config_json);
  const ifb::run_description about = ifb::describe(config);
  pooling_ = about.pooling;
  const rapidjson::Document environment = parse_object(ifb::view(run.environment_json));
  const std::string name = clean_text(ifb::view(run.name));
  const std::string started = utc_text(run.started_unix_ns);
  const std::string command = command_text(flags_of(config));
  const std::string plan = to_text(plan_of(config));
  const std::string machine = to_text(environment);
  sql_statement add(
      to_,
      "INSERT INTO runs (name, started_unix_ns, started, state, label, backend, "
      "model, tokenizer, task, num_prompts, request_rate, max_concurrency, host, "
      "version, command, config, environment) "
      "VALUES (?, ?, ?, 'unfinished', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (name, started_unix_ns) DO UPDATE SET state = 'unfinished', "
      "finished_unix_ns = NULL, finished = NULL, verdict = NULL, label = excluded.label");
  add.bind(std::string_view(name)).bind(run.started_unix_ns).bind(std::string_view(started));
  add.bind(view_of(about.label));
  add.bind(std::string_view(about.backend)).bind(std::string_view(about.model_id));
  add.bind(view_of(about.tokenizer_id));
  add.bind(std::string_view(about.pooling ? "pooling" : "generation"));
  add.bind(about.num_prompts).bind(about.request_rate).bind(about.max_concurrency);
  add.bind(text_of(find(find(environment, "machine"), "host")));
  add.bind(text_of(find(find(environment, "inferbench"), "version")));
  add.bind(command.empty() ? std::nullopt : std::optional<std::string_view>(command));
  add.bind(std::string_view(plan)).bind(std::string_view(machine));
  add.run();
  sql_statement asked(to_, "SELECT id FROM runs WHERE name = ? AND started_unix_ns = ?");
  asked.bind(std::string_view(name)).bind(run.started_unix_ns);
  if (asked.next()) id_ = asked.integer(0);
}

void run_writer::remove_rows() {
  for (const char* table : {"metrics", "quantiles", "goals", "facts", "requests", "gaps"})
    sql_statement(to_, std::string("DELETE FROM ") + table + " WHERE run_id = ?").bind(id_).run();
}

void run_writer::add(ifb::strided<ifb_record> batch) {
  sql_transaction change(to_);
  for (const ifb_record& r : batch) {
    if (ifb::never_sent(r)) continue;
    add_request(r);
    if (content_.gaps) add_gaps(r);
  }
  change.commit();
}

void run_writer::add_request(const ifb_record& r) {
  const request_latencies times = latencies_of(r, pooling_);
  const auto id = text_or_null(ifb::view(r.id));
  const auto session = text_or_null(ifb::view(r.session));
  const auto reason = text_or_null(ifb::view(r.finish_reason));
  std::optional<std::string> error;
  if (r.error.size > 0) error = clean_line(ifb::view(r.error), longest_error);
  const auto attributes = attributes_json(r, content_.texts);
  std::optional<std::string> text;
  if (content_.texts) text = clean_text(ifb::view(r.text));

  sql_statement& to = *request_;
  to.bind(id_).bind(r.sequence).bind(view_of(id)).bind(view_of(session));
  to.bind(session ? std::optional(std::int64_t{r.turn}) : std::nullopt);
  to.bind(std::int64_t{r.server}).bind(status_class(r.status)).bind(std::int64_t{r.http_status});
  for (const std::uint64_t at : {r.due_ns, r.start_ns, r.tls_ns, r.connected_ns, r.sent_ns,
                                 r.first_byte_ns, r.first_token_ns, r.first_text_ns,
                                 r.first_answer_ns, r.last_token_ns, r.last_text_ns, r.end_ns})
    to.bind(in_ms(relative(at, started_ns_)));
  to.bind(in_ms(times.ttft_ns)).bind(in_ms(times.tpot_ns)).bind(in_ms(times.e2el_ns));
  to.bind(in_ms(relative(r.start_ns, r.due_ns))).bind(in_ms(times.longest_gap_ns));
  to.bind(static_cast<std::uint64_t>(r.token_count));
  for (const std::int64_t tokens : {r.sample_tokens, r.prompt_tokens, r.output_tokens,
                                    r.wanted_tokens, r.cached_tokens, r.reasoning_tokens})
    to.bind(known(tokens));
  to.bind(r.bytes_sent).bind(r.bytes_received);
  to.bind(view_of(reason)).bind(view_of(error)).bind(view_of(attributes)).bind(view_of(text));
  to.run();
}

void run_writer::add_gaps(const ifb_record& r) {
  const auto stamps = ifb::stamps_of(r);
  for (std::size_t i = 1; i < stamps.size(); ++i) {
    const std::uint64_t gap = stamps[i] > stamps[i - 1] ? stamps[i] - stamps[i - 1] : 0;
    gap_->bind(id_).bind(r.sequence).bind(static_cast<std::uint64_t>(i));
    gap_->bind(static_cast<double>(gap) / 1e6).run();
  }
}

void run_writer::finish(const ifb_summary& summary) {
  sql_transaction change(to_);
  add_figures(summary);
  add_facts(summary);
  const std::string finished = utc_text(summary.finished_unix_ns);
  const rapidjson::Document facts = parse_object(ifb::view(summary.facts_json));
  const std::string_view verdict = client_verdict(facts);
  sql_statement change_run(
      to_,
      "UPDATE runs SET state = ?, finished_unix_ns = ?, finished = ?, verdict = ? WHERE id = ?");
  change_run.bind(std::string_view((summary.flags & IFB_SUMMARY_INTERRUPTED) != 0 ? "interrupted"
                                                                                  : "finished"));
  change_run.bind(summary.finished_unix_ns).bind(std::string_view(finished));
  change_run.bind(verdict.empty() ? std::nullopt : std::optional(verdict)).bind(id_).run();
  change.commit();
}

void run_writer::add_figures(const ifb_summary& summary) {
  const rapidjson::Document facts = parse_object(ifb::view(summary.facts_json));
  sql_statement metric(to_,
                       "INSERT OR REPLACE INTO metrics VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  sql_statement quantile(to_, "INSERT OR REPLACE INTO quantiles VALUES (?, ?, ?, ?, ?)");
  for (const ifb_metric& m : ifb::metrics_of(summary)) {
    const std::string name = clean_text(m.name);
    metric.bind(id_).bind(std::string_view(name)).bind(std::string_view(m.unit));
    const bool is_summary = has(m, IFB_METRIC_SUMMARY);
    // A summary of no values has no mean.
    const bool any = !is_summary || m.count > 0;
    const auto value = [&](double of) { metric.bind(any ? std::optional(of) : std::nullopt); };
    value(m.value);
    if (is_summary) {
      metric.bind(m.count);
      for (const double each : {m.minimum, m.maximum, m.deviation, m.median})
        value(each);
    } else {
      for (int i = 0; i < 5; ++i)
        metric.bind_null();
    }
    metric.bind(std::string_view(m.title)).bind(std::string_view(m.help)).run();
    if (!is_summary || m.count == 0) continue;
    for (const ifb_quantile& each : ifb::quantiles_of(m)) {
      const double percentile = std::strtod(percentile_name(each.q).c_str(), nullptr);
      const certainty_of_percentile certain = certainty_of(facts, name, percentile);
      quantile.bind(id_).bind(std::string_view(name)).bind(percentile).bind(each.value);
      quantile.bind(certain.bound).run();
    }
  }
}

void run_writer::add_facts(const ifb_summary& summary) {
  const rapidjson::Document facts = parse_object(ifb::view(summary.facts_json));
  sql_statement add(to_, "INSERT OR REPLACE INTO facts VALUES (?, ?, ?)");
  for (const auto& [name, value] : facts.GetObject()) {
    const std::string json = to_text(value);
    add.bind(id_).bind(text_of(&name)).bind(std::string_view(json)).run();
  }
  sql_statement goal(to_, "INSERT OR REPLACE INTO goals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  std::int64_t number = 0;
  for (const goal_result& each : goals_of(facts)) {
    goal.bind(id_).bind(number++).bind(each.goal).bind(each.value);
    goal.bind(std::int64_t{each.passed}).bind(std::int64_t{each.certain});
    goal.bind(each.count).bind(each.effective_count);
    goal.bind(each.reason.empty() ? std::nullopt : std::optional(each.reason)).run();
  }
}

}  // namespace reporters
