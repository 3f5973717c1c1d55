#include "perf/benchmark_words.hpp"

#include <filesystem>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "options/node.hpp"
#include "perf/command_words.hpp"
#include "perf/json_lines.hpp"
#include "sweep/command.hpp"

namespace inferbench::perf {

namespace {

using options::node;

constexpr const char* own_name = "inferbench";
constexpr const char* own_executable = "/proc/self/exe";

/// The value of an option as a word; `otherwise` if there is none.
std::string word_or(const node& table, std::string_view key, std::string otherwise) {
  const node* const found = option_of(table, key);
  return found == nullptr ? std::move(otherwise) : word_of(*found);
}

/// A number of devices; 1 for a text that is no number, which the server refuses.
std::int64_t device_number(const node& table, std::string_view key) {
  return base::parse_int(word_or(table, key, "1")).value_or(1);
}

std::vector<std::string> bench_words(const run_request& request, std::string_view command) {
  return joined(
      request.bench_command.empty() ? std::vector<std::string>{own_name} : request.bench_command,
      {std::string(command)});
}

/// Facts of the server that the result shall have.
std::vector<std::string> metadata_words(const serving_test& test, bool probe) {
  std::vector<std::string> out{
      "--metadata", "tensor_parallel_size=" + word_or(test.server, "tensor_parallel_size", "1")};
  for (const char* const key : {"compilation_config.mode", "optimization_level"})
    if (const node* const found = option_of(test.server, key); found != nullptr)
      out.push_back(std::string(key) + "=" + word_of(*found));
  if (probe) out.emplace_back("adaptive_search=1");
  return out;
}

std::optional<std::string> why_too_few(const node& parameters, const run_request& request,
                                       const device_set& devices) {
  if (request.remote || devices.count == 0) return std::nullopt;
  const std::int64_t tensor = device_number(parameters, "tensor_parallel_size");
  const std::int64_t needed =
      request.on_cpu ? tensor * device_number(parameters, "pipeline_parallel_size") : tensor;
  if (needed <= static_cast<std::int64_t>(devices.count)) return std::nullopt;
  return "it needs " + std::to_string(needed) + (request.on_cpu ? " NUMA nodes" : " devices") +
         ", and this machine has " + std::to_string(devices.count);
}

/// The filters of a dry run. An empty filter chooses everything.
bool passes(const std::string& filter, std::string_view value) {
  return filter.empty() || filter == value;
}

}  // namespace

std::string test_command::line() const {
  return shell_line(sweep::without_secrets(joined(variables, words)));
}

std::vector<std::string> test_command::executable(bool own_program) const {
  std::vector<std::string> out = words;
  if (own_program && !out.empty() && out.front() == own_name) out.front() = own_executable;
  if (variables.empty()) return out;
  return joined(joined({"env"}, variables), out);
}

std::string point_name(const serving_test& test, const serving_point& at) {
  return test.name + "_qps_" + at.rate + "_concurrency_" + std::to_string(at.concurrency);
}

test_command server_command(const serving_test& test, const run_request& request) {
  return {environment_words(test.server_environment),
          joined(joined(request.serve_command, {test.model}), option_words(test.server))};
}

test_command client_command(const serving_test& test, const serving_point& at,
                            const run_request& request) {
  std::vector<std::string> words =
      joined(bench_words(request, "serve"),
             {"--save-result", "--result-dir", request.result_folder, "--result-filename",
              point_name(test, at) + ".json", "--request-rate", at.rate, "--max-concurrency",
              std::to_string(at.concurrency)});
  node client = test.client;
  if (request.prompts) {
    client = without_option(client, "num_prompts");
    words =
        joined(words, {"--num-prompts", std::to_string(request.prompts->prompts(at.concurrency))});
  }
  words = joined(joined(words, metadata_words(test, at.probe)), option_words(client));
  if (request.remote)
    words = joined(
        words, {"--host", request.remote->host, "--port", std::to_string(request.remote->port)});
  return {{}, std::move(words)};
}

test_command offline_command(test_kind which, const offline_test& test,
                             const run_request& request) {
  const std::filesystem::path file =
      std::filesystem::path(request.result_folder) / (test.name + ".json");
  return {environment_words(test.environment),
          joined(joined(bench_words(request, name_of(which)), {"--output-json", file.string()}),
                 option_words(test.parameters))};
}

std::string serving_record(const serving_test& test, const serving_point& at,
                           const run_request& request, const std::string& gpu_type) {
  node out = node::table();
  out.set("server_command",
          node::of(request.remote ? "Using Remote Server " + request.remote->host + " " +
                                        std::to_string(request.remote->port)
                                  : server_command(test, request).line()));
  out.set("client_command", node::of(client_command(test, at, request).line()));
  out.set("gpu_type", node::of(gpu_type));
  if (at.probe) out.set("adaptive_search", node::of(true));
  return json_lines(out);
}

std::string offline_record(test_kind which, const offline_test& test, const run_request& request,
                           const std::string& gpu_type) {
  node out = node::table();
  out.set(std::string(name_of(which)) + "_command",
          node::of(offline_command(which, test, request).line()));
  out.set("gpu_type", node::of(gpu_type));
  return json_lines(out);
}

std::optional<std::string> why_skipped(const serving_test& test, const run_request& request,
                                       const device_set& devices) {
  if (const std::string client = word_or(test.client, "model", ""); client != test.model)
    return client.empty() ? "the client has no model"
                          : "the server has the model " + test.model +
                                ", and the client has the model " + client;
  return why_too_few(test.server, request, devices);
}

std::optional<std::string> why_skipped(const offline_test& test, const run_request& request,
                                       const device_set& devices) {
  return why_too_few(test.parameters, request, devices);
}

bool chosen(const serving_test& test, const run_request& request) {
  return request.selects(test.name) &&
         (passes(request.model_filter, test.model) ||
          passes(request.model_filter, word_or(test.client, "model", ""))) &&
         passes(request.dtype_filter, word_or(test.server, "dtype", ""));
}

bool chosen(const offline_test& test, const run_request& request) {
  return request.selects(test.name) &&
         passes(request.model_filter, word_or(test.parameters, "model", "")) &&
         passes(request.dtype_filter, word_or(test.parameters, "dtype", ""));
}

}  // namespace inferbench::perf
