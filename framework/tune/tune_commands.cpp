#include "tune/tune_commands.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "tune/result_text.hpp"
#include "tune/upstream.hpp"

namespace inferbench::tune {

namespace {

constexpr const char* this_program = "/proc/self/exe";
constexpr std::string_view folder_mark = "{}";

using word_list = std::vector<std::string>;

void add(word_list& to, const word_list& more) { to.insert(to.end(), more.begin(), more.end()); }

bool names_port(const word_list& command) {
  return std::ranges::any_of(command, [](const std::string& word) {
    return word == "--port" || word == "-p" || word.starts_with("--port=");
  });
}

word_list base_command(const tune_request& request) {
  const word_list port{"--port", std::to_string(request.port)};
  if (!request.serve_command.empty()) {
    word_list out = request.serve_command;
    if (request.port_given || !names_port(out)) add(out, port);
    return out;
  }
  word_list out{"vllm", "serve", request.model};
  add(out, port);
  add(out, {"--load-format", "dummy", "--enable-prefix-caching", "--tensor-parallel-size",
            std::to_string(request.tensor_parallel), "--max-model-len",
            std::to_string(request.max_model_len)});
  if (!request.download_dir.empty()) add(out, {"--download-dir", request.download_dir});
  return out;
}

std::string with_folder(std::string word, const std::string& folder) {
  for (std::size_t at = word.find(folder_mark); at != std::string::npos;
       at = word.find(folder_mark, at + folder.size()))
    word.replace(at, folder_mark.size(), folder);
  return word;
}

/// The flags of the requests, which benchmark and search have in common.
word_list load_words(const tune_request& request, const std::string& address) {
  return {"--backend",
          upstream::backend,
          "--base-url",
          address,
          "--model",
          request.model,
          "--dataset-name",
          upstream::dataset,
          "--random-input-len",
          std::to_string(request.own_len()),
          "--random-prefix-len",
          std::to_string(request.prefix_len()),
          "--random-output-len",
          std::to_string(request.output_len),
          "--ignore-eos",
          "--percentile-metrics",
          "ttft,tpot,itl,e2el",
          "--goodput",
          "e2el:" + number_text(request.limit_ms),
          "--disable-tqdm"};
}

}  // namespace

std::filesystem::path profile_folder(const std::filesystem::path& results) {
  return results / "profile";
}

std::vector<std::string> server_words(const tune_request& request, const server_step& step,
                                      const std::filesystem::path& results) {
  word_list out = base_command(request);
  add(out, {request.seqs_option, std::to_string(step.options.seqs), request.tokens_option,
            std::to_string(step.options.tokens)});
  if (step.memory && !request.memory_option.empty())
    add(out, {request.memory_option, utilization_text(*step.memory)});
  if (step.purpose == server_purpose::profile)
    for (const std::string& word : request.profile_options)
      out.push_back(with_folder(word, profile_folder(results).string()));
  return out;
}

std::vector<std::string> server_variables(const tune_request& request, const server_step& step,
                                          const std::filesystem::path& results) {
  // The reset of the cache is a part of vLLM's development mode.
  word_list out{"VLLM_SERVER_DEV_MODE=1"};
  if (!request.logging_level.empty()) out.push_back("VLLM_LOGGING_LEVEL=" + request.logging_level);
  if (step.purpose == server_purpose::profile)
    out.push_back("VLLM_TORCH_PROFILER_DIR=" + profile_folder(results).string());
  return out;
}

std::string server_log(const server_step& step) {
  switch (step.purpose) {
    case server_purpose::memory_trial:
      return "vllm_log_gpu_memory_utilization_" + utilization_text(step.memory.value_or(0)) +
             ".log";
    case server_purpose::profile: return "vllm_log_BEST_PROFILE.txt";
    case server_purpose::measurement: break;
  }
  return "vllm_log_" + pair_name(step.options) + ".txt";
}

std::string benchmark_stem(const benchmark_step& step) {
  return step.profile ? "bm_log_BEST_PROFILE" : benchmark_log_name(step.options, step.rate);
}

std::vector<std::string> benchmark_words(const tune_request& request, const benchmark_step& step,
                                         const std::string& address,
                                         const std::filesystem::path& results) {
  word_list out{this_program, "serve"};
  add(out, load_words(request, address));
  add(out,
      {"--request-rate", number_text(step.rate), "--num-prompts", std::to_string(step.prompts)});
  if (step.profile) out.emplace_back("--profile");
  add(out, request.bench_options);
  // The last of several values counts, so the result is where it is looked for.
  add(out, {"--journal", "none", "--save-result", "--result-dir", results.string(),
            "--result-filename", benchmark_stem(step) + ".json"});
  return out;
}

std::string search_stem(const search_step& step) {
  return "bm_log_" + pair_name(step.options) + "_find";
}

std::vector<std::string> search_words(const tune_request& request, const search_step& step,
                                      const std::string& address,
                                      const std::filesystem::path& results) {
  word_list out{this_program, "find"};
  add(out, load_words(request, address));
  add(out, request.bench_options);
  add(out, {"--goal", "e2el.p99<=" + number_text(request.limit_ms) + "ms", "--over", "request_rate",
            "--between", number_text(step.low), number_text(step.high)});
  // A verdict needs some thousands of requests, which take long at the low rates of large models.
  add(out, {"--max-time", "30m"});
  add(out, request.find_options);
  add(out, {"--result-dir", results.string(), "--json",
            (results / (search_stem(step) + ".json")).string()});
  return out;
}

std::vector<std::string> report_words(const std::string& journal,
                                      const std::filesystem::path& result) {
  return {this_program,
          "report",
          journal,
          "--reporter",
          upstream::console_reporter,
          "--reporter",
          upstream::result_reporter + ("=" + result.string())};
}

}  // namespace inferbench::tune
