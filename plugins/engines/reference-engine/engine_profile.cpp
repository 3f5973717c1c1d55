#include "engine_profile.hpp"

#include <fstream>
#include <string_view>

#include <inferbench/json_writer.hpp>

namespace reference_engine {

namespace {

/// One span of the trace; its times are in microseconds.
void write_span(ifb::json_writer& out, std::string_view name, std::uint32_t slot,
                std::uint64_t begin_ns, std::uint64_t end_ns) {
  out.begin_object();
  out.member("name", name);
  out.member("ph", "X");
  out.member("pid", 1);
  out.member("tid", slot);
  out.member("ts", static_cast<double>(begin_ns) * 1e-3);
  out.member("dur", static_cast<double>(end_ns - begin_ns) * 1e-3);
}

}  // namespace

void engine_profile::require() const {
  if (!exists())
    throw ifb::failure{IFB_E_UNSUPPORTED,
                       "the engine has no profiler without a file for its trace; give "
                       "--reference-engine-profile FILE",
                       "profile"};
}

void engine_profile::start() {
  require();
  if (started_) throw ifb::failure{IFB_E_CONFIG, "a profile has already been started"};
  requests_.clear();
  started_ = true;
}

void engine_profile::stop() {
  require();
  if (!started_) throw ifb::failure{IFB_E_CONFIG, "no profile has been started"};
  started_ = false;
  write();
}

void engine_profile::add(const reference_answer& answer, std::uint64_t began_ns, bool wanted) {
  if (!wanted && !started_) return;
  std::uint32_t number = 0;
  for (const computed_request& each : answer.requests()) {
    const request_times& at = each.times;
    if (at.last != 0 || each.status == IFB_OK)
      requests_.push_back({began_ns + at.start, began_ns + at.first, began_ns + at.last,
                           each.facts.prompt_tokens, each.facts.output_tokens, number, at.slot,
                           each.status != IFB_OK});
    ++number;
  }
  if (!started_) write();
}

void engine_profile::write() {
  ifb::json_writer out;
  out.begin_object();
  out.key("traceEvents");
  out.begin_array();
  for (const traced_request& each : requests_) {
    write_span(out, "request " + std::to_string(each.number), each.slot, each.begin_ns,
               each.end_ns);
    out.key("args");
    out.begin_object();
    out.member("prompt_tokens", each.prompt_tokens);
    out.member("output_tokens", each.output_tokens);
    out.member("failed", each.failed);
    out.end_object();
    out.end_object();
    write_span(out, "prefill", each.slot, each.begin_ns, each.first_ns);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  requests_.clear();
  std::ofstream to(file_, std::ios::binary | std::ios::trunc);
  const std::string text = out.take();
  to.write(text.data(), static_cast<std::streamsize>(text.size()));
  to.close();
  if (!to)
    throw ifb::failure{IFB_E_IO, "cannot write the trace of the profiler to " + file_, "profile"};
}

}  // namespace reference_engine
