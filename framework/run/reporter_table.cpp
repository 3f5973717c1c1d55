#include "run/reporter_table.hpp"

#include <utility>

namespace inferbench::run {

ifb_axis axis_view(const char* name, const char* unit, const char* title) noexcept {
  ifb_axis out{};
  out.struct_size = sizeof out;
  out.name = name;
  out.unit = unit;
  out.title = title;
  return out;
}

reporter_table::reporter_table(const table_beginning& about,
                               std::span<const options::plugin_choice> reporters,
                               const config::server& server, base::log& log, base::output& printed)
    : about_(about), services_(server, log, printed) {
  std::vector<report::table_target> targets;
  for (options::plugin_choice choice : reporters) {
    files_.settle(choice, about.name, {});
    instances_.push_back(choice.create(services_.lent()));
    targets.push_back(report::table_target_of(*instances_.back()));
    targets.back().explain = [choice](const plugin::refused& why) { return choice.explain(why); };
  }
  table_ = std::make_unique<report::table_fanout>(std::move(targets), log);
}

void reporter_table::begin() {
  ifb_table view{};
  view.struct_size = sizeof view;
  view.name = plugin::str(about_.name);
  view.command = plugin::str(about_.command);
  view.axes = about_.axes.data();
  view.axis_count = static_cast<std::uint32_t>(about_.axes.size());
  view.axis_stride = sizeof(ifb_axis);
  view.run_count = about_.run_count;
  view.started_unix_ns = about_.started_unix_ns;
  view.facts_json = plugin::str("{}");
  table_->begin(view);
}

bool reporter_table::finish(const table_ending& with) {
  ifb_table_end end{};
  end.struct_size = sizeof end;
  end.flags = with.interrupted ? std::uint32_t{IFB_TABLE_INTERRUPTED} : 0U;
  end.finished_unix_ns = with.finished_unix_ns;
  end.points = with.points.data();
  end.point_count = static_cast<std::uint32_t>(with.points.size());
  end.point_stride = sizeof(ifb_table_point);
  end.facts_json = plugin::str(with.facts_json);
  const bool good = table_->finish(end);
  files_.hide_from(services_.console());
  services_.console().print_artifacts();
  files_.print(services_.console());
  return good;
}

}  // namespace inferbench::run
