#include "observe/server_counters.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <inferbench/json_writer.hpp>

#include "base/text.hpp"
#include "observe/prometheus_text.hpp"

namespace inferbench::observe {

namespace {

constexpr std::uint64_t counters_patience_ns = 10 * base::ns_per_s;
constexpr std::string_view white = " \t\r\v\f";

bool has(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

/// Whether upstream's parser reads the line of `one`: neither blanks in the series nor text after
/// the value, and a finite value.
bool upstream_reads(const metric_sample& one) {
  return !one.followed && one.series.find_first_of(white) == std::string_view::npos &&
         std::isfinite(one.value);
}

std::optional<std::int64_t> position_of(const metric_sample& one) {
  const auto found = std::ranges::find(one.labels, "position", &metric_label::name);
  return found == one.labels.end() ? std::nullopt : base::parse_int(found->value);
}

void add_speculation(std::optional<speculation_counts>& to, const metric_sample& of) {
  const double value = std::trunc(of.value);
  if (!to) to.emplace();
  if (has(of.name, "num_drafts")) {
    to->drafts += value;
  } else if (has(of.name, "num_draft_tokens")) {
    to->draft_tokens += value;
  } else if (has(of.name, "num_accepted_tokens_per_pos")) {
    if (const auto position = position_of(of)) to->accepted_at[*position] += value;
  } else if (has(of.name, "num_accepted_tokens")) {
    to->accepted += value;
  }
}

void add_diffusion(std::optional<diffusion_counts>& to, const metric_sample& of) {
  const double value = std::trunc(of.value);
  if (!to) to.emplace();
  if (has(of.name, "num_denoising_steps"))
    to->steps += value;
  else if (has(of.name, "num_canvas_positions"))
    to->positions += value;
  else if (has(of.name, "num_committed_tokens"))
    to->committed += value;
}

/// The accepted tokens for each position of a draft; empty if a counter was reset.
std::vector<double> accepted_by_position(const speculation_counts& before,
                                         const speculation_counts& after) {
  std::map<std::int64_t, double> gained = after.accepted_at;
  for (const auto& [position, count] : before.accepted_at) {
    const auto now = gained.find(position);
    if (now == gained.end())
      gained.emplace(position, 0);
    else
      now->second -= count;
  }
  std::vector<double> out;
  for (const auto& [position, count] : gained) {
    if (count < 0) return {};
    out.push_back(count);
  }
  return out;
}

void add_speculative(const speculation_counts& before, const speculation_counts& after,
                     metrics::context& into) {
  const double drafts = after.drafts - before.drafts;
  const double tokens = after.draft_tokens - before.draft_tokens;
  const double accepted = after.accepted - before.accepted;
  if (tokens <= 0 || drafts < 0 || accepted < 0) return;
  using metrics::metric;
  auto& out = into.beside;
  out.emplace_back(metric::spec_decode_acceptance_rate, 100 * accepted / tokens);
  out.emplace_back(metric::spec_decode_acceptance_length, drafts > 0 ? 1 + accepted / drafts : 0.0);
  out.emplace_back(metric::spec_decode_num_drafts, drafts);
  out.emplace_back(metric::spec_decode_draft_tokens, tokens);
  out.emplace_back(metric::spec_decode_accepted_tokens, accepted);
  ifb::json_writer fact;
  fact.begin_object();
  fact.key("per_position_acceptance_rates");
  fact.begin_array();
  if (drafts > 0)
    for (const double count : accepted_by_position(before, after))
      fact.number(count / drafts);
  fact.end_array();
  fact.end_object();
  into.set_fact("spec_decode", fact.take());
}

// The terms come from vLLM: a canvas is a block of positions that are denoised together. Each
// canvas ends with one step that commits it.
void add_denoising(const diffusion_counts& before, const diffusion_counts& after, double duration_s,
                   metrics::context& into) {
  const double steps = after.steps - before.steps;
  const double positions = after.positions - before.positions;
  const double committed = after.committed - before.committed;
  if (steps <= 0 || committed <= 0 || positions <= 0 || duration_s <= 0) return;
  const double canvases = committed / (positions / steps);
  const double denoising = steps - canvases;
  if (denoising <= 0) return;
  using metrics::metric;
  auto& out = into.beside;
  out.emplace_back(metric::diffusion_committed_throughput, committed / duration_s);
  out.emplace_back(metric::diffusion_steps_per_canvas, denoising / canvases);
  out.emplace_back(metric::diffusion_committed_per_step, committed / denoising);
  out.emplace_back(metric::diffusion_committed_tokens, committed);
  out.emplace_back(metric::diffusion_denoising_steps, std::trunc(denoising));
  out.emplace_back(metric::diffusion_canvas_positions, positions);
}

}  // namespace

void server_counters::add(const server_counters& other) {
  if (other.speculative) {
    if (!speculative) speculative.emplace();
    speculative->drafts += other.speculative->drafts;
    speculative->draft_tokens += other.speculative->draft_tokens;
    speculative->accepted += other.speculative->accepted;
    for (const auto& [position, count] : other.speculative->accepted_at)
      speculative->accepted_at[position] += count;
  }
  if (other.denoising) {
    if (!denoising) denoising.emplace();
    denoising->steps += other.denoising->steps;
    denoising->positions += other.denoising->positions;
    denoising->committed += other.denoising->committed;
  }
  if (other.cache) {
    if (!cache) cache.emplace();
    cache->queries += other.cache->queries;
    cache->hits += other.cache->hits;
  }
}

server_counters read_counters(std::string_view page) {
  server_counters out;
  std::optional<double> queries;
  std::optional<double> hits;
  read_metrics(page, [&](const metric_sample& one) {
    if (!upstream_reads(one)) return;
    if (one.name == "vllm:prefix_cache_queries_total")
      queries = queries.value_or(0) + std::trunc(one.value);
    else if (one.name == "vllm:prefix_cache_hits_total")
      hits = hits.value_or(0) + std::trunc(one.value);
    else if (!one.name.ends_with("_total"))
      return;
    else if (one.name.starts_with("vllm:spec_decode"))
      add_speculation(out.speculative, one);
    else if (one.name.starts_with("vllm:diffusion"))
      add_diffusion(out.denoising, one);
  });
  if (queries && hits) out.cache = {*queries, *hits};
  return out;
}

std::optional<server_counters> ask_counters(const services::target& servers,
                                            const std::function<bool()>& stop) {
  server_counters sum;
  for (std::size_t i = 0; i < servers.endpoints().size(); ++i) {
    const auto answer = servers.fetch("GET", "/metrics", {}, counters_patience_ns, i, stop);
    if (!answer.ok() || answer.status != 200) return std::nullopt;
    sum.add(read_counters(answer.body));
  }
  return sum;
}

void add_server_figures(const server_counters& before, const server_counters& after,
                        double duration_s, metrics::context& into) {
  if (before.speculative && after.speculative)
    add_speculative(*before.speculative, *after.speculative, into);
  if (before.denoising && after.denoising)
    add_denoising(*before.denoising, *after.denoising, duration_s, into);
}

std::optional<prefix_cache_counts> cache_gain(const server_counters& before,
                                              const server_counters& after) {
  if (!before.cache || !after.cache) return std::nullopt;
  const prefix_cache_counts out{after.cache->queries - before.cache->queries,
                                after.cache->hits - before.cache->hits};
  if (out.queries < 0 || out.hits < 0 || out.hits > out.queries) return std::nullopt;
  return out;
}

}  // namespace inferbench::observe
