#include "result_file.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <inferbench/json_writer.hpp>

#include "reporters/common/description.hpp"
#include "reporters/common/document.hpp"
#include "reporters/common/result.hpp"
#include "reporters/common/rows.hpp"

namespace structured_output {

namespace {

class indented_writer {
 public:
  explicit indented_writer(const std::function<void(std::string_view)>& out) : out_(out) {}

  /// Begins a member: returns the text to which its value is appended.
  std::string& member(std::string_view name) {
    text_ += std::exchange(separator_, ",\n    ");
    ifb::append_json_string(text_, name);
    text_ += ": ";
    return text_;
  }

  /// An array with an element in each line; `element(i, text)` appends one.
  template <typename appender>
  void array(std::string_view name, std::size_t count, appender&& element) {
    member(name);
    if (count == 0) {
      text_ += "[]";
      return;
    }
    for (std::size_t i = 0; i < count; ++i) {
      text_ += i == 0 ? "[\n        " : ",\n        ";
      element(i, text_);
      flush(piece);
    }
    text_ += "\n    ]";
  }

  void end() {
    text_ += "\n}";
    flush(0);
  }

 private:
  static constexpr std::size_t piece = std::size_t{64} << 10U;

  void flush(std::size_t from) {
    if (text_.size() < from) return;
    out_(text_);
    text_.clear();
  }

  const std::function<void(std::string_view)>& out_;
  std::string text_;
  const char* separator_ = "{\n    ";
};

/// Appends the object that json.dumps(Series.describe().to_dict(), indent=4) writes at the second
/// level of a file: NaN is a number, as in Python.
void append_description(std::string& out, std::vector<double> values) {
  static constexpr std::array<double, 3> shares{0.25, 0.5, 0.75};
  const reporters::description of = reporters::describe(std::move(values), shares);
  const std::array<std::pair<const char*, double>, 8> members{{{"count", of.count},
                                                               {"mean", of.mean},
                                                               {"std", of.deviation},
                                                               {"min", of.minimum},
                                                               {"25%", of.percentiles[0]},
                                                               {"50%", of.percentiles[1]},
                                                               {"75%", of.percentiles[2]},
                                                               {"max", of.maximum}}};
  const char* separator = "{\n        \"";
  for (const auto& [name, value] : members) {
    out.append(std::exchange(separator, ",\n        \"")).append(name).append("\": ");
    if (std::isnan(value))
      out += "NaN";
    else
      ifb::append_python_float(out, value);
  }
  out += "\n    }";
}

void append_gaps(std::string& out, const reporters::gaps& of) {
  bool first = true;
  of.for_each([&](std::uint64_t gap) {
    out += first ? "[\n            " : ",\n            ";
    first = false;
    reporters::append_seconds(out, gap);
  });
  out += first ? "[]" : "\n        ]";
}

/// Whether a member of the result of serve is a statistic of a selected figure: "mean_ttft_ms",
/// "p99_ttft_ms".
bool is_statistic(std::string_view name, const reporters::figures& found) {
  for (const ifb_metric& each : found.all()) {
    if (!reporters::selected(each)) continue;
    const std::string end = std::string("_") + each.name + "_ms";
    if (!name.ends_with(end)) continue;
    const std::string_view statistic = name.substr(0, name.size() - end.size());
    if (statistic == "mean" || statistic == "median" || statistic == "std" ||
        (statistic.size() > 1 && statistic[0] == 'p' && statistic[1] >= '0' && statistic[1] <= '9'))
      return true;
  }
  return false;
}

}  // namespace

void write_result(const result& of, const std::function<void(std::string_view)>& out) {
  // The members that serve's result has, too.
  reporters::document serve;
  const reporters::fields none;
  reporters::add_upstream(serve, {of.run, none, {}, of.found, of.facts});

  indented_writer file(out);
  const std::vector<const answer*>& all = of.answers;
  const auto copy = [&](const char* name) {
    const std::string_view json = serve.json(name);
    file.member(name) += json.empty() ? std::string_view("null") : json;
  };
  const auto detail = [&](std::size_t i) -> const reporters::detail& { return *all[i]->row.more; };

  file.array("outputs", all.size(),
             [&](std::size_t i, std::string& to) { append_output(to, *all[i], of.details); });
  for (const char* const name : {"backend", "model_id", "tokenizer_id", "num_prompts",
                                 "request_rate", "burstiness", "max_concurrency"})
    copy(name);
  std::string& rate = file.member("correct_rate(%)");
  if (of.rate)
    ifb::append_python_float(rate, *of.rate);
  else
    rate += "null";
  for (const char* const name :
       {"duration", "completed", "total_input_tokens", "total_output_tokens", "request_throughput",
        "output_throughput", "total_token_throughput"})
    copy(name);
  std::vector<double> first;
  std::vector<double> each;
  for (const answer* one : all) {
    first.push_back(static_cast<double>(one->row.more->ttft_ns) / 1e9);
    each.push_back(time_per_token(*one));
  }
  append_description(file.member("ttft_description"), std::move(first));
  append_description(file.member("tpot_description"), std::move(each));
  file.array("input_lens", all.size(),
             [&](std::size_t i, std::string& to) { to += std::to_string(detail(i).input); });
  file.array("output_lens", all.size(),
             [&](std::size_t i, std::string& to) { to += std::to_string(detail(i).output); });
  file.array("ttfts", all.size(), [&](std::size_t i, std::string& to) {
    reporters::append_seconds(to, detail(i).ttft_ns);
  });
  file.array("itls", all.size(),
             [&](std::size_t i, std::string& to) { append_gaps(to, detail(i).itl); });
  file.array("errors", all.size(),
             [&](std::size_t i, std::string& to) { ifb::append_json_string(to, detail(i).error); });
  serve.for_each([&](std::string_view name, std::string_view json) {
    if (is_statistic(name, of.found)) file.member(name) += json;
  });
  file.end();
}

}  // namespace structured_output
