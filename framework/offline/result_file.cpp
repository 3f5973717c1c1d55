#include "offline/result_file.hpp"

#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "offline/times.hpp"
#include "pytext/python_json.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::offline {

namespace {

using options::node;

constexpr std::string_view pytorch_variable = "SAVE_TO_PYTORCH_BENCHMARK_FORMAT";
constexpr std::string_view mode_key = "compilation_config.mode";
constexpr std::string_view level_key = "optimization_level";
constexpr std::string_view parallel_key = "tensor_parallel_size";

// The member of the metric, otherwise the argument at this path, otherwise "".
node setting_of(const pytorch_source& source, const pytorch_metric& metric, std::string_view key) {
  if (const node* found = metric.extra_info.find(key)) return *found;
  const node* at = &source.args;
  for (const std::string_view part : base::split(key, '.'))
    if (at != nullptr) at = at->find(part);
  return at == nullptr ? node::of(std::string()) : *at;
}

bool mentions_eager(const node* text) {
  return text != nullptr && text->is(node::kind::text) &&
         text->text.find("eager") != std::string::npos;
}

node arguments_with_parallel(const pytorch_source& source, const pytorch_metric& metric) {
  node out = source.args;
  const node* given = out.find(parallel_key);
  const bool missing = given == nullptr || given->is(node::kind::null) ||
                       (given->is(node::kind::integer) && given->integer == 0);
  const node* known = metric.extra_info.find(parallel_key);
  if (missing && known != nullptr) out.set(parallel_key, *known);
  return out;
}

node record_of(const pytorch_source& source, const pytorch_metric& metric) {
  const node mode = setting_of(source, metric, mode_key);
  const bool eager = (mode.is(node::kind::text) && mode.text == "0") ||
                     source.output_json.find("eager") != std::string::npos ||
                     mentions_eager(source.args.find("result_filename"));
  node info = node::table();
  info.set("args", arguments_with_parallel(source, metric));
  info.set(mode_key, mode);
  info.set(level_key, setting_of(source, metric, level_key));
  info.set("use_compile", node::of(!eager));
  node benchmark = node::table();
  benchmark.set("name", node::of(std::string("vLLM benchmark")));
  benchmark.set("extra_info", std::move(info));
  node model = node::table();
  model.set("name", source.model.empty() ? node{} : node::of(source.model));
  node about = node::table();
  about.set("name", node::of(metric.name));
  about.set("benchmark_values", list_of(metric.values));
  about.set("extra_info", metric.extra_info);
  node out = node::table();
  out.set("benchmark", std::move(benchmark));
  out.set("model", std::move(model));
  out.set("metric", std::move(about));
  return out;
}

// Upstream writes "inf" for both signs.
void mend_infinite(node& value) {
  if (value.is(node::kind::real) && std::isinf(value.real)) value = node::of(std::string("inf"));
  for (node& each : value.items)
    mend_infinite(each);
}

}  // namespace

std::string result_text(const node& value, int indent) {
  // The printer with line breaks takes documents of RapidJSON.
  return pytext::python_json(pytext::read_json_document(pytext::python_json(value), "the result"),
                             indent);
}

bool wants_pytorch(const options::environment& env, const std::optional<std::string>& output_json) {
  const std::string* wanted = env.find(pytorch_variable);
  return wanted != nullptr && !wanted->empty() && output_json && !output_json->empty();
}

std::string pytorch_path(std::string_view output_json, std::string_view key) {
  const auto slash = output_json.rfind('/');
  const std::size_t begin = slash == std::string_view::npos ? 0 : slash + 1;
  // Dots at the beginning of a name are no extension.
  const auto name = output_json.find_first_not_of('.', begin);
  const auto dot = output_json.rfind('.');
  const bool extension =
      dot != std::string_view::npos && name != std::string_view::npos && dot > name;
  std::string out(output_json.substr(0, extension ? dot : output_json.size()));
  if (!key.empty()) (out += '.') += key;
  return out + ".pytorch.json";
}

std::string pytorch_text(const pytorch_source& source, std::span<const pytorch_metric> metrics) {
  node out = node::list();
  for (const pytorch_metric& each : metrics)
    out.items.push_back(record_of(source, each));
  mend_infinite(out);
  return pytext::python_json(out);
}

}  // namespace inferbench::offline
