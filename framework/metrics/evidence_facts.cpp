// What the evidence of a run tells its user.
#include <algorithm>

#include <fmt/format.h>

#include <inferbench/json_writer.hpp>

#include "metrics/evidence.hpp"

namespace inferbench::metrics {

std::vector<std::string> unreachable_goals(const context& run, definitions figures) {
  std::vector<std::string> out;
  for (const std::string& text : run.thresholds) {
    const goal asked = parse_goal(text, figures);
    if (!std::holds_alternative<of_context>(asked.figure->how) &&
        asked.figure->in(run) == standing::absent)
      out.push_back(
          fmt::format("the goal {} will fail: {}", text, missing_text(asked.figure->name)));
  }
  return out;
}

void evidence::write_certainty(ifb::json_writer& out) const {
  const auto number_or_null = [&](const char* key, const std::optional<double>& value) {
    out.key(key);
    if (value)
      out.number(*value);
    else
      out.null();
  };
  out.begin_object();
  out.member("confidence", confidence::level);
  if (kept_ == nullptr) out.member("reason", no_order);
  out.key("figures");
  out.begin_object();
  for (const certainty& figure : figures_) {
    out.key(figure.name);
    out.begin_object();
    out.key("count");
    out.integer(figure.count);
    number_or_null("effective_count", figure.effective_count);
    out.key("percentiles");
    out.begin_array();
    std::vector<double> written;  // the user may have requested a percentile twice
    for (const bound& one : figure.bounds) {
      if (std::ranges::find(written, one.percentile) != written.end()) continue;
      written.push_back(one.percentile);
      out.begin_object();
      out.member("percentile", one.percentile);
      number_or_null("effective_count", one.effective_count);
      number_or_null("bound", one.value);
      out.end_object();
    }
    out.end_array();
    out.end_object();
  }
  out.end_object();
  out.end_object();
}

}  // namespace inferbench::metrics
