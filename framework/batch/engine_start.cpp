#include "batch/engine_start.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "batch/plugin_executor.hpp"
#include "offline/upstream.hpp"

namespace inferbench::batch {

namespace {

using named_values = std::vector<std::pair<std::string, std::string>>;

void add_variable(named_values& to, const std::string& text) {
  const auto equals = text.find('=');
  to.emplace_back(text.substr(0, equals), text.substr(equals + 1));
}

startup::start_sample sample_of(const engine_facts& facts, std::int64_t unix_offset_ns) {
  startup::start_sample out;
  out.startup_s = static_cast<double>(facts.load_ns) / 1e9;
  // Upstream writes 0 for an engine that does not compile.
  out.compilation_s = out.encoder_s = 0;
  for (const engine_measure& each : facts.measures) {
    if (each.name == "compilation") out.compilation_s = each.value;
    if (each.name == "encoder_compilation") out.encoder_s = each.value;
    // Times of a clock that is not tied to the host's cannot be compared with those of other
    // starts.
    if (each.began_ns == 0 || each.ended_ns < each.began_ns || !facts.has_tied_clock()) continue;
    startup::start_phase phase;
    phase.name = each.name;
    phase.start_ns = static_cast<std::int64_t>(each.began_ns) + unix_offset_ns;
    phase.end_ns = static_cast<std::int64_t>(each.ended_ns) + unix_offset_ns;
    phase.uncertainty_s = static_cast<double>(facts.clock_bound_ns) / 1e9;
    out.phases.push_back(std::move(phase));
  }
  return out;
}

}  // namespace

engine_start::engine_start(const engine_choice& engine, const plugin::services& shared,
                           const base::clock& clock, loader load)
    : engine_(engine), shared_(shared), clock_(clock), load_(std::move(load)) {}

startup::start_sample engine_start::start(std::span<const std::string> environment) {
  named_values variables;
  for (const std::string& each : offline::upstream::startup_environment(engine_.plugin.use))
    add_variable(variables, each);
  for (const std::string& each : environment)
    add_variable(variables, each);
  plugin_executor engine(engine_, shared_, variables);
  const std::int64_t unix_offset_ns = clock_.unix_now() - static_cast<std::int64_t>(clock_.now());
  const engine_facts facts = load_(engine);
  description_ = facts.description;
  return sample_of(facts, unix_offset_ns);
}

options::node engine_start::about() const {
  options::node out = options::node::table();
  out.set("form", options::node::of(std::string("engine")));
  out.set("engine", options::node::of(description_));
  return out;
}

}  // namespace inferbench::batch
