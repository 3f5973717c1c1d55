#include "offline/other_options.hpp"

#include <cmath>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"
#include "options/refusal.hpp"
#include "pytext/python_number.hpp"

namespace inferbench::offline {

namespace {

// The options of the engine, with the defaults of the command in front of them.
engine_options with_defaults(const offline_line& line, const std::string& engine, bool server) {
  if (server || !upstream::has_defaults(upstream::engine_family_of(engine))) return line.engine;
  std::vector<engine_option> all;
  for (const std::string& each : upstream::engine_defaults(line.command)) {
    const std::string_view plain =
        each.starts_with("no-") ? std::string_view(each).substr(3) : std::string_view(each);
    if (!line.engine.has(plain)) all.push_back({each, {}});
  }
  all.insert(all.end(), line.engine.all().begin(), line.engine.all().end());
  return engine_options(std::move(all));
}

template <typename options>
options common_options(const offline_line& line, const offline_values& values,
                       const installed_names& installed) {
  options out;
  const bool server = find_flag(line.command, "base-url") != nullptr && values.given("base-url");
  out.engine = engine_of(line, values, installed);
  if (const std::string* model = line.engine.text("model")) out.model = *model;
  out.output_json = values.text("output-json");
  out.passed_on = with_defaults(line, out.engine, server);
  return out;
}

started_server server_of(const offline_line& line, const offline_values& values) {
  if (values.given("backend"))
    throw options::usage_error("is the engine, but --server-cmd starts a server",
                               "leave out one of them", {"--backend"});
  for (const engine_option& each : line.engine.all())
    if (each.name != "model")
      throw options::usage_error("is not used with --server-cmd",
                                 "write it into the command if it is an option of the server",
                                 {"--" + base::one_line(each.name)});
  started_server out;
  out.command = values.text("server-cmd").value_or(std::string());
  out.url = values.text("server-url");
  out.ready_path = values.text("ready-path");
  if (out.ready_path && !out.ready_path->starts_with('/'))
    throw options::usage_error(
        "must begin with \"/\", not with \"" + base::one_line(out.ready_path->substr(0, 1)) + "\"",
        {}, {"--ready-path"});
  if (values.given("first-token")) out.first_token = values.on("first-token");
  const double timeout_s = values.real("startup-timeout").value_or(out.timeout_s);
  // A time beyond a year is a mistake, and one beyond 584 years does not fit into 64 bits.
  constexpr double longest_timeout_s = 365.0 * 86400;
  if (!(timeout_s > 0 && timeout_s <= longest_timeout_s))
    throw base::error("must be more than 0 and at most a year, not " + base::shortest(timeout_s),
                      {}, {"--startup-timeout"});
  out.timeout_s = timeout_s;
  return out;
}

}  // namespace

latency_options latency_options_of(const offline_line& line, const installed_names& installed) {
  const offline_values values(line);
  auto out = common_options<latency_options>(line, values, installed);
  out.input_len = values.whole("input-len").value_or(out.input_len);
  out.output_len = values.whole("output-len").value_or(out.output_len);
  out.batch_size = values.whole("batch-size").value_or(out.batch_size);
  out.n = values.whole("n").value_or(out.n);
  out.beam_search = values.on("use-beam-search");
  out.warmups = values.whole("num-iters-warmup").value_or(out.warmups);
  out.iterations = values.whole("num-iters").value_or(out.iterations);
  out.profile = values.on("profile");
  out.detokenize = !values.on("disable-detokenize");
  return out;
}

startup_options startup_options_of(const offline_line& line, const installed_names& installed) {
  const offline_values values(line);
  for (const char* const name : {"base-url", "reporter", "journal"})
    if (line.engine.has(name))
      throw options::usage_error("startup does not have this flag",
                                 "--server-cmd measures the starts of a server, and --output-json "
                                 "keeps the result",
                                 {"--" + std::string(name)});
  auto out = common_options<startup_options>(line, values, installed);
  out.cold = values.whole("num-iters-cold").value_or(out.cold);
  out.warmups = values.whole("num-iters-warmup").value_or(out.warmups);
  out.warm = values.whole("num-iters-warm").value_or(out.warm);
  for (const flag_text& each : line.given)
    if (std::string_view(each.flag->name) == "cold-env") out.cold_environment.push_back(each.text);
  if (values.given("server-cmd"))
    out.server = server_of(line, values);
  else
    for (const char* flag : {"server-url", "ready-path", "first-token", "startup-timeout"})
      if (values.given(flag))
        throw options::usage_error("is for servers only",
                                   "give the server's command, too: --server-cmd",
                                   {"--" + std::string(flag)});
  return out;
}

mm_processor_options mm_processor_options_of(const offline_line& line,
                                             const installed_names& installed) {
  const offline_values values(line);
  auto out = common_options<mm_processor_options>(line, values, installed);
  out.data = dataset_options_of(line, installed.datasets);
  out.data.multimodal_chat = true;  // upstream's sampler takes the engine for vllm-chat
  out.percentiles = percentiles_in(values.text("metric-percentiles").value_or(std::string()));
  out.show_progress = !values.on("disable-tqdm");
  if (out.data.family() != upstream::dataset_family::hub) return out;
  if (!out.data.path || out.data.path->empty())
    throw base::error("is required for data sets of the hub", "give the id of the data set",
                      {"--dataset-path"});
  using upstream::hub_family;
  const hub_family family = out.data.hub();
  if (family != hub_family::vision_arena && family != hub_family::multimodal_conversation)
    throw base::error(base::one_line(*out.data.path) + " has no images that are measured here",
                      "use a data set of the families VisionArena or LLaVA-OneVision",
                      {"--dataset-path"});
  return out;
}

std::vector<double> percentiles_in(const std::string& text) {
  std::vector<double> out;
  for (const std::string_view item : base::split(text, ',')) {
    const auto value = pytext::python_float(item);
    if (!value || !(*value >= 0 && *value <= 100))
      throw base::error("\"" + base::one_line(item) + "\" is not a number from 0 to 100",
                        "write numbers with commas, such as 50,90,99", {"--metric-percentiles"});
    out.push_back(*value);
  }
  return out;
}

void require_room(std::int64_t input_len, std::int64_t output_len, std::int64_t max_model_len) {
  if (max_model_len < 0 || input_len <= max_model_len - output_len) return;
  throw base::error("the prompt of " + std::to_string(input_len) + " tokens and the output of " +
                        std::to_string(output_len) + " tokens exceed the engine's " +
                        std::to_string(max_model_len) + " tokens",
                    "use shorter lengths, or raise --max-model-len");
}

}  // namespace inferbench::offline
