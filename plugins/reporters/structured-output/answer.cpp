#include "answer.hpp"

#include <charconv>
#include <string_view>
#include <system_error>

#include <inferbench/draft/scorer.h>
#include <inferbench/json_writer.hpp>
#include <inferbench/views.hpp>

namespace structured_output {

answer answer_of(const ifb_record& record, std::uint64_t started_ns) {
  answer out;
  out.row = reporters::row_of(record, false, true, started_ns);
  for (const ifb_field& each : ifb::attributes_of(record)) {
    const std::string_view name = ifb::view(each.name);
    const std::string_view value = ifb::view(each.value);
    if (name == "expected") {
      out.expected = value;
    } else if (name == IFB_SCORE_ATTRIBUTE) {
      double score = 0;
      const auto read = std::from_chars(value.data(), value.data() + value.size(), score);
      if (read.ec == std::errc() && score >= 0 && score <= 1) out.score = score;
    } else if (name == "structured.schema") {
      out.schema = value;
    } else if (name == "structured.constrained") {
      out.constrained = value == "true";
    }
  }
  return out;
}

std::optional<double> correct_rate(const std::deque<answer>& all) {
  double sum = 0;
  double count = 0;
  for (const answer& each : all) {
    if (!each.score) continue;
    sum += *each.score;
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count * 100;
}

void append_output(std::string& out, const answer& of, bool details) {
  constexpr std::string_view next = ",\n            ";
  out += "{\n            \"generated\": ";
  ifb::append_json_string(out, of.row.more->text);
  out.append(next).append("\"expected\": ");
  if (of.expected)
    ifb::append_json_string(out, *of.expected);
  else
    out += "null";
  out.append(next).append("\"correctness\": ");
  if (!of.score)
    out += "null";
  else if (*of.score == 0 || *of.score == 1)
    out += *of.score == 1 ? "true" : "false";
  else
    ifb::append_python_float(out, *of.score);
  if (details) {
    out.append(next).append("\"schema\": ");
    ifb::append_json_string(out, of.schema);
    out.append(next).append("\"structured\": ").append(of.constrained ? "true" : "false");
  }
  out += "\n        }";
}

double time_per_token(const answer& of) {
  const reporters::detail& more = *of.row.more;
  if (!more.error.empty() || more.output <= 1) return 0;
  return (static_cast<double>(of.row.latency_ns) - static_cast<double>(more.ttft_ns)) / 1e9 /
         static_cast<double>(more.output - 1);
}

}  // namespace structured_output
