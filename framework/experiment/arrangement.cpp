#include "experiment/arrangement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include <inferbench/json_writer.hpp>

#include "base/text.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::experiment {

namespace {

using options::node;

struct known_parameter {
  std::string_view key;
  const char* unit;
  const char* title;
};

/// By the last part of the key, with "_" for "-".
constexpr std::array known_parameters{
    known_parameter{"max_concurrency", "request", "Maximum request concurrency"},
    known_parameter{"request_rate", "request/s", "Request rate"},
    known_parameter{"burstiness", "1", "Burstiness"},
    known_parameter{"num_prompts", "request", "Number of requests"},
    known_parameter{"input_len", "token", "Input length"},
    known_parameter{"output_len", "token", "Output length"},
    known_parameter{"random_input_len", "token", "Input length"},
    known_parameter{"random_output_len", "token", "Output length"},
    known_parameter{"max_num_seqs", "request", "Maximum number of sequences"},
    known_parameter{"max_num_batched_tokens", "token", "Maximum number of batched tokens"},
    known_parameter{"max_model_len", "token", "Maximum model length"},
};

std::string plain_key(std::string_view key) {
  std::string out(key.substr(key.rfind('.') + 1));
  std::ranges::replace(out, '-', '_');
  return out;
}

/// The last part of load.max-concurrency has the name that the result of a benchmark uses.
bool has_result_name(std::string_view plain) {
  return plain == "max_concurrency" || plain == "request_rate";
}

bool is_number(const node& value) {
  using enum node::kind;
  return value.is(integer) || value.is(real) || value.is(big);
}

/// A request rate without a limit: "inf" in parameter files.
bool is_unlimited(const node& value) {
  return (value.is(node::kind::text) && value.text == "inf") ||
         (value.is(node::kind::real) && !std::isfinite(value.real));
}

const node* value_at(const swept_point& of, const swept_parameter& axis) {
  return (axis.of_server ? of.serve : of.bench).find(axis.key);
}

class arranger {
 public:
  explicit arranger(std::span<const finished_run> runs) {
    std::map<std::string, std::size_t> seen;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const std::string key = pytext::python_repr(runs[i].serve.table()) + '\n' +
                              pytext::python_repr(runs[i].bench.table());
      const auto [at, is_new] = seen.try_emplace(key, out_.points.size());
      if (is_new) out_.points.push_back({runs[i].serve, runs[i].bench, {}, {}, {}});
      out_.points[at->second].runs.push_back(i);
      out_.point_of.push_back(at->second);
    }
  }

  arrangement arrange(std::span<const finished_run> runs) {
    for (const bool of_server : {true, false})
      add_parameters(of_server);
    set_values();
    if (!told_apart()) {
      for (const bool of_server : {true, false})
        add(of_server, std::string(sweep::name_key));
      set_values();
    }
    set_labels();
    label_runs(runs);
    return std::move(out_);
  }

 private:
  void add_parameters(bool of_server) {
    std::vector<std::string> keys;
    for (const swept_point& point : out_.points)
      for (const std::string& key : (of_server ? point.serve : point.bench).table().names)
        if (key != sweep::name_key && std::ranges::find(keys, key) == keys.end())
          keys.push_back(key);
    for (const std::string& key : keys)
      add(of_server, key);
  }

  /// Adds the axis if its values differ.
  void add(bool of_server, const std::string& key) {
    swept_parameter axis{key, "1", key, true, of_server, key};
    std::set<std::string> values;
    bool some = false;
    for (const swept_point& point : out_.points) {
      const node* value = value_at(point, axis);
      values.insert(value == nullptr ? std::string() : pytext::python_repr(*value));
      if (value == nullptr || is_unlimited(*value)) continue;
      axis.numeric = axis.numeric && is_number(*value);
      some = true;
    }
    if (values.size() < 2) return;
    axis.numeric = axis.numeric && some;
    const std::string plain = plain_key(key);
    const auto known = std::ranges::find(known_parameters, plain, &known_parameter::key);
    if (known != known_parameters.end()) {
      axis.unit = known->unit;
      axis.title = known->title;
    }
    if (key == sweep::name_key) axis.title = of_server ? "Server" : "Benchmark";
    if (has_result_name(plain) && !is_taken(plain)) axis.name = plain;
    if (is_taken(axis.name)) axis.name = (of_server ? "serve." : "bench.") + axis.name;
    out_.axes.push_back(std::move(axis));
  }

  [[nodiscard]] bool is_taken(const std::string& name) const {
    return std::ranges::find(out_.axes, name, &swept_parameter::name) != out_.axes.end();
  }

  void set_values() {
    for (swept_point& point : out_.points) {
      point.axes.clear();
      for (const swept_parameter& axis : out_.axes) {
        const node* value = value_at(point, axis);
        if (value == nullptr || (axis.numeric && is_unlimited(*value))) continue;
        point.axes.emplace_back(axis.name, parameter_json(*value));
      }
    }
  }

  [[nodiscard]] bool told_apart() const {
    std::set<std::vector<std::pair<std::string, std::string>>> values;
    return std::ranges::all_of(out_.points,
                               [&](const auto& point) { return values.insert(point.axes).second; });
  }

  void set_labels() {
    std::set<std::string> used;
    bool unique = true;
    for (swept_point& point : out_.points) {
      point.label = joined(short_label(point, true), short_label(point, false));
      unique = used.insert(point.label).second && unique;
    }
    if (unique) return;
    for (swept_point& point : out_.points)
      point.label = joined(whole_label(point.serve), whole_label(point.bench));
  }

  /// The name of the combination, otherwise its parameters that are axes.
  [[nodiscard]] std::string short_label(const swept_point& of, bool of_server) const {
    const sweep::item& from = of_server ? of.serve : of.bench;
    const bool differs = std::ranges::any_of(out_.points, [&](const swept_point& other) {
      return (of_server ? other.serve : other.bench).name() != from.name();
    });
    if (!differs) return {};
    if (from.find(sweep::name_key) != nullptr) return base::one_line(from.name());
    std::string out;
    for (const swept_parameter& axis : out_.axes)
      if (axis.of_server == of_server)
        if (const node* value = from.find(axis.key))
          out = joined(out, base::one_line(axis.name + "=" + pytext::python_text(*value)));
    return out;
  }

  static std::string whole_label(const sweep::item& of) {
    const std::string name = of.find(sweep::name_key) == nullptr ? "" : of.name();
    return base::one_line(joined(name, of.text()));
  }

  static std::string joined(const std::string& a, const std::string& b) {
    return a.empty() || b.empty() ? a + b : a + ", " + b;
  }

  void label_runs(std::span<const finished_run> runs) {
    std::set<std::string> used;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const swept_point& point = out_.points[out_.point_of[i]];
      std::string label = point.label;
      if (point.runs.size() > 1 || label.empty())
        label = joined(label, "run=" + std::to_string(runs[i].run_number));
      const std::string bare = label;
      for (int n = 2; !used.insert(label).second; ++n)
        label = bare + " (" + std::to_string(n) + ")";
      out_.labels.push_back(std::move(label));
    }
  }

  arrangement out_;
};

}  // namespace

arrangement arranged(std::span<const finished_run> runs) { return arranger(runs).arrange(runs); }

std::string parameter_json(const node& value) {
  return options::to_json(value, options::non_finite::written);
}

std::string parameter_json(const sweep::item& of) { return parameter_json(of.table()); }

}  // namespace inferbench::experiment
