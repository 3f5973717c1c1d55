#include "check/batch_text.hpp"

#include <fmt/format.h>

#include <inferbench/text.hpp>

#include "check/subject.hpp"

namespace inferbench::check {

namespace {

std::string text_of_measures(const ifb_measure_list& list) {
  std::string out;
  for (const ifb_measure& m : ifb::strided<ifb_measure>(list.first, list.count, list.stride))
    out += fmt::format(" {} {} {} {} {}", ifb::view(m.name), m.value, ifb::view(m.unit), m.began_ns,
                       m.ended_ns);
  return out;
}

}  // namespace

std::string text_of(const ifb_batch_report& report) {
  std::string out = fmt::format("began {} elapsed {}", report.began_ns, report.elapsed_ns);
  for (const ifb_batch_result& r : results_of(report)) {
    out += fmt::format("\nstatus {} \"{}\" prompt {} times {} {} {}", r.status, ifb::view(r.error),
                       r.prompt_tokens, r.arrived_ns, r.first_token_ns, r.last_token_ns);
    out += text_of_measures(r.measures) + " events";
    for (std::size_t i = 0; i < r.token_count; ++i)
      out += fmt::format(" {}", r.token_ns[i]);
    for (const ifb_batch_output& o : outputs_of(r))
      out += fmt::format("\n  output {} {} \"{}\" {}", o.flags, o.tokens, ifb::view(o.text),
                         ifb::view(o.finish_reason));
  }
  return out + text_of_measures(report.measures);
}

std::string text_of(const ifb_loaded_engine& engine) {
  return fmt::format("length {} adapters {} load {} profiler \"{}\" \"{}\" description \"{}\" ",
                     engine.max_model_len, engine.max_adapters, engine.load_ns,
                     ifb::view(engine.profiler), ifb::view(engine.profile_path),
                     ifb::view(engine.description)) +
         text_of_measures(engine.measures);
}

std::string first_failure(const ifb_batch_report& report) {
  std::size_t i = 0;
  for (const ifb_batch_result& each : results_of(report)) {
    if (each.status != IFB_OK)
      return fmt::format("results[{}]: {}: {}", i, name_of_status(each.status),
                         ifb::view(each.error));
    ++i;
  }
  return {};
}

}  // namespace inferbench::check
