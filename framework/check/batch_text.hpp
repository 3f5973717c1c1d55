// The contents of the structs that an engine of the draft inferbench.batch-engine fills in. The
// functions read the structs as they are, so they need sound ones (batch_faults.hpp). Any thread.
#pragma once

#include <string>

#include <inferbench/draft/batch_engine.h>
#include <inferbench/views.hpp>

namespace inferbench::check {

[[nodiscard]] inline ifb::strided<ifb_batch_result> results_of(const ifb_batch_report& report) {
  return {report.results, report.result_count, report.result_stride};
}
[[nodiscard]] inline ifb::strided<ifb_batch_output> outputs_of(const ifb_batch_result& result) {
  return {result.outputs, result.output_count, result.output_stride};
}

/// All contents as text. Reads every byte, so a wrong pointer crashes here.
[[nodiscard]] std::string text_of(const ifb_batch_report& report);
[[nodiscard]] std::string text_of(const ifb_loaded_engine& engine);

/// The first sample that has failed, as text: "results[1]: IFB_E_DATA: too long"; empty if all
/// samples have outputs.
[[nodiscard]] std::string first_failure(const ifb_batch_report& report);

}  // namespace inferbench::check
