#include "comparison/comparison_json.hpp"

#include <cstddef>
#include <optional>

#include <inferbench/json_writer.hpp>

#include "comparison/comparison_text.hpp"

namespace inferbench::comparison {
namespace {

void member_or_null(ifb::json_writer& out, const char* name, const std::optional<double>& value) {
  out.key(name);
  if (value)
    out.number(*value);
  else
    out.null();
}

void write_metric(ifb::json_writer& out, const compared_metric& metric, const metric_result& of) {
  out.begin_object();
  out.member("name", metric.name);
  out.member("title", metric.title);
  out.member("unit", metric.unit);
  out.member("higher_is_better", metric.higher_is_better);
  out.member("verdict", name_of(of.outcome));
  out.key("untested");
  if (of.untested.empty())
    out.null();
  else
    out.string(of.untested);
  member_or_null(out, "base", of.base_value);
  member_or_null(out, "candidate", of.other_value);
  member_or_null(out, "ratio", of.ratio);
  member_or_null(out, "low", of.low);
  member_or_null(out, "high", of.high);
  member_or_null(out, "deviation", of.deviation);
  member_or_null(out, "p", of.p);
  member_or_null(out, "p_holm", of.p_holm);
  member_or_null(out, "p_same", of.p_same);
  member_or_null(out, "p_sign_flip", of.p_sign_flip);
  member_or_null(out, "found_80", of.found_80);
  member_or_null(out, "found_90", of.found_90);
  out.key("needed");
  if (of.needed)
    out.integer(*of.needed);
  else
    out.null();
  out.end_object();
}

void write_candidate(ifb::json_writer& out, const comparison_result& all,
                     const candidate_result& of) {
  out.begin_object();
  out.member("name", of.name);
  out.member("conclusion", name_of(of.outcome));
  out.member("text", conclusion_line(all, of));
  out.member("paired", of.paired());
  out.member("descriptive", of.descriptive());
  out.member("blocks", of.blocks);
  out.member("base_runs", of.base_runs);
  out.member("candidate_runs", of.other_runs);
  out.key("metrics");
  out.begin_array();
  for (std::size_t i = 0; i < of.metrics.size(); ++i)
    write_metric(out, all.metrics[i], of.metrics[i]);
  out.end_array();
  out.end_object();
}

}  // namespace

std::string comparison_json(const comparison_result& result) {
  ifb::json_writer out;
  out.begin_object();
  out.member("base", result.base);
  out.member("same_within", result.settings.same_within);
  out.member("error_rate", result.settings.error_rate);
  out.member("same_error_rate", result.settings.same_error_rate);
  out.member("tests", result.tests());
  out.member("gate_status", gate_status(result));
  out.key("candidates");
  out.begin_array();
  for (const candidate_result& candidate : result.candidates)
    write_candidate(out, result, candidate);
  out.end_array();
  out.end_object();
  return out.take();
}

}  // namespace inferbench::comparison
