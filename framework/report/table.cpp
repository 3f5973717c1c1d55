#include "report/table.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <utility>

#include "base/error.hpp"
#include "report/intervals.hpp"

namespace inferbench::report {

/// A reporter, and whether it has failed.
struct table_fanout::member {
  table_target target;
  std::atomic<bool> failed = false;  // set by the thread that makes the call
};

/// A reporter of the table in the role of a reporter of one run. The thread of its lane calls it.
class table_fanout::run_view {
 public:
  run_view(member& reporter, const table_entry& of) : reporter_(reporter), of_(of) {
    for (const auto& [name, value] : of_.axes)
      axes_.push_back({plugin::str(name), plugin::str(value)});
    view_.struct_size = sizeof view_;
    view_.index = of_.index;
    view_.point = of_.point;
    view_.run = &run_;
    view_.source = plugin::str(of_.source);
    view_.label = plugin::str(of_.label);
    view_.axes = axes_.data();
    view_.axis_count = axes_.size();
    view_.interval_stride = sizeof(ifb_interval);
  }
  run_view(const run_view&) = delete;
  run_view& operator=(const run_view&) = delete;

  [[nodiscard]] target as_target() {
    target out;
    out.name = reporter_.target.name;
    out.self = reinterpret_cast<ifb_instance*>(this);
    out.calls.struct_size = sizeof(ifb_reporter);
    out.calls.ifb_reporter::begin = [](ifb_instance* self, const ifb_run* run, ifb_error*) {
      return of(self).begin(*run);
    };
    out.calls.ifb_reporter::records = [](ifb_instance* self, const ifb_record* first,
                                         std::size_t count, std::size_t stride, ifb_error* error) {
      return of(self).records(first, count, stride, error);
    };
    out.calls.ifb_reporter::end = [](ifb_instance* self, const ifb_summary* summary,
                                     ifb_error* error) { return of(self).end(*summary, error); };
    out.calls.plugin = reporter_.target.calls.plugin;
    out.calls.takes_records = reporter_.target.calls.takes_records;
    out.stamps = reporter_.target.stamps;
    out.last_call = "run";
    return out;
  }

 private:
  static run_view& of(ifb_instance* self) { return *reinterpret_cast<run_view*>(self); }

  // The views of a run are valid during begin only, and later calls of the table need them.
  ifb_status begin(const ifb_run& run) {
    name_ = plugin::view(run.name);
    config_ = plugin::view(run.config_json);
    environment_ = plugin::view(run.environment_json);
    run_ = run;
    run_.struct_size = sizeof run_;
    run_.name = plugin::str(name_);
    run_.config_json = plugin::str(config_);
    run_.environment_json = plugin::str(environment_);
    return IFB_OK;
  }
  ifb_status records(const ifb_record* first, std::size_t count, std::size_t stride,
                     ifb_error* error) {
    return noted(
        reporter_.target.calls.records(reporter_.target.self, &view_, first, count, stride, error));
  }
  ifb_status end(const ifb_summary& summary, ifb_error* error) {
    const interval_list bounds = bounds_of(summary);
    ifb_table_run whole = view_;
    whole.summary = &summary;
    whole.intervals = bounds.views().data();
    whole.interval_count = static_cast<std::uint32_t>(bounds.views().size());
    return noted(reporter_.target.calls.run(reporter_.target.self, &whole, error));
  }
  ifb_status noted(ifb_status status) {
    if (status != IFB_OK) reporter_.failed = true;
    return status;
  }

  member& reporter_;
  table_entry of_;
  std::vector<ifb_field> axes_;
  std::string name_, config_, environment_;
  ifb_run run_{};
  ifb_table_run view_{};
};

table_target table_target_of(const plugin::instance& reporter) {
  const plugin::table_reporter calls = plugin::table_reporter_of(reporter);
  const bool stamps =
      (calls.flags & IFB_REPORTER_STAMPS_IF_DETAILED) == 0 || reporter.is_on("save-detailed");
  return {std::string(reporter.library().id()), reporter.get(), calls, stamps, {}};
}

table_fanout::table_fanout(std::vector<table_target> targets, base::log& log,
                           std::chrono::milliseconds patience)
    : log_(log), patience_(patience) {
  for (table_target& each : targets) {
    members_.push_back(std::make_unique<member>());
    members_.back()->target = std::move(each);
  }
}

table_fanout::~table_fanout() = default;

void table_fanout::call_all(const char* name, const std::function<void(member&)>& call) {
  std::vector<std::pair<member*, std::future<void>>> calls;
  for (const auto& each : members_)
    if (!each->failed)
      calls.emplace_back(each.get(),
                         std::async(std::launch::async, [&call, &each] { call(*each); }));
  for (auto& [reporter, done] : calls) {
    if (done.wait_for(patience_) != std::future_status::ready)
      log_.info("still waiting for reporter " + reporter->target.name +
                ", which is busy in its call " + name);
    done.wait();
  }
  for (auto& [reporter, done] : calls)
    done.get();
}

void table_fanout::begin(const ifb_table& table) {
  call_all("begin", [&](member& each) {
    ifb_error error = plugin::empty_error();
    const table_target& to = each.target;
    const ifb_status status = to.calls.begin(to.self, &table, &error);
    if (status == IFB_OK) return;
    const plugin::refused why(
        base::error("reporter " + to.name + ": " + plugin::text_of(error, status),
                    "correct its options, or leave it out"),
        plugin::refused({}, error.option, status));
    throw to.explain ? to.explain(why) : why;
  });
}

std::vector<target> table_fanout::run_targets(const table_entry& of) {
  views_.clear();
  std::vector<target> out;
  for (const auto& each : members_) {
    if (each->failed) continue;
    views_.push_back(std::make_unique<run_view>(*each, of));
    out.push_back(views_.back()->as_target());
  }
  return out;
}

bool table_fanout::finish(const ifb_table_end& end) {
  views_.clear();
  call_all("end", [&](member& each) {
    ifb_error error = plugin::empty_error();
    const ifb_status status = each.target.calls.end(each.target.self, &end, &error);
    if (status == IFB_OK) return;
    each.failed = true;
    log_.warning("reporter " + each.target.name + " is dropped: " + plugin::text_of(error, status));
  });
  return failed().empty();
}

std::vector<std::string> table_fanout::failed() const {
  std::vector<std::string> names;
  for (const auto& each : members_)
    if (each->failed) names.push_back(each->target.name);
  return names;
}

}  // namespace inferbench::report
