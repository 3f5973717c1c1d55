// Runs one batch with an engine in this process, and with the same engine behind the pipe of the
// plugin python-engine; bench/engine_pipe.py calls this program and compares the two.
//
//   engine_pipe REQUESTS TOKENS AT_ONCE PROMPT_TOKENS text|ids
//
// prints a line of JSON: seconds from the call of run to its return, and CPU seconds of all
// processes, of each. AT_ONCE requests run at the same time, so a frame has that many events. The
// plugin starts this program again as its worker, because its option `python` may name any program.
#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/draft/batch_engine.h>

#include "common/arguments.hpp"
#include "common/system.hpp"
#include "engine_pipe_engine.hpp"
#include "engine_pipe_host.hpp"
#include "engine_pipe_worker.hpp"
#include "engines/python-engine/python_plugin.hpp"

namespace inferbench::bench {

namespace {

constexpr std::string_view worker_word = "engine-pipe-worker";

struct pipe_shape {
  std::uint32_t requests = 0;
  std::uint64_t tokens = 0;
  std::uint32_t at_once = 0;
  std::uint32_t prompt_tokens = 0;
  bool ids = false;
};

double cpu_now() {
  timespec t{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

/// The engine without a pipe: it makes the same results, with the times of all tokens.
class direct_engine {
 public:
  explicit direct_engine(std::uint32_t at_once) : at_once_(at_once) {}

  ifb_batch_report run(const ifb_batch& batch) {
    const auto tokens = static_cast<std::uint64_t>(batch.items[0].sample->output_tokens);
    const std::uint32_t requests = batch.item_count;
    stamps_.assign(requests, {});
    results_.assign(requests, {});
    outputs_.assign(requests, {});
    text_ = engine_text(tokens);
    ifb_batch_report out{};
    out.struct_size = sizeof out;
    out.began_ns = now_ns();
    run_engine(requests, tokens, at_once_, [&](std::uint32_t first, std::uint32_t count) {
      const std::uint64_t now = now_ns();
      for (std::uint32_t i = first; i < first + count; ++i)
        stamps_[i].push_back(now);
    });
    out.elapsed_ns = now_ns() - out.began_ns;
    for (std::uint32_t i = 0; i < requests; ++i) {
      outputs_[i] = {sizeof(ifb_batch_output), IFB_BATCH_FINISHED,
                     static_cast<std::int64_t>(tokens), ifb::str(text_), ifb::str("length")};
      ifb_batch_result& to = results_[i];
      to.struct_size = sizeof to;
      to.prompt_tokens = static_cast<std::int64_t>(batch.items[i].sample->prompt.count);
      to.outputs = &outputs_[i];
      to.output_count = 1;
      to.output_stride = sizeof(ifb_batch_output);
      to.first_token_ns = stamps_[i].front();
      to.last_token_ns = stamps_[i].back();
      to.token_ns = stamps_[i].data();
      to.token_count = stamps_[i].size();
    }
    out.results = results_.data();
    out.result_count = requests;
    out.result_stride = sizeof(ifb_batch_result);
    return out;
  }

 private:
  std::uint32_t at_once_;
  std::string text_;
  std::vector<std::vector<std::uint64_t>> stamps_;
  std::vector<ifb_batch_result> results_;
  std::vector<ifb_batch_output> outputs_;
};

struct run_cost {
  double wall_s = 0, cpu_s = 0;
};

/// Calls `run`, whose report must have all tokens.
template <typename call>
run_cost cost_of(const pipe_shape& shape, call&& run) {
  const double cpu = cpu_now();
  const std::uint64_t begin = now_ns();
  const ifb_batch_report report = run();
  run_cost out{static_cast<double>(now_ns() - begin) * 1e-9, cpu_now() - cpu};
  if (report.measures.count != 0) out.cpu_s += report.measures.first[0].value;  // of the worker
  for (std::uint32_t i = 0; i < report.result_count; ++i)
    if (report.results[i].token_count != shape.tokens)
      throw ifb::failure{IFB_E_INTERNAL, "a request has a wrong number of tokens"};
  return out;
}

int compare(const pipe_shape& shape, const std::string& program) {
  const pipe_batch batch(shape.requests, static_cast<std::int64_t>(shape.tokens),
                         shape.prompt_tokens, shape.ids);
  python_engine::engine_options given;
  given.python = program;
  given.adapter = worker_word;
  given.engine.text = "{\"at_once\": " + std::to_string(shape.at_once) + "}";
  for (auto* limit : {&given.start_timeout, &given.load_timeout, &given.silence_timeout,
                      &given.cancel_timeout, &given.stop_timeout})
    *limit = std::chrono::minutes(10);
  ifb_config config{};
  config.struct_size = sizeof config;
  config.file = program.c_str();
  python_engine::python_plugin piped(ifb::host(&pipe_host), given, config);
  static_cast<void>(piped.load());
  direct_engine direct(shape.at_once);
  run_cost with{};
  run_cost without{};
  // The first time of each warms memory and caches.
  for (int i = 0; i < 2; ++i) {
    ifb_arena memory;
    without = cost_of(shape, [&] { return direct.run(batch.get()); });
    with = cost_of(shape, [&] { return piped.run(batch.get(), ifb::arena{&pipe_host, &memory}); });
  }
  std::printf(
      "{\"direct_wall_s\": %.9f, \"direct_cpu_s\": %.9f, \"pipe_wall_s\": %.9f, "
      "\"pipe_cpu_s\": %.9f}\n",
      without.wall_s, without.cpu_s, with.wall_s, with.cpu_s);
  return 0;
}

}  // namespace

}  // namespace inferbench::bench

int main(int count, char** words) {
  using namespace inferbench::bench;
  if (count == 3 && words[2] == worker_word) return serve_engine_pipe();
  pipe_shape shape;
  if (count != 6 || !read_number(words[1], shape.requests) ||
      !read_number(words[2], shape.tokens) || !read_number(words[3], shape.at_once) ||
      !read_number(words[4], shape.prompt_tokens) || shape.requests == 0 || shape.tokens == 0 ||
      shape.at_once == 0 || shape.prompt_tokens == 0) {
    std::fprintf(stderr, "usage: engine_pipe REQUESTS TOKENS AT_ONCE PROMPT_TOKENS text|ids\n");
    return 2;
  }
  shape.ids = std::string_view(words[5]) == "ids";
  try {
    return compare(shape, std::filesystem::canonical("/proc/self/exe").string());
  } catch (const ifb::failure& e) {
    std::fprintf(stderr, "engine_pipe: %s\n", e.what());
    return 1;
  }
}
