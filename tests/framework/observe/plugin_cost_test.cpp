#include "observe/plugin_cost.hpp"

#include <gtest/gtest.h>

namespace inferbench::observe {
namespace {

using plugin::call;
using plugin::call_cost;

TEST(plugin_cost, has_the_units_of_each_kind) {
  const std::vector<plugin_costs> all{
      {IFB_BACKEND,
       "a",
       {{call::open, 10, 1.5, 1, 2},
        {call::on_message, 640, 30, 20, 90},
        {call::close, 10, 0.25, 0.5, 1}}},
      {IFB_DATASET, "b", {{call::read, 3, 4, 4, 4}}},
      {IFB_REPORTER, "c", {{call::records, 2, 7, 7, 7}}},
      {IFB_TOKENIZER, "d", {{call::count, 5, 9, 8, 10}, {call::encode, 1, 2, 2, 2}}}};
  EXPECT_EQ(
      plugin_cost_json(all),
      R"([{"kind": "backend", "id": "a", "ns_per_request": 1.5, "ns_per_event": 20.0, "calls": )"
      R"({"open": {"timed": 10, "mean": 1.5, "median": 1.0, "p99": 2.0}, )"
      R"("on_message": {"timed": 640, "mean": 30.0, "median": 20.0, "p99": 90.0}, )"
      R"("close": {"timed": 10, "mean": 0.3, "median": 0.5, "p99": 1.0}}}, )"
      R"({"kind": "dataset", "id": "b", "ns_per_row": 4.0, "calls": )"
      R"({"read": {"timed": 3, "mean": 4.0, "median": 4.0, "p99": 4.0}}}, )"
      R"({"kind": "reporter", "id": "c", "ns_per_record": 7.0, "calls": )"
      R"({"records": {"timed": 2, "mean": 7.0, "median": 7.0, "p99": 7.0}}}, )"
      R"({"kind": "tokenizer", "id": "d", "ns_per_kb": 8.0, "calls": )"
      R"({"count": {"timed": 5, "mean": 9.0, "median": 8.0, "p99": 10.0}, )"
      R"("encode": {"timed": 1, "mean": 2.0, "median": 2.0, "p99": 2.0}}}])");
}

TEST(plugin_cost, of_a_signature_is_a_figure_of_its_own) {
  const std::vector<plugin_costs> all{
      {IFB_BACKEND, "a", {{call::open, 10, 1, 1, 1}, {call::sign, 10, 9, 8, 10}}}};
  EXPECT_EQ(
      plugin_cost_json(all),
      R"([{"kind": "backend", "id": "a", "ns_per_request": 1.0, "ns_per_signature": 8.0, "calls": )"
      R"({"open": {"timed": 10, "mean": 1.0, "median": 1.0, "p99": 1.0}, )"
      R"("sign": {"timed": 10, "mean": 9.0, "median": 8.0, "p99": 10.0}}}])");
}

TEST(plugin_cost, of_a_request_is_missing_if_only_its_release_was_timed) {
  const std::vector<plugin_costs> all{{IFB_BACKEND, "a", {{call::release, 1, 2, 2, 2}}}};
  EXPECT_EQ(plugin_cost_json(all),
            R"([{"kind": "backend", "id": "a", "calls": )"
            R"({"release": {"timed": 1, "mean": 2.0, "median": 2.0, "p99": 2.0}}}])");
}

TEST(plugin_cost, leaves_out_functions_that_were_never_called) {
  const std::vector<plugin_costs> all{{IFB_REPORTER, "a", {}}};
  EXPECT_EQ(plugin_cost_json(all), "[]");
  const plugin::instance* const none[] = {nullptr};
  EXPECT_TRUE(take_costs(none).empty());
}

}  // namespace
}  // namespace inferbench::observe
