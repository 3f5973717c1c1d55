#include "find/search_json.hpp"

#include <algorithm>
#include <string_view>

#include <inferbench/json_writer.hpp>

namespace inferbench::find {

namespace {

void number_or_null(ifb::json_writer& out, const char* name, const std::optional<double>& value) {
  out.key(name);
  if (value)
    out.number(*value);
  else
    out.null();
}

void write_part(ifb::json_writer& out, const limit::part_evidence& of) {
  const bool share = of.what.kind == limit::part_kind::share;
  out.begin_object();
  out.member("goal", of.what.goal);
  out.member("kind", share ? "certified" : "estimated");
  out.member("verdict", limit::name_of(of.outcome));
  if (share) {
    out.member("allowed", of.what.allowed);
    out.member("over", of.over);
    out.member("count", of.independent);
    out.member("observed", of.share());
    out.member("all_over", of.raw_over);
    out.member("correlation_time", of.correlation);
    out.member("ln_evidence_less", of.ln_less);
    out.member("ln_evidence_more", of.ln_more);
    out.member("ln_chain_less", of.ln_chain_less);
    out.member("ln_chain_more", of.ln_chain_more);
    number_or_null(out, "would_pass", of.would_pass);
    number_or_null(out, "would_fail", of.would_fail);
    // 0: no estimate, because the evidence of the chain is missing (chain_evidence.hpp).
    number_or_null(out, "more_needed",
                   of.more_needed.value_or(0) > 0 ? of.more_needed : std::nullopt);
  } else {
    out.member("limit", of.what.limit);
    out.member("unit", of.what.unit);
    out.member("batches", of.batches);
    number_or_null(out, "estimate", of.estimate);
    number_or_null(out, "half_width", of.half_width);
  }
  out.member("text", limit::part_text(of));
  out.end_object();
}

void write_evidence(ifb::json_writer& out, const limit::probe_evidence& of) {
  out.member("verdict", limit::name_of(of.outcome));
  out.member("reason", limit::name_of(of.why));
  out.member("requests", of.requests);
  out.member("warm_up", of.warm_up);
  out.member("step", of.step);
  out.member("independent", of.independent());
  out.key("goals");
  out.begin_array();
  for (const limit::part_evidence& part : of.parts)
    write_part(out, part);
  out.end_array();
}

/// A lowest load without a verdict is not a lowest load that failed.
std::string_view ended_text(const limit::search_record& search, const search_facts& about) {
  if (about.interrupted) return "interrupted";
  if (about.failed) return "failed";
  const bool undecided = std::ranges::any_of(search.probes, [&](const limit::probe_record& each) {
    return each.load == search.settings.lo && each.evidence.outcome == limit::verdict::undecided;
  });
  if (search.result.why == limit::conclusion::nothing_passed && undecided) return "undecided";
  return limit::name_of(search.result.why);
}

}  // namespace

std::string probe_json(const limit::probe_evidence& of) {
  ifb::json_writer out;
  out.begin_object();
  write_evidence(out, of);
  out.end_object();
  return out.take();
}

bool is_certified(const limit::search_record& search) {
  return std::ranges::all_of(search.probes, [](const limit::probe_record& probe) {
    return std::ranges::all_of(probe.evidence.parts, [](const limit::part_evidence& part) {
      return part.what.kind == limit::part_kind::share;
    });
  });
}

std::string search_json(const limit::search_record& search, const search_facts& about) {
  ifb::json_writer out;
  out.begin_object();
  out.member("command", about.command);
  out.member("over", about.over);
  out.key("between");
  out.begin_array();
  out.number(search.settings.lo);
  out.number(search.settings.hi);
  out.end_array();
  out.key("goals");
  out.begin_array();
  for (const std::string& goal : about.goals)
    out.string(goal);
  out.end_array();
  out.member("alpha", about.alpha);
  out.member("assumed_correlation", about.assumed_correlation);
  out.member("max_probes", search.settings.probes);
  out.member("precision", search.settings.precision);
  number_or_null(out, "limit", search.result.limit);
  number_or_null(out, "upper", search.result.upper_end);
  out.member("certified", search.result.limit.has_value() && is_certified(search));
  out.member("ended", ended_text(search, about));
  out.key("conclusion");
  out.begin_array();
  for (const std::string& line : limit::conclusion_lines(search))
    out.string(line);
  out.end_array();
  out.key("probes");
  out.begin_array();
  for (std::size_t i = 0; i < search.probes.size(); ++i) {
    out.begin_object();
    out.member("load", search.probes[i].load);
    write_evidence(out, search.probes[i].evidence);
    if (i < about.runs.size()) {
      const probe_run& run = about.runs[i];
      number_or_null(out, "hit_rate", run.hit_rate);
      out.member("duration_s", run.duration_s);
      out.member("sent", run.sent);
      out.member("failed", run.failed);
      out.member("client", metrics::name_of(run.client.level));
      out.member("journal", run.journal);
      out.member("run", i);
    }
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return out.take();
}

}  // namespace inferbench::find
