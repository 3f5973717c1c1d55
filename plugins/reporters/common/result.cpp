#include "result.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <inferbench/guard.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>

#include "turn_members.hpp"
#include "turn_result.hpp"

namespace reporters {
namespace {

void set_figure(document& out, const figures& found, std::string_view name) {
  const ifb_metric* m = found.find(name);
  if (m == nullptr) return;
  if (has(*m, IFB_METRIC_INTEGER))
    out.set(name, std::int64_t{std::llround(m->value)});
  else
    out.set(name, m->value);
}

/// Writes a rate. Like in upstream, a whole number is written without a fraction.
void set_rps(document& out, std::string_view name, double rps) {
  if (rps == std::floor(rps) && std::abs(rps) < 1e15)
    out.set(name, static_cast<std::int64_t>(rps));
  else
    out.set(name, rps);
}

/// Writes a flag that was given and is neither 0 nor false. So files of runs without the flag stay
/// the same as before the flag existed.
void set_flag(document& out, const ifb::run_description& run, const char* flag, const char* name) {
  const std::string_view json = flag_of(run, flag);
  if (!json.empty() && json != "0" && json != "false" && !json.starts_with('-'))
    out.set_json(name, std::string(json));
}

void add_run(document& out, const ifb::run_description& run, const fields& metadata,
             std::string_view date, const std::optional<multi_turn_run>& multi_turn) {
  const auto set_or_null = [&](std::string_view name, const std::optional<std::string>& text) {
    if (text)
      out.set(name, *text);
    else
      out.set_null(name);
  };
  out.set("date", date);
  if (multi_turn) out.set("mode", "multi_turn");
  out.set("endpoint_type", run.endpoint_type);
  out.set("backend", run.backend);
  set_or_null("label", run.label);
  out.set("model_id", run.model_id);
  set_or_null("tokenizer_id", run.tokenizer_id);
  out.set("num_prompts", run.num_prompts);
  if (multi_turn) add_turn_settings(out, *multi_turn);
  set_flag(out, run, "max-model-len", "max_model_len");
  for (const auto& [key, text] : metadata)
    out.set(key, text);
  out.set("request_rate", run.request_rate);  // "inf" if the rate is unlimited
  out.set("burstiness", run.burstiness);
  set_flag(out, run, "num-warmups", "num_warmups");
  if (run.max_concurrency)
    out.set("max_concurrency", *run.max_concurrency);
  else
    out.set_null("max_concurrency");
  set_flag(out, run, "enable-vad", "enable_vad");
  if (!run.ramp_up) return;
  out.set("ramp_up_strategy", run.ramp_up->strategy);
  set_rps(out, "ramp_up_start_rps", run.ramp_up->start);
  set_rps(out, "ramp_up_end_rps", run.ramp_up->end);
}

void add_detailed_generation(document& out, const rows_in_order& rows) {
  const auto integers = [&](std::string_view name, std::int64_t detail::* member) {
    out.set_array(name, rows.size(), [&rows, member](std::size_t i, std::string& to) {
      to += std::to_string((*rows[i]->more).*member);
    });
  };
  integers("input_lens", &detail::input);
  integers("output_lens", &detail::output);
  out.set_array("ttfts", rows.size(), [&rows](std::size_t i, std::string& to) {
    append_seconds(to, rows[i]->more->ttft_ns);
  });
  out.set_array("itls", rows.size(), [&rows](std::size_t i, std::string& to) {
    to += '[';
    bool first = true;
    rows[i]->more->itl.for_each([&](std::uint64_t gap) {
      if (!first) to += ", ";
      first = false;
      append_seconds(to, gap);
    });
    to += ']';
  });
}

void add_latencies(document& out, const rows_in_order& rows) {
  out.set_array("latencies", rows.size(), [&rows](std::size_t i, std::string& to) {
    append_seconds(to, rows[i]->latency_ns);
  });
}

void add_queue_times(document& out, const rows_in_order& rows) {
  out.set_array("queue_times", rows.size(),
                [&rows](std::size_t i, std::string& to) { append_seconds(to, rows[i]->queue_ns); });
}

void add_texts(document& out, const rows_in_order& rows, std::string_view name,
               std::string detail::* member) {
  out.set_array(name, rows.size(), [&rows, member](std::size_t i, std::string& to) {
    ifb::append_json_string(to, (*rows[i]->more).*member);
  });
}

/// Adds the server's own times if it reported a time for at least one request.
void add_server_times(document& out, const rows_in_order& rows) {
  const auto is_known = [](double seconds) { return !std::isnan(seconds); };
  const bool any = std::ranges::any_of(rows, [&](const row* each) {
    return is_known(each->more->server_queue_s) || is_known(each->more->server_ttft_s);
  });
  if (!any) return;
  const auto seconds = [&](std::string_view name, double detail::* member) {
    out.set_array(name, rows.size(), [&rows, member](std::size_t i, std::string& to) {
      const double value = (*rows[i]->more).*member;
      if (std::isnan(value))
        to += "null";
      else
        ifb::append_python_float(to, value);
    });
  };
  seconds("server_queue_times", &detail::server_queue_s);
  seconds("server_ttfts", &detail::server_ttft_s);
}

/// Adds the sessions and the turns of conversations, if the run had any.
void add_turns(document& out, const rows_in_order& rows) {
  if (std::ranges::all_of(rows, [](const row* each) { return each->more->session.empty(); }))
    return;
  add_texts(out, rows, "sessions", &detail::session);
  out.set_array("turns", rows.size(), [&rows](std::size_t i, std::string& to) {
    to += std::to_string(rows[i]->more->turn);
  });
}

void add_generation(document& out, const figures& found, const rows_in_order* rows, bool detailed) {
  for (const char* name : {"duration", "completed", "failed", "total_input_tokens",
                           "total_cached_tokens", "total_output_tokens", "request_throughput"})
    set_figure(out, found, name);
  out.set_null("request_goodput");
  for (const char* name : {"request_goodput", "output_throughput", "total_token_throughput"})
    set_figure(out, found, name);
  if (detailed) add_detailed_generation(out, *rows);
  if (rows != nullptr) add_latencies(out, *rows);
  if (detailed)
    out.set_array("start_times", rows->size(), [rows](std::size_t i, std::string& to) {
      append_seconds(to, (*rows)[i]->more->start_ns);
    });
  if (rows != nullptr) add_queue_times(out, *rows);
  if (detailed) add_server_times(out, *rows);
  if (detailed) add_texts(out, *rows, "generated_texts", &detail::text);
  if (detailed) add_texts(out, *rows, "errors", &detail::error);
  if (detailed) add_turns(out, *rows);
  for (const char* name : {"max_output_tokens_per_s", "max_concurrent_requests", "rtfx"})
    set_figure(out, found, name);
}

void add_pooling(document& out, const figures& found, const rows_in_order* rows, bool detailed) {
  for (const char* name : {"duration", "completed", "failed", "total_input_tokens",
                           "total_cached_tokens", "total_input_sequences", "request_throughput",
                           "input_sequence_throughput", "total_token_throughput"})
    set_figure(out, found, name);
  if (detailed)
    out.set_array("input_lens", rows->size(), [rows](std::size_t i, std::string& to) {
      to += std::to_string((*rows)[i]->more->input);
    });
  if (rows != nullptr) add_latencies(out, *rows);
  if (rows != nullptr) add_queue_times(out, *rows);
  if (detailed) add_texts(out, *rows, "errors", &detail::error);
}

void add_statistics(document& out, const ifb_metric& m) {
  const std::string name = m.name;
  out.set("mean_" + name + "_ms", m.value);
  out.set("median_" + name + "_ms", m.median);
  out.set("std_" + name + "_ms", m.deviation);
  for (const ifb_quantile& each : ifb::quantiles_of(m))
    out.set("p" + percentile_name(each.q) + "_" + name + "_ms", each.value);
}

/// Adds the figures of the probes if at least one probe succeeded.
void add_probes(document& out, const figures& found) {
  if (found.value("probe_completed") < 1) return;
  for (const char* name : {"probe_completed", "probe_failed", "probe_median_e2el_ms",
                           "probe_p99_e2el_ms", "probe_max_e2el_ms"})
    set_figure(out, found, name);
}

void add_server_counters(document& out, const figures& found, const json_value& facts) {
  for (const char* name :
       {"spec_decode_acceptance_rate", "spec_decode_acceptance_length", "spec_decode_num_drafts",
        "spec_decode_draft_tokens", "spec_decode_accepted_tokens"})
    set_figure(out, found, name);
  if (found.find("spec_decode_acceptance_rate") != nullptr) {
    const json_value* rates = position_rates(facts);
    out.set_json("spec_decode_per_position_acceptance_rates",
                 rates == nullptr ? "[]" : to_text(*rates));
  }
  for (const char* name : {"diffusion_committed_throughput", "diffusion_steps_per_canvas",
                           "diffusion_committed_per_step", "diffusion_committed_tokens",
                           "diffusion_denoising_steps", "diffusion_canvas_positions"})
    set_figure(out, found, name);
}

void add_fact(document& out, const char* name, const json_value& facts) {
  if (const json_value* fact = find(facts, name)) out.set_json(name, to_text(*fact));
}

}  // namespace

fields metadata_of(const std::vector<std::string>& items) {
  fields out;
  for (const std::string& item : items) {
    const auto equals = item.find('=');
    if (equals == std::string::npos)
      throw ifb::failure{IFB_E_CONFIG, "\"" + item + "\" is not KEY=VALUE", "metadata"};
    out.emplace_back(ifb::trim(std::string_view(item).substr(0, equals)),
                     ifb::trim(std::string_view(item).substr(equals + 1)));
  }
  return out;
}

void add_upstream(document& out, const contents& of) {
  const std::optional<multi_turn_run> multi_turn = multi_turn_run_of(of.run, of.facts);
  add_run(out, of.run, of.metadata, of.date, multi_turn);
  if (of.run.pooling)
    add_pooling(out, of.found, of.rows, of.detailed);
  else
    add_generation(out, of.found, of.rows, of.detailed);
  if (multi_turn) add_conversation_figures(out, *multi_turn, of.found);
  add_probes(out, of.found);
  add_fact(out, "rps_change_events", of.facts);
  add_server_counters(out, of.found, of.facts);
  for (const ifb_metric& m : of.found.all())
    if (selected(m)) add_statistics(out, m);
  if (multi_turn) add_turn_figures(out, of.found, of.facts);
  add_fact(out, "steady_state", of.facts);
}

}  // namespace reporters
