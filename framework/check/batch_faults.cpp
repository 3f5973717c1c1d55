#include "check/batch_faults.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <inferbench/text.hpp>

#include "base/clock.hpp"
#include "check/batch_inspection.hpp"
#include "check/batch_text.hpp"
#include "plugin/status.hpp"

namespace inferbench::check {

namespace {

// Times that an engine converts from a clock of its own, in seconds, are rounded.
constexpr std::uint64_t rounding_ns = base::ns_per_ms;

// The error that a time may have. The inspection of load warns of a larger bound.
std::uint64_t slack_of(std::uint64_t bound_ns) {
  return std::min(bound_ns, base::ns_per_s) + rounding_ns;
}

std::string in_seconds(std::uint64_t ns) {
  return fmt::format("{:.6f} s", static_cast<double>(ns) / 1e9);
}

// The time by which `at` misses the range; 0 if it lies within.
std::uint64_t missed(std::uint64_t at, std::uint64_t first, std::uint64_t last,
                     std::uint64_t slack) {
  if (at + slack < first) return first - at;
  return at > last + slack ? at - last : 0;
}

class report_inspection : public batch_inspection {
 public:
  report_inspection(const ifb_batch_report& report, const wanted_batch& wanted, std::uint64_t bound)
      : report_(report), wanted_(wanted), slack_(slack_of(bound)) {}

  // Times of results can be judged only by a sound section.
  void section(const call_times& run) {
    has_section_ = false;
    if (report_.began_ns == 0)
      return fail("began_ns", "is 0", "set it to the host's clock at the start of the run");
    if (report_.elapsed_ns == 0)
      fail("elapsed_ns", "is 0", "set it to the duration of the timed section");
    const std::uint64_t end = report_.began_ns + report_.elapsed_ns;
    if (const auto off = missed(report_.began_ns, run.before_ns, run.after_ns, slack_))
      fail("began_ns", "is " + in_seconds(off) + " outside of the call of run",
           "take the time within the call, on the host's clock (ifb_host.now)");
    else if (const auto late = missed(end, run.before_ns, run.after_ns, slack_))
      fail("began_ns + elapsed_ns", "is " + in_seconds(late) + " after the call of run",
           "end the timed section with the last output");
    else
      has_section_ = true;
  }

  void results() {
    const std::size_t count = wanted_.samples.size();
    if (report_.result_count != count)
      fail("result_count", fmt::format("is {} for {} samples", report_.result_count, count),
           "report one result for each sample, in order; one with a status for a sample without "
           "output");
    if (!list("results", report_.results, report_.result_count, report_.result_stride,
              sizeof(ifb_batch_result)))
      return;
    std::size_t i = 0;
    for (const ifb_batch_result& each : results_of(report_)) {
      const std::string path = fmt::format("results[{}]", i);
      if (size(path, each.struct_size, sizeof each) && i < count) result(path, i, each);
      ++i;
    }
  }

 private:
  void result(const std::string& path, std::size_t sample, const ifb_batch_result& of) {
    text(path + ".error", of.error);
    measures(path + ".measures", of.measures);
    prompt(path, sample, of);
    times(path, of);
    if (of.status != IFB_OK) return failure(path, of);
    if (of.error.size != 0)
      fail(path + ".error", "is not empty, and status is IFB_OK",
           "set status to the reason of a failure, or leave error empty");
    if (of.output_count == 0)
      fail(path + ".outputs", "is empty, and status is IFB_OK",
           "set status and error of a sample that has no output");
    const std::int64_t tokens = outputs(path, sample, of);
    // The events of a beam search may belong to beams that were given up.
    if (wanted_.mode != IFB_BATCH_BEAM_SEARCH && tokens >= 0 &&
        of.token_count > static_cast<std::uint64_t>(tokens))
      fail(path + ".token_count",
           fmt::format("is {}, and the outputs have {} tokens", of.token_count, tokens),
           "report one time for each event, and at least one token for each event");
    else
      events(path, of);
  }

  void failure(const std::string& path, const ifb_batch_result& of) {
    if (!plugin::is_known_error(of.status))
      fail(path + ".status", "is " + name_of_status(of.status) + ", which is no error of abi.h",
           "set status to IFB_OK or a code below 0 of ifb_status_code");
    if (of.error.size == 0)
      fail(path + ".error", "is empty, and status is " + name_of_status(of.status),
           "say in error why the sample has no output");
  }

  void prompt(const std::string& path, std::size_t sample, const ifb_batch_result& of) {
    const std::int64_t ids = wanted_.samples[sample].ids;
    if (of.prompt_tokens < -1)
      fail(path + ".prompt_tokens", fmt::format("is {}", of.prompt_tokens),
           "write -1 for an unknown number");
    else if (of.prompt_tokens >= 0 && ids >= 0 && of.prompt_tokens != ids && of.status == IFB_OK)
      fail(path + ".prompt_tokens",
           fmt::format("is {} for a prompt of {} token ids", of.prompt_tokens, ids),
           "pass token ids to the engine as they are, without special tokens");
  }

  // Returns the number of tokens of all outputs; -1: not known.
  std::int64_t outputs(const std::string& path, std::size_t sample, const ifb_batch_result& of) {
    const bool beams = wanted_.mode == IFB_BATCH_BEAM_SEARCH;
    const std::uint32_t wanted = beams ? wanted_.beam_width : wanted_.n;
    // A beam search may end with fewer beams.
    if (of.output_count > wanted || (!beams && of.output_count < wanted && of.output_count != 0))
      fail(path + ".output_count", fmt::format("is {} instead of {}", of.output_count, wanted),
           "report n outputs for each sample, or beam_width outputs of a beam search");
    if (!list(path + ".outputs", of.outputs, of.output_count, of.output_stride,
              sizeof(ifb_batch_output)))
      return -1;
    std::size_t i = 0;
    std::int64_t tokens = 0;
    for (const ifb_batch_output& each : outputs_of(of)) {
      const std::string at = fmt::format("{}.outputs[{}]", path, i++);
      if (!size(at, each.struct_size, sizeof each)) return -1;
      output(at, wanted_.length_of(sample), each);
      tokens = each.tokens < 0 || tokens < 0 ? -1 : tokens + each.tokens;
    }
    return tokens;
  }

  void output(const std::string& path, std::int64_t wanted, const ifb_batch_output& of) {
    text(path + ".text", of.text);
    text(path + ".finish_reason", of.finish_reason);
    if (of.text.size != 0 && (wanted_.flags & IFB_BATCH_NO_TEXT) != 0)
      fail(path + ".text", "is not empty, and the batch has the flag IFB_BATCH_NO_TEXT",
           "do not convert the output to text: the conversion would be measured");
    const std::string count = fmt::format("is {}", of.tokens);
    if (of.tokens < -1)
      fail(path + ".tokens", count, "write -1 for an unknown number");
    else if (of.tokens > wanted)
      fail(path + ".tokens", count + fmt::format(", more than the wanted {}", wanted),
           "pass the length to the engine: max_tokens of the sampling or, if it is -1, "
           "output_tokens of the sample; and do not count the prompt");
    else if (of.tokens >= 0 && of.tokens < wanted)
      shorter(path + ".tokens", count + fmt::format(", less than the wanted {}", wanted), of);
    if ((of.flags & IFB_BATCH_FINISHED) == 0)
      warn("an output is without IFB_BATCH_FINISHED after a run that has ended",
           "set the flag of an output that is complete, or fail the sample");
  }

  void shorter(const std::string& path, const std::string& what, const ifb_batch_output& of) {
    if (ifb::view(of.finish_reason) == "length")
      fail(path, what + ", and the reason of the end is \"length\"",
           "count all tokens of the output");
    else
      warn("outputs are shorter than wanted although the sampling has IFB_SAMPLING_IGNORE_EOS",
           "generate on after an end of sequence");
  }

  void within(const std::string& path, std::uint64_t at) {
    if (at == 0 || !has_section_) return;
    const std::uint64_t end = report_.began_ns + report_.elapsed_ns;
    if (const auto off = missed(at, report_.began_ns, end, slack_))
      fail(path, "is " + in_seconds(off) + " outside of the timed section",
           "report times of the host's clock (ifb_host.now), and 0 for an unknown time");
  }

  void times(const std::string& path, const ifb_batch_result& of) {
    within(path + ".arrived_ns", of.arrived_ns);
    within(path + ".first_token_ns", of.first_token_ns);
    within(path + ".last_token_ns", of.last_token_ns);
    const auto after = [&](const std::string& member, std::uint64_t at, const char* other,
                           std::uint64_t before) {
      if (at != 0 && before != 0 && at + slack_ < before)
        fail(path + member, std::string("is before ") + other, "report both times of one request");
    };
    after(".first_token_ns", of.first_token_ns, "arrived_ns", of.arrived_ns);
    if (of.first_token_ns != 0 && of.last_token_ns != 0 && of.last_token_ns < of.first_token_ns)
      fail(path + ".last_token_ns", "is before first_token_ns", "report both times of one request");
  }

  void events(const std::string& path, const ifb_batch_result& of) {
    if ((of.token_ns == nullptr) != (of.token_count == 0))
      return fail(path + ".token_ns",
                  fmt::format("is {}NULL, and token_count is {}",
                              of.token_ns == nullptr ? "" : "not ", of.token_count),
                  "set both, or leave both 0");
    for (std::size_t i = 0; i < of.token_count; ++i) {
      within(fmt::format("{}.token_ns[{}]", path, i), of.token_ns[i]);
      if (i > 0 && of.token_ns[i] < of.token_ns[i - 1])
        fail(fmt::format("{}.token_ns[{}]", path, i), "is before the time before it",
             "report the events in the order in which they came");
    }
  }

  const ifb_batch_report& report_;
  const wanted_batch& wanted_;
  std::uint64_t slack_;
  bool has_section_ = false;
};

}  // namespace

std::vector<finding> faults_of(const ifb_loaded_engine& engine, const call_times& load) {
  batch_inspection out;
  out.reserved("the ifb_loaded_engine", engine.reserved);
  if (engine.max_model_len == 0 || engine.max_model_len < -1)
    out.fail("max_model_len", fmt::format("is {}", engine.max_model_len),
             "write -1 for an unknown length");
  if (engine.max_adapters < -1)
    out.fail("max_adapters", fmt::format("is {}", engine.max_adapters),
             "write -1 for an unknown number");
  if (engine.load_ns > load.after_ns - load.before_ns + slack_of(engine.clock_bound_ns))
    out.fail("load_ns",
             "is " + in_seconds(engine.load_ns) + ", and load took " +
                 in_seconds(load.after_ns - load.before_ns),
             "measure the construction of the engine within load, in nanoseconds");
  out.measures("measures", engine.measures);
  out.text("profiler", engine.profiler);
  out.text("profile_path", engine.profile_path);
  out.text("description", engine.description);
  if (engine.clock_bound_ns > base::ns_per_s)
    out.warn("clock_bound_ns is more than a second",
             "tie the engine's clock to the host's with a short exchange");
  return out.take();
}

std::vector<finding> faults_of(const ifb_batch_report& report, const wanted_batch& wanted,
                               const call_times& run, std::uint64_t bound_ns) {
  report_inspection out(report, wanted, bound_ns);
  out.reserved("the ifb_batch_report", report.reserved);
  out.section(run);
  out.results();
  out.measures("measures", report.measures);
  return out.take();
}

}  // namespace inferbench::check
