#include "run/end_facts.hpp"

#include <inferbench/json_writer.hpp>

#include "base/error.hpp"
#include "base/json.hpp"

namespace inferbench::run {

std::string end_facts(const metrics::context& run) {
  ifb::json_writer out;
  out.begin_object();
  if (!run.client_json.empty()) {
    out.key("client");
    out.raw(run.client_json);
  }
  if (!run.calibration_json.empty()) {
    out.key("calibration");
    out.raw(run.calibration_json);
  }
  out.end_object();
  return out.take();
}

void read_end_facts(std::string_view facts_json, metrics::context& into) {
  into.client_json.clear();
  into.calibration_json.clear();
  if (facts_json.empty()) return;
  try {
    const auto facts = base::parse_json(facts_json, "the journal's end");
    if (const auto* client = base::find(facts, "client"); client != nullptr && client->IsObject())
      into.client_json = base::to_text(*client);
    if (const auto* found = base::find(facts, "calibration"); found != nullptr && found->IsObject())
      into.calibration_json = base::to_text(*found);
  } catch (const base::error&) {
    // The records are good; a report without a verdict is better than none.
  }
}

}  // namespace inferbench::run
