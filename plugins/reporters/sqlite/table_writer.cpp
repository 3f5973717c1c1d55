#include "table_writer.hpp"

#include <string>
#include <string_view>

#include "reporters/common/clean_text.hpp"
#include "reporters/common/json_value.hpp"

namespace reporters {
namespace {

std::string_view text_of_name(const char* name) { return name == nullptr ? "" : name; }

std::string object_text(ifb_str json) { return to_text(parse_object(ifb::view(json))); }

constexpr std::int64_t of_the_point = -1;  // intervals.run of the figures of a point

}  // namespace

table_writer::table_writer(const database& to, const ifb_table& table,
                           const sqlite_content& content)
    : to_(to), content_(content) {
  const std::string name = clean_text(ifb::view(table.name));
  const std::string command = clean_text(ifb::view(table.command));
  const std::string facts = object_text(table.facts_json);
  sql_transaction change(to_);
  sql_statement(to_, "DELETE FROM tables WHERE name = ? AND started_unix_ns = ?")
      .bind(std::string_view(name))
      .bind(table.started_unix_ns)
      .run();
  sql_statement(to_,
                "INSERT INTO tables (name, started_unix_ns, command, state, facts) VALUES (?, ?, "
                "?, 'unfinished', ?)")
      .bind(std::string_view(name))
      .bind(table.started_unix_ns)
      .bind(std::string_view(command))
      .bind(std::string_view(facts))
      .run();
  id_ = to_.last_id();
  sql_statement axis(to_, "INSERT INTO axes VALUES (?, ?, ?, ?, ?)");
  std::int64_t number = 0;
  for (const ifb_axis& each : ifb::axes_of(table)) {
    axis.bind(id_).bind(number++).bind(text_of_name(each.name));
    axis.bind(each.unit == nullptr ? std::nullopt : std::optional(text_of_name(each.unit)));
    axis.bind(text_of_name(each.title)).run();
  }
  change.commit();
}

run_writer& table_writer::writer_of(const ifb_table_run& run) {
  if (!run_) run_.emplace(to_, *run.run, content_);
  return *run_;
}

void table_writer::add(const ifb_table_run& of, ifb::strided<ifb_record> batch) {
  writer_of(of).add(batch);
}

void table_writer::add(const ifb_table_run& run) {
  run_writer& writer = writer_of(run);
  if (run.summary != nullptr) writer.finish(*run.summary);
  const std::string label = clean_text(ifb::view(run.label));
  const std::string source = clean_text(ifb::view(run.source));
  sql_transaction change(to_);
  sql_statement(to_, "INSERT OR REPLACE INTO table_runs VALUES (?, ?, ?, ?, ?, ?)")
      .bind(id_)
      .bind(std::int64_t{run.index})
      .bind(writer.id())
      .bind(std::int64_t{run.point})
      .bind(std::string_view(label))
      .bind(std::string_view(source))
      .run();
  for (const ifb_interval& each : ifb::intervals_of(run))
    add_interval(run.point, run.index, each);
  change.commit();
  run_.reset();
}

void table_writer::add_interval(std::int64_t point, std::int64_t run, const ifb_interval& from) {
  sql_statement add(to_,
                    "INSERT OR REPLACE INTO intervals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  add.bind(id_).bind(point).bind(run);
  add.bind(text_of_name(from.name)).bind(text_of_name(from.statistic));
  add.bind(text_of_name(from.unit)).bind(from.value);
  const bool computed = from.confidence > 0;
  for (const double each : {from.low, from.high, from.confidence})
    add.bind(computed ? std::optional(each) : std::nullopt);
  add.bind(from.observations).run();
}

void table_writer::add_axis_values(std::int64_t point, std::span<const ifb_field> axes) {
  sql_statement add(to_, "INSERT OR REPLACE INTO point_axes VALUES (?, ?, ?, ?)");
  for (const ifb_field& each : axes) {
    add.bind(id_).bind(point).bind(ifb::view(each.name));
    ifb::json_document value;
    if (ifb::parse_json(ifb::view(each.value), value) || value.IsNull())
      add.bind_null();
    else if (value.IsInt64())
      add.bind(value.GetInt64());
    else if (value.IsNumber())
      add.bind(value.GetDouble());
    else
      add.bind(value.IsString() ? ifb::text_of(&value) : ifb::view(each.value));
    add.run();
  }
}

void table_writer::finish(const ifb_table_end& end) {
  sql_transaction change(to_);
  sql_statement add(to_, "INSERT OR REPLACE INTO points VALUES (?, ?, ?, ?)");
  std::int64_t number = 0;
  for (const ifb_table_point& point : ifb::points_of(end)) {
    const std::string facts = object_text(point.facts_json);
    add.bind(id_).bind(number).bind(static_cast<std::uint64_t>(point.run_count));
    add.bind(std::string_view(facts)).run();
    add_axis_values(number, ifb::axes_of(point));
    for (const ifb_interval& each : ifb::figures_of(point))
      add_interval(number, of_the_point, each);
    ++number;
  }
  const std::string facts = object_text(end.facts_json);
  sql_statement(to_, "UPDATE tables SET state = ?, facts = json_patch(facts, ?) WHERE id = ?")
      .bind(std::string_view((end.flags & IFB_TABLE_INTERRUPTED) != 0 ? "interrupted" : "finished"))
      .bind(std::string_view(facts))
      .bind(id_)
      .run();
  change.commit();
}

}  // namespace reporters
