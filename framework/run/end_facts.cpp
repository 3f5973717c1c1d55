#include "run/end_facts.hpp"

#include <inferbench/json_writer.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "run/journal_json.hpp"

namespace inferbench::run {

std::string end_facts(const metrics::context& run) {
  ifb::json_writer out;
  out.begin_object();
  out.key("facts");
  out.begin_object();
  for (const auto& [name, json] : run.facts) {
    out.key(name);
    out.raw(json);
  }
  out.end_object();
  out.key("figures");
  out.begin_object();
  for (const auto& [id, value] : run.beside)
    out.member(metrics::define(id).name, value);
  out.end_object();
  out.end_object();
  return out.take();
}

void read_end_facts(std::string_view facts_json, metrics::context& into) {
  into.facts.clear();
  into.beside.clear();
  if (facts_json.empty()) return;
  try {
    const auto end = parse_journal_json(facts_json, "the journal's end");
    if (const auto* facts = base::find(end, "facts"); facts != nullptr && facts->IsObject())
      for (const auto& fact : facts->GetObject())
        into.set_fact({fact.name.GetString(), fact.name.GetStringLength()},
                      base::to_text(fact.value));
    if (const auto* figures = base::find(end, "figures"); figures != nullptr && figures->IsObject())
      for (const auto& figure : figures->GetObject()) {
        const auto* known = metrics::find({figure.name.GetString(), figure.name.GetStringLength()});
        if (known != nullptr && figure.value.IsNumber())
          into.beside.emplace_back(known->id, figure.value.GetDouble());
      }
  } catch (const base::error&) {
    // The records are still valid: make the report without these facts.
  }
}

}  // namespace inferbench::run
