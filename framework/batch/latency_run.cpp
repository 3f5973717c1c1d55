#include "batch/latency_run.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace inferbench::batch {

namespace {

constexpr const char* without_ids = "prompts are token ids; give --tokenizer, and they are texts";

/// Runs `count` iterations and gives each outcome to `take`.
template <typename taker>
void iterate(const char* label, std::int64_t count, const batch_order& order,
             batch_executor& engine, const bench_console& console, taker&& take) {
  const auto all = static_cast<std::size_t>(count);
  console.progress(label, 0, all);
  for (std::size_t i = 0; i < all; ++i) {
    batch_outcome one = engine.run(order);
    require_complete(one, without_ids);
    take(std::move(one));
    console.progress(label, i + 1, all);
    console.end_if_stopped();
  }
}

}  // namespace

latency_outcome measure_latency(const offline::latency_options& options,
                                std::span<const ifb_batch_item> batch, batch_executor& engine,
                                const engine_facts& facts, const bench_console& console) {
  offline::require_room(options.input_len, options.output_len, facts.max_model_len);
  if (options.profile) require_profiler(facts);
  batch_order order;
  order.items = batch;
  order.mode = options.beam_search ? IFB_BATCH_BEAM_SEARCH : IFB_BATCH_GENERATE;
  if (!options.detokenize) order.flags |= IFB_BATCH_NO_TEXT;
  order.sampling = full_length_sampling(options.n, options.output_len);
  console.out.write("Warming up...\n");
  console.out.flush();
  iterate("Warmup iterations", options.warmups, order, engine, console, [](batch_outcome&&) {});
  latency_outcome out;
  if (options.profile) {
    console.out.write(facts.profile_path.empty()
                          ? fmt::format("Profiling with {}...\n", facts.profiler)
                          : fmt::format("Profiling with {} (results will be saved to '{}')...\n",
                                        facts.profiler, facts.profile_path));
    console.out.flush();
    order.flags |= IFB_BATCH_PROFILE;
    require_complete(engine.run(order), without_ids);
    return out;
  }
  if (console.keeps_requests) order.flags |= IFB_BATCH_STAMPS;
  order.keep_texts = console.keeps_requests;
  out.result.emplace();
  out.result->model = options.model;
  iterate("Bench iterations", options.iterations, order, engine, console, [&](batch_outcome&& one) {
    out.result->latencies_s.push_back(static_cast<double>(one.elapsed_ns) / 1e9);
    if (out.all.answers.empty()) out.all.began_ns = one.began_ns;
    out.all.detail = std::min(out.all.detail, one.detail);
    out.all.elapsed_ns = one.began_ns + one.elapsed_ns - out.all.began_ns;
    for (batch_answer& each : one.answers)
      each.record.sequence = out.all.answers.size() + each.record.sequence;
    std::ranges::move(one.answers, std::back_inserter(out.all.answers));
  });
  return out;
}

}  // namespace inferbench::batch
