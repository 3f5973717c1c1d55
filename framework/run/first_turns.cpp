#include "run/first_turns.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "run/progress.hpp"
#include "run/traffic.hpp"

namespace inferbench::run {

first_answers answer_first_turns(const rehearsal& with, dataset::feed& samples,
                                 const prompts::lora_modules& adapters,
                                 conversation_clients::settings wanted,
                                 const metrics::token_counter& count, std::size_t ahead) {
  wanted.active_each = 1;
  wanted.requests_each.reset();
  wanted.early_stop = false;
  wanted.first_turns_only = true;
  wanted.ids.prefix += "warm-up-";
  const auto clients = static_cast<std::int64_t>(wanted.clients);
  const std::uint64_t all = samples.total();
  with.out.line("Warming up with the first turn of each conversation...");
  samples.start(ahead);
  while (!samples.wait_until_ready(std::chrono::milliseconds(50)))
    with.signals.end_set_up();
  const first_answers none;
  conversation_clients jobs(samples, adapters, with.clock, std::move(wanted), none);
  jobs.start_at(with.clock.now());
  progress_bar bar(with.progress);
  const beside_log_lines beside(with.log, bar);
  const std::uint64_t began = with.clock.now();
  traffic requests(with.clock, with.protocol, jobs, {.max_concurrency = clients});
  requests.start([&jobs](std::size_t, client::record&& r) { jobs.answered(r); },
                 [](std::size_t) {});
  requests.begin();
  wait_for(requests, with, [&](const traffic_counts& now) {
    bar.draw(
        {all, now.finished, now.failed, now.started - now.finished, with.clock.now() - began, 0});
  });
  samples.stop();
  bar.end();
  first_answers out = jobs.take_answers();
  if (count)
    for (auto& [number, answer] : out)
      if (const auto counted = answer.tokens < 0 ? count(answer.text) : std::nullopt)
        answer.tokens = static_cast<std::int64_t>(*counted);
  if (const std::uint64_t failed = requests.counts().failed; failed != 0)
    with.log.warning(fmt::format(
        "{} requests of the warm-up failed; a conversation without an answer begins at its first "
        "turn",
        failed));
  with.out.line("Warmup run completed.");
  return out;
}

}  // namespace inferbench::run
