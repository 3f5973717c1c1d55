#include "batch/batch_executor.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::batch {

void require_profiler(const engine_facts& engine) {
  if (!engine.profiler.empty()) return;
  throw base::error("the engine has no profiler",
                    "switch it on with an option of the engine, such as "
                    "--profiler-config.profiler torch, or leave out --profile",
                    {"--profile"});
}

ifb_sampling full_length_sampling(std::int64_t n, std::int64_t max_tokens) {
  constexpr std::int64_t most_outputs = 65535;  // of a sample, in the frames of workers
  if (n > most_outputs)
    throw base::error("more than 65535 outputs of a prompt are not possible", {}, {"--n"});
  ifb_sampling out{};
  out.struct_size = sizeof out;
  out.flags = IFB_SAMPLING_IGNORE_EOS;
  out.n = static_cast<std::uint32_t>(n);
  out.beam_width = out.n;
  out.temperature = out.top_p = 1;
  out.max_tokens = max_tokens;
  return out;
}

ifb_sampling greedy_sampling(std::int64_t max_tokens) {
  ifb_sampling out{};
  out.struct_size = sizeof out;
  out.n = out.beam_width = 1;
  out.top_p = 1;
  out.max_tokens = max_tokens;
  return out;
}

void require_complete(const batch_outcome& of, const char* if_unsupported) {
  for (const batch_answer& each : of.answers)
    if (!each.record.ok())
      throw base::error("a request of the batch failed: " + base::one_line(each.record.error),
                        each.record.status == IFB_E_UNSUPPORTED ? if_unsupported : "");
}

}  // namespace inferbench::batch
