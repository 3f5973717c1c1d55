// ifb::reporter<T> makes the class T a reporter (inferbench.reporter/1).
//
//   class lines {
//    public:
//     static constexpr const char* id = "lines", ...;
//     lines(ifb::host, const options&);
//     void begin(const ifb_run&);
//     void records(ifb::strided<ifb_record>);     // optional
//     void snapshot(const ifb_snapshot&);         // optional; ifb::metrics_of reads it
//     void end(const ifb_summary&);
//     static constexpr std::uint32_t flags = IFB_REPORTER_...;  // optional
//   };
//
// begin and end are called once for an object; each of several runs creates its own. All calls come
// from one thread at a time. Their arguments are valid only during the call.
//
// If the class also has the functions of table_reporter.hpp, as overloads, the plugin offers
// inferbench.table-reporter/1, too:
//
//     void begin(const ifb_table&);
//     void records(const ifb_table_run& of, ifb::strided<ifb_record>);  // optional
//     void run(const ifb_table_run&);
//     void end(const ifb_table_end&);
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/descriptor.hpp>
#include <inferbench/table_reporter.hpp>
#include <inferbench/views.hpp>

namespace ifb {
namespace detail {

template <typename plugin>
concept begins = requires(plugin p, const ifb_run& run) {
  { p.begin(run) } -> std::same_as<void>;
};
template <typename plugin>
concept takes_records = requires(plugin p, strided<ifb_record> batch) {
  { p.records(batch) } -> std::same_as<void>;
};
template <typename plugin>
concept takes_snapshots = requires(plugin p, const ifb_snapshot& figures) {
  { p.snapshot(figures) } -> std::same_as<void>;
};
template <typename plugin>
concept ends = requires(plugin p, const ifb_summary& summary) {
  { p.end(summary) } -> std::same_as<void>;
};

template <typename plugin>
consteval bool check_reporter() {
  static_assert(check_description<plugin>());
  static_assert(begins<plugin>, "a reporter needs: void begin(const ifb_run&)");
  static_assert(ends<plugin>, "a reporter needs: void end(const ifb_summary&)");
  if constexpr (requires { &plugin::records; }) {
    static_assert(takes_records<plugin> || takes_table_records<plugin>,
                  "records is: void records(ifb::strided<ifb_record>)");
  }
  if constexpr (requires { &plugin::snapshot; }) {
    static_assert(takes_snapshots<plugin>, "snapshot is: void snapshot(const ifb_snapshot&)");
  }
  static_assert((flags_of<plugin>() & IFB_REPORTER_LIVE) == 0 || takes_snapshots<plugin>,
                "a reporter with IFB_REPORTER_LIVE needs: void snapshot(const ifb_snapshot&)");
  if constexpr (reports_tables<plugin>) static_assert(check_table_functions<plugin>());
  return true;
}

template <typename plugin>
struct reporter_calls {
  static ifb_status IFB_CALL begin(ifb_instance* self, const ifb_run* run,
                                   ifb_error* error) noexcept {
    return guarded<plugin>(error, [&] { box<plugin>::of(self).get().begin(*run); });
  }
  static ifb_status IFB_CALL records(ifb_instance* self, const ifb_record* first, std::size_t count,
                                     std::size_t stride, ifb_error* error) noexcept
    requires takes_records<plugin>
  {
    return guarded<plugin>(error, [&] {
      box<plugin>::of(self).get().records(strided<ifb_record>{first, count, stride});
    });
  }
  static ifb_status IFB_CALL snapshot(ifb_instance* self, const ifb_snapshot* figures,
                                      ifb_error* error) noexcept
    requires takes_snapshots<plugin>
  {
    return guarded<plugin>(error, [&] { box<plugin>::of(self).get().snapshot(*figures); });
  }
  static ifb_status IFB_CALL end(ifb_instance* self, const ifb_summary* summary,
                                 ifb_error* error) noexcept {
    return guarded<plugin>(error, [&] { box<plugin>::of(self).get().end(*summary); });
  }

  static constexpr ifb_reporter make() {
    ifb_reporter out{};
    out.struct_size = sizeof out;
    out.flags = flags_of<plugin>();
    out.begin = &begin;
    if constexpr (takes_records<plugin>) out.records = &records;
    if constexpr (takes_snapshots<plugin>) out.snapshot = &snapshot;
    out.end = &end;
    return out;
  }
};

/// The operation tables of a class; the second one only if the class reports several runs, too.
template <typename plugin>
struct reporter_tables {
  static constexpr ifb_reporter operations = reporter_calls<plugin>::make();
  static constexpr const char* interfaces[] = {IFB_REPORTER_OPS, nullptr};
  static const void* IFB_CALL query(const ifb_plugin*, const char* id) noexcept {
    return std::strcmp(id, IFB_REPORTER_OPS) == 0 ? &operations : nullptr;
  }
};
template <reports_tables plugin>
struct reporter_tables<plugin> {
  static constexpr ifb_reporter operations = reporter_calls<plugin>::make();
  static constexpr ifb_table_reporter table_operations = table_reporter_calls<plugin>::make();
  static constexpr const char* interfaces[] = {IFB_REPORTER_OPS, IFB_TABLE_REPORTER_OPS, nullptr};
  static const void* IFB_CALL query(const ifb_plugin*, const char* id) noexcept {
    if (std::strcmp(id, IFB_REPORTER_OPS) == 0) return &operations;
    return std::strcmp(id, IFB_TABLE_REPORTER_OPS) == 0 ? &table_operations : nullptr;
  }
};

}  // namespace detail

template <typename plugin>
struct reporter {
  static_assert(detail::check_reporter<plugin>());

  static constexpr ifb_reporter operations = detail::reporter_tables<plugin>::operations;
  static constexpr const auto& interfaces = detail::reporter_tables<plugin>::interfaces;
  static constexpr auto query = &detail::reporter_tables<plugin>::query;
  static constexpr ifb_plugin descriptor =
      detail::describe<plugin>(IFB_REPORTER, interfaces, query);
};

}  // namespace ifb
