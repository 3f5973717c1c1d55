#include "run/reporting.hpp"

namespace inferbench::run {

namespace {

constexpr const char* file_option = "result-filename";

bool appends(const config::plugin_choice& choice) {
  const config::option_value* said = choice.find("append-result");
  return said != nullptr && said->integer != 0;
}

}  // namespace

reporting::reporting(const config::plan& plan, const plugin::services& shared,
                     const place_in_series& which) {
  for (config::plugin_choice choice : plan.reporters) {
    if (const config::option_value* name = choice.find(file_option); name && !appends(choice))
      choice.set_text(file_option, numbered(name->text, which));
    instances_.push_back(choice.create(shared));
    targets_.push_back(report::target_of(*instances_.back()));
  }
}

}  // namespace inferbench::run
