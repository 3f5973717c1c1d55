#include "offline/throughput_options.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/units.hpp"

namespace inferbench::offline {

namespace {

using upstream::dataset_family;
using upstream::engine_family;
using upstream::hub_family;

[[noreturn]] void refuse_option(const char* flag, std::string message, std::string remedy = {}) {
  throw base::error(std::move(message), std::move(remedy), {flag});
}

/// The numbers of --energy-gpu-ids, such as "0,1".
std::vector<unsigned> gpu_ids_of(const std::string& text) {
  constexpr std::int64_t most = 4096;
  std::vector<unsigned> out;
  for (const std::string_view each : base::split(text, ',')) {
    const std::string word(base::trim(each));
    const auto id = base::parse_whole(word);
    if (!id || *id < 0 || *id > most)
      refuse_option("--energy-gpu-ids",
                    "\"" + base::one_line(word) + "\" is not the number of a GPU",
                    "write numbers with commas between, such as 0,1");
    const auto gpu = static_cast<unsigned>(*id);
    if (std::ranges::find(out, gpu) != out.end())
      refuse_option("--energy-gpu-ids", "GPU " + word + " is named twice", "name each GPU once");
    out.push_back(gpu);
  }
  return out;
}

bool is_text_vllm(engine_family family) {
  return family == engine_family::vllm || family == engine_family::vllm_async;
}

/// The checks, in order. Each changes the options as upstream does.
class throughput_checks {
 public:
  throughput_checks(throughput_options& into, const offline_values& values)
      : to_(into), values_(values) {}

  void check() {
    replace_old_path();
    check_scheduling();
    fall_back_to_random();
    check_hub();
    warn_of_ignored();
    check_adapters();
    check_engine();
    check_data_parallel();
  }

 private:
  void warn(std::string line) { to_.warnings.push_back(std::move(line)); }

  void replace_old_path() {
    if (!values_.given("dataset")) return;
    to_.data.path = values_.text("dataset");
    warn("--dataset is deprecated; use --dataset-path");
  }

  void check_scheduling() {
    const bool async = values_.on("async-engine");
    if (async && to_.family() == engine_family::vllm)
      to_.engine = upstream::name_of(engine_family::vllm_async);
    if (!to_.prequeue) return;
    const engine_family family = to_.family();
    if (async || family == engine_family::vllm_async)
      refuse_option("--prequeue-requests", "cannot be used with the asynchronous engine",
                    "leave out one of the two");
    if (family != engine_family::vllm && !to_.chat() && family != engine_family::other)
      refuse_option(
          "--prequeue-requests",
          "needs a scheduler that can be paused, which the engine " + to_.engine + " does not have",
          "use vllm or vllm-chat");
  }

  void fall_back_to_random() {
    if (to_.data.path && !to_.data.path->empty()) return;
    to_.data.path.reset();
    // Data sets of others may have their data with them.
    const bool known = to_.data.family() != dataset_family::other || is_upstreams();
    if (!known || upstream::needs_no_path(to_.data.name)) return;
    warn("--dataset-path is not given: the prompts are " +
         std::string(upstream::fallback_dataset()) + ", not of the data set " + to_.data.name);
    to_.data.name = upstream::fallback_dataset();
  }

  bool is_upstreams() const {
    for (const std::string& each : upstream::datasets(benchmark::throughput))
      if (each == to_.data.name) return true;
    return false;
  }

  void check_hub() {
    if (to_.data.family() != dataset_family::hub) {
      if (to_.data.subset || to_.data.split)
        warn("--hf-subset and --hf-split are ignored: they are for data sets of the hub" +
             std::string(" (--dataset-name hf)"));
      to_.data.subset.reset();
      to_.data.split.reset();
      return;
    }
    if (to_.family() == engine_family::other) return;
    const hub_family family = to_.data.hub();
    const std::string shown = to_.data.path.value_or(std::string());
    if (upstream::needs_chat(family) && !to_.chat())
      refuse_option("--dataset-path", shown + " has conversations, which need the engine vllm-chat",
                    "add --backend vllm-chat");
    if (upstream::needs_text(family) && !is_text_vllm(to_.family()))
      refuse_option("--dataset-path", shown + " has texts, which need the engine vllm",
                    "add --backend vllm");
  }

  void warn_of_ignored() {
    const dataset_family family = to_.data.family();
    const bool random = upstream::is_random(family);
    if (values_.given("random-range-ratio") && !random)
      warn("--random-range-ratio is ignored: the data set is not random");
    if (family != dataset_family::random_rerank) {
      if (to_.data.batch_size != 1)
        warn("--random-batch-size is ignored: the data set is not random-rerank");
      if (to_.data.no_reranker) warn("--no-reranker is ignored: the data set is not random-rerank");
    }
    const bool prefix = family == dataset_family::random || family == dataset_family::random_mm ||
                        family == dataset_family::sonnet;
    if (values_.given("prefix-len") && !prefix)
      warn("--prefix-len is ignored: the data set is not random, random-mm or sonnet");
    if (values_.given("random-prefix-len") && !random)
      warn("--random-prefix-len is ignored: the data set is not random");
    if (!random) return;
    for (const char* name : {"input-len", "output-len", "prefix-len"}) {
      const std::string own = "random-" + std::string(name);
      if (values_.given(name) && values_.given(own))
        warn("--" + std::string(name) + " is ignored: --" + own + " is given, too");
    }
  }

  void check_adapters() {
    if (!to_.lora && !to_.lora_path.empty())
      warn("--lora-path is ignored: --enable-lora is not given");
    if (!to_.lora) return;
    if (!is_text_vllm(to_.family()) && to_.family() != engine_family::other)
      refuse_option("--enable-lora",
                    "needs the engine vllm; the engine " + to_.engine + " has no adapters");
    if (to_.lora_path.empty())
      refuse_option("--enable-lora", "needs an adapter", "add --lora-path PATH");
  }

  void check_engine() {
    const engine_family family = to_.family();
    const bool quantized = to_.passed_on.text("quantization") != nullptr;
    if (family == engine_family::transformers) {
      if (!to_.hf_max_batch_size)
        refuse_option("--backend", "the engine hf needs the size of its largest batch",
                      "add --hf-max-batch-size N");
    } else if (to_.hf_max_batch_size) {
      refuse_option("--hf-max-batch-size", "is for the engine hf only");
    }
    const bool hub_or_mii = family == engine_family::transformers || family == engine_family::mii;
    if (hub_or_mii && quantized) refuse_option("--quantization", "is for the engine vllm only");
    if (family != engine_family::mii) return;
    const std::string* dtype = to_.passed_on.text("dtype");
    if (dtype != nullptr && *dtype != "auto")
      refuse_option("--dtype", "must be auto for the engine mii");
    if (to_.n != 1) refuse_option("--n", "must be 1 for the engine mii");
    if (to_.tokenizer != to_.model)
      refuse_option("--tokenizer", "must be the model for the engine mii");
  }

  void check_data_parallel() {
    if (to_.data_parallel_size <= 1) return;
    const std::string* launcher = to_.passed_on.text("distributed-executor-backend");
    if (launcher == nullptr || *launcher != "external_launcher")
      refuse_option("--data-parallel-size",
                    "more than 1 needs processes that a launcher has started",
                    "start the command with such a launcher and add "
                    "--distributed-executor-backend external_launcher");
    if (to_.async() || values_.on("async-engine"))
      refuse_option("--data-parallel-size",
                    "more than 1 cannot be used with the asynchronous engine");
  }

  throughput_options& to_;
  const offline_values& values_;
};

}  // namespace

std::string engine_of(const offline_line& line, const offline_values& values,
                      const installed_names& installed) {
  const bool server = find_flag(line.command, "base-url") != nullptr && values.given("base-url");
  if (server && !values.given("backend"))
    return std::string(upstream::server_backend(line.command));
  return values.choice("backend", upstream::backends(line.command), installed.engines);
}

throughput_options throughput_options_of(const offline_line& line,
                                         const installed_names& installed) {
  const offline_values values(line);
  throughput_options out;
  out.server = values.given("base-url");
  out.engine = engine_of(line, values, installed);
  out.async_engine = values.on("async-engine");
  out.data = dataset_options_of(line, installed.datasets);
  out.passed_on = line.engine;
  if (const std::string* model = line.engine.text("model")) out.model = *model;
  out.tokenizer = out.data.tokenizer.value_or(out.model);
  out.n = values.whole("n").value_or(1);
  out.hf_max_batch_size = values.whole("hf-max-batch-size");
  out.hf_torch_compile = values.on("hf-enable-torch-compile");
  out.prequeue = values.on("prequeue-requests");
  out.detokenize = !values.on("disable-detokenize");
  out.profile = values.on("profile");
  out.lora = line.engine.toggle("enable-lora").value_or(false);
  out.lora_path = values.text("lora-path").value_or(std::string());
  out.max_loras = line.engine.whole("max-loras").value_or(1);
  static const std::string assignments[] = {"random", "round-robin"};
  out.lora_round_robin = values.choice("lora-assignment", assignments) == assignments[1];
  out.data_parallel_size = line.engine.whole("data-parallel-size").value_or(1);
  out.output_json = values.text("output-json");
  if (const auto ids = values.text("energy-gpu-ids")) out.energy_gpu_ids = gpu_ids_of(*ids);
  throughput_checks(out, values).check();
  constexpr std::int64_t most_loras = 1'000'000;  // the number of an adapter has 32 bits
  if (out.max_loras < 1 || out.max_loras > most_loras)
    refuse_option("--max-loras", "must be from 1 to " + std::to_string(most_loras));
  if (out.data.tokenizer_mode == "auto")
    if (const auto mode = upstream::auto_tokenizer_mode(out.family()); !mode.empty())
      out.data.tokenizer_mode = mode;
  return out;
}

void require_engine(const throughput_options& options) {
  if (!options.has_removed_engine()) return;
  throw base::error("Unknown backend: " + options.engine,
                    options.family() == engine_family::mii
                        ? "upstream has removed this engine; use another one"
                        : "upstream's script has this name and no code for it; use another engine",
                    {"--backend"});
}

}  // namespace inferbench::offline
