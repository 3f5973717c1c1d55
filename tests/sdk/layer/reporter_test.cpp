#include <array>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/reporter.hpp>

#include "sdk/layer/fake_host.hpp"

namespace {

using sdk_test::fake_host;
using sdk_test::made;
using sdk_test::stale_error;
using sdk_test::text_value;

/// Logs its calls; fails in the call that its option selects.
class teller {
 public:
  static constexpr const char *id = "teller", *version = "1.0.0", *summary = "Tells.",
                              *license = "MIT";
  struct options {
    std::string trouble;
    static constexpr auto schema() {
      return std::tuple{ifb::option{"trouble", &options::trouble, "Where to fail."}};
    }
  };
  teller(ifb::host host, const options& given) : host_(host), options_(given) {}

  void begin(const ifb_run& run) { tell("begin", "begin " + std::string{ifb::view(run.name)}); }
  void records(ifb::strided<ifb_record> batch) {
    std::string text = "records";
    for (const ifb_record& record : batch)
      text += " " + std::to_string(record.sequence);
    tell("records", text);
  }
  void snapshot(const ifb_snapshot& figures) {
    std::string text = "snapshot at " + std::to_string(figures.at_ns);
    for (const ifb_metric& metric : ifb::metrics_of(figures))
      text += " " + std::string{metric.name};
    tell("snapshot", text);
  }
  void end(const ifb_summary& whole) {
    std::string text = "end";
    for (const ifb_metric& metric : ifb::metrics_of(whole))
      text += " " + std::string{metric.name};
    tell("end", text);
  }

 private:
  void tell(std::string_view where, const std::string& text) {
    if (options_.trouble == where) throw ifb::failure{IFB_E_IO, "disk full"};
    host_.info(text);
  }
  ifb::host host_;
  options options_;
};

struct longer_record {
  ifb_record known;
  std::uint64_t added;
};

std::array<ifb_status, 4> all_calls(const made& self, ifb_error& error) {
  const auto& calls = self.table<ifb_reporter>(IFB_REPORTER_OPS);
  ifb_run run{};
  run.name = ifb::str("r1");
  std::array<longer_record, 3> records{};
  for (std::size_t i = 0; i < records.size(); ++i)
    records[i].known.sequence = i + 5;
  std::array<ifb_metric, 2> metrics{};
  metrics[0].name = "ttft";
  metrics[1].name = "itl";
  ifb_snapshot snapshot{};
  snapshot.struct_size = sizeof snapshot;
  snapshot.at_ns = 9;
  snapshot.metrics = metrics.data();
  snapshot.metric_count = 2;
  snapshot.metric_stride = sizeof(ifb_metric);
  ifb_summary summary{};
  summary.metrics = metrics.data();
  summary.metric_count = 2;
  summary.metric_stride = sizeof(ifb_metric);
  return {calls.begin(self.get(), &run, &error),
          calls.records(self.get(), &records[0].known, 3, sizeof(longer_record), &error),
          calls.snapshot(self.get(), &snapshot, &error), calls.end(self.get(), &summary, &error)};
}

TEST(reporter, gets_the_whole_run) {
  fake_host host;
  const made self(ifb::reporter<teller>::descriptor, host);
  ifb_error error = stale_error();
  EXPECT_EQ(all_calls(self, error), (std::array<ifb_status, 4>{}));
  std::vector<std::string> lines;
  for (const auto& [level, text] : host.logged)
    lines.push_back(text);
  EXPECT_EQ(lines, (std::vector<std::string>{"begin r1", "records 5 6 7", "snapshot at 9 ttft itl",
                                             "end ttft itl"}));
  EXPECT_EQ(ifb::reporter<teller>::descriptor.kind, static_cast<ifb_kind>(IFB_REPORTER));
}

TEST(reporter, an_exception_in_any_call_becomes_its_status) {
  const std::array<std::string, 4> names{"begin", "records", "snapshot", "end"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    fake_host host;
    const made self(ifb::reporter<teller>::descriptor, host, {text_value(IFB_STRING, names[i])});
    ifb_error error = stale_error();
    std::array<ifb_status, 4> expected{};
    expected[i] = IFB_E_IO;
    EXPECT_EQ(all_calls(self, error), expected) << names[i];
    EXPECT_STREQ(error.message, "disk full");
  }
}

class quiet {
 public:
  static constexpr const char *id = "quiet", *version = "1.0.0", *summary = "Quiet.",
                              *license = "MIT";
  explicit quiet(ifb::host) {}
  void begin(const ifb_run&) {}
  void end(const ifb_summary&) {}
};

TEST(reporter, calls_that_a_class_lacks_are_null) {
  const auto* calls =
      static_cast<const ifb_reporter*>(ifb::reporter<quiet>::query(nullptr, IFB_REPORTER_OPS));
  EXPECT_EQ(calls->records, nullptr);
  EXPECT_EQ(calls->snapshot, nullptr);
  EXPECT_NE(calls->begin, nullptr);
  EXPECT_NE(calls->end, nullptr);
}

}  // namespace
