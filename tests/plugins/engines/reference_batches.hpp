// Batches of the reference engine with options whose times are easy to compute.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine_host.hpp"
#include "engines/reference-engine/reference_plugin.hpp"

namespace reference_engine {

inline constexpr std::uint64_t ms = 1'000'000;

/// Options with which all times are easy to compute.
inline reference_options plain_options() {
  reference_options out;
  out.ttft = std::chrono::milliseconds(100);
  out.itl = std::chrono::milliseconds(10);
  out.max_model_len = 1000;
  out.max_batch = 2;
  out.seed = 1;
  return out;
}

class reference_batches : public testing::Test {
 protected:
  ifb_batch_report run(const engine_test::text_batch& what) { return run(what.batch); }
  ifb_batch_report run(const ifb_batch& batch) {
    engine_.emplace(host_.host(), given_);
    loaded_ = engine_->load();
    return engine_->run(batch, host_.arena());
  }
  /// The times of a result, in milliseconds after the begin of the section.
  static std::vector<std::uint64_t> times_of(const ifb_batch_report& report, std::size_t i) {
    const ifb_batch_result& each = report.results[i];
    std::vector<std::uint64_t> out;
    for (const std::uint64_t at : {each.arrived_ns, each.first_token_ns, each.last_token_ns})
      out.push_back((at - report.began_ns) / ms);
    return out;
  }
  static std::string text_of(const ifb_batch_report& report, std::size_t i,
                             std::size_t output = 0) {
    return std::string(ifb::view(report.results[i].outputs[output].text));
  }
  static std::string reason_of(const ifb_batch_report& report, std::size_t i) {
    return std::string(ifb::view(report.results[i].outputs[0].finish_reason));
  }
  static std::string error_of(const ifb_batch_report& report, std::size_t i) {
    return std::string(ifb::view(report.results[i].error));
  }

  engine_test::engine_host host_;
  reference_options given_ = plain_options();
  std::optional<reference_plugin> engine_;
  ifb_loaded_engine loaded_{};
};

}  // namespace reference_engine
