// ifb::table_reporter<T> makes the class T a reporter of several runs
// (inferbench.table-reporter/1), for example for `inferbench report A.journal B.journal`.
//
//   class comparison {
//    public:
//     static constexpr const char* id = "comparison", ...;
//     comparison(ifb::host, const options&);
//     void begin(const ifb_table&);
//     void records(const ifb_table_run& of, ifb::strided<ifb_record>);  // optional
//     void run(const ifb_table_run&);
//     void end(const ifb_table_end&);
//     static constexpr std::uint32_t flags = IFB_REPORTER_...;  // optional
//   };
//
// The order of the calls is begin, then for each run records in any number and run once, then end.
// The records come before the run() of their run; `of` has everything but its summary and its
// intervals. All calls come from one thread at a time. Their arguments are valid only during the
// call.
//
// A class can report single runs, too: ifb::reporter<T> (reporter.hpp) offers both interfaces if T
// has the functions above beside the functions of a reporter of single runs, as overloads. An
// object reports either several runs or a single run; the type of the argument of begin() says
// which.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>

#include <inferbench/abi.h>
#include <inferbench/descriptor.hpp>
#include <inferbench/views.hpp>

namespace ifb {

[[nodiscard]] inline strided<ifb_axis> axes_of(const ifb_table& table) noexcept {
  return {table.axes, table.axis_count, table.axis_stride};
}
/// Returns the values of the axes, as JSON.
[[nodiscard]] inline std::span<const ifb_field> axes_of(const ifb_table_run& run) noexcept {
  return {run.axes, run.axis_count};
}
[[nodiscard]] inline std::span<const ifb_field> axes_of(const ifb_table_point& point) noexcept {
  return {point.axes, point.axis_count};
}
[[nodiscard]] inline strided<ifb_interval> intervals_of(const ifb_table_run& run) noexcept {
  return {run.intervals, run.interval_count, run.interval_stride};
}
[[nodiscard]] inline strided<ifb_interval> figures_of(const ifb_table_point& point) noexcept {
  return {point.figures, point.figure_count, point.figure_stride};
}
/// Returns the indices of the runs of a point.
[[nodiscard]] inline std::span<const std::uint32_t> runs_of(const ifb_table_point& point) noexcept {
  return {point.runs, point.run_count};
}
[[nodiscard]] inline strided<ifb_table_point> points_of(const ifb_table_end& end) noexcept {
  return {end.points, end.point_count, end.point_stride};
}

namespace detail {

template <typename plugin>
concept begins_table = requires(plugin p, const ifb_table& table) {
  { p.begin(table) } -> std::same_as<void>;
};
template <typename plugin>
concept takes_table_records =
    requires(plugin p, const ifb_table_run& of, strided<ifb_record> batch) {
      { p.records(of, batch) } -> std::same_as<void>;
    };
template <typename plugin>
concept takes_runs = requires(plugin p, const ifb_table_run& run) {
  { p.run(run) } -> std::same_as<void>;
};
template <typename plugin>
concept ends_table = requires(plugin p, const ifb_table_end& end) {
  { p.end(end) } -> std::same_as<void>;
};
/// The class has at least one function that only a reporter of several runs has.
template <typename plugin>
concept reports_tables = begins_table<plugin> || takes_runs<plugin> || ends_table<plugin> ||
                         takes_table_records<plugin> || requires { &plugin::run; };

template <typename plugin>
consteval bool check_table_functions() {
  static_assert(begins_table<plugin>,
                "a reporter of several runs needs: void begin(const ifb_table&)");
  static_assert(takes_runs<plugin>,
                "a reporter of several runs needs: void run(const ifb_table_run&)");
  static_assert(ends_table<plugin>,
                "a reporter of several runs needs: void end(const ifb_table_end&)");
  return true;
}

template <typename plugin>
consteval bool check_table_reporter() {
  static_assert(check_description<plugin>());
  static_assert(check_table_functions<plugin>());
  if constexpr (requires { &plugin::records; }) {
    static_assert(takes_table_records<plugin>,
                  "records is: void records(const ifb_table_run& of, ifb::strided<ifb_record>)");
  }
  return true;
}

template <typename plugin>
struct table_reporter_calls {
  static ifb_status IFB_CALL begin(ifb_instance* self, const ifb_table* table,
                                   ifb_error* error) noexcept {
    return guarded<plugin>(error, [&] { box<plugin>::of(self).get().begin(*table); });
  }
  static ifb_status IFB_CALL records(ifb_instance* self, const ifb_table_run* of,
                                     const ifb_record* first, std::size_t count, std::size_t stride,
                                     ifb_error* error) noexcept
    requires takes_table_records<plugin>
  {
    return guarded<plugin>(error, [&] {
      box<plugin>::of(self).get().records(*of, strided<ifb_record>{first, count, stride});
    });
  }
  static ifb_status IFB_CALL run(ifb_instance* self, const ifb_table_run* run,
                                 ifb_error* error) noexcept {
    return guarded<plugin>(error, [&] { box<plugin>::of(self).get().run(*run); });
  }
  static ifb_status IFB_CALL end(ifb_instance* self, const ifb_table_end* end,
                                 ifb_error* error) noexcept {
    return guarded<plugin>(error, [&] { box<plugin>::of(self).get().end(*end); });
  }

  static constexpr ifb_table_reporter make() {
    ifb_table_reporter out{};
    out.struct_size = sizeof out;
    out.flags = flags_of<plugin>();
    out.begin = &begin;
    if constexpr (takes_table_records<plugin>) out.records = &records;
    out.run = &run;
    out.end = &end;
    return out;
  }
};

}  // namespace detail

template <typename plugin>
struct table_reporter {
  static_assert(detail::check_table_reporter<plugin>());

  static constexpr ifb_table_reporter operations = detail::table_reporter_calls<plugin>::make();
  static constexpr const char* interfaces[] = {IFB_TABLE_REPORTER_OPS, nullptr};
  static const void* IFB_CALL query(const ifb_plugin*, const char* id) noexcept {
    return std::strcmp(id, IFB_TABLE_REPORTER_OPS) == 0 ? &operations : nullptr;
  }
  static constexpr ifb_plugin descriptor =
      detail::describe<plugin>(IFB_REPORTER, interfaces, &query);
};

}  // namespace ifb
