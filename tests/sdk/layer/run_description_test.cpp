#include <fstream>
#include <iterator>
#include <limits>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/run_description_json.hpp>
#include <inferbench/views.hpp>

namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

std::string text_of(const ifb::run_description& run) {
  ifb::json_writer out;
  write(out, run);
  return out.take();
}

std::string content_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string fixture() { return content_of(INFERBENCH_FIXTURES "/run_description.json"); }

/// The names in the first column of the first table of docs/run-description.md, in their order.
std::vector<std::string> documented_members() {
  static const std::regex row(R"(\| ((`\w+`(, )?)+) \| .*)"), name("`(\\w+)`");
  std::vector<std::string> out;
  std::istringstream page(content_of(INFERBENCH_SOURCE "/docs/run-description.md"));
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (std::smatch found; std::regex_match(line, found, row)) {
      inside = true;
      const std::string names = found[1];
      for (std::sregex_iterator m(names.begin(), names.end(), name), end; m != end; ++m)
        out.push_back((*m)[1]);
    } else if (inside) {
      break;
    }
  }
  return out;
}

// The test of the Rust layer reads the same file.
TEST(run_description, has_every_member_of_the_json) {
  const ifb::run_description run = ifb::describe(fixture());
  EXPECT_EQ(run.endpoint_type, "vllm");
  EXPECT_EQ(run.backend, "vllm");
  EXPECT_EQ(run.label, "first");
  EXPECT_EQ(run.model_id, "org/model");
  EXPECT_EQ(run.tokenizer_id, "org/tokenizer");
  EXPECT_EQ(run.num_prompts, 20);
  EXPECT_EQ(run.planned, 17);
  EXPECT_EQ(run.request_rate, 2.5);
  EXPECT_EQ(run.burstiness, 0.5);
  ASSERT_TRUE(run.ramp_up);
  EXPECT_EQ(run.ramp_up->strategy, "linear");
  EXPECT_EQ(run.ramp_up->start, 1.0);
  EXPECT_EQ(run.ramp_up->end, 10.0);
  EXPECT_EQ(run.traffic, "steps:0s=10");
  EXPECT_TRUE(run.self_timed);
  EXPECT_EQ(run.max_concurrency, 8);
  EXPECT_TRUE(run.pooling);
  EXPECT_FALSE(run.tokenizer);
  EXPECT_THAT(run.metadata, ElementsAre(Pair("gpu", "H200")));
  EXPECT_TRUE(run.bounded);
  EXPECT_THAT(run.selected, ElementsAre("ttft", "e2el"));
  EXPECT_THAT(run.percentiles, ElementsAre(50, 99.9));
  EXPECT_THAT(run.goodput, ElementsAre(Pair("ttft", 100.5)));
  EXPECT_TRUE(run.cached_tokens);
  EXPECT_EQ(run.scorer, "exact-match");
  EXPECT_FALSE(run.steady_state.wanted);
  EXPECT_EQ(run.steady_state.threshold, 0.5);
  EXPECT_EQ(run.steady_state.min_window_ns, 7'000'000'000U);
  EXPECT_THAT(run.thresholds, ElementsAre("ttft.p99<200ms", "failed<=1%"));
  EXPECT_TRUE(run.thresholds_certain);
  EXPECT_THAT(run.flags, ElementsAre(Pair("seed", "1"), Pair("extra-body", R"({"a": [1]})")));
  EXPECT_EQ(run.number, 2);
  EXPECT_EQ(run.runs, 3);
}

TEST(run_description, is_written_with_the_members_that_are_read) {
  ifb::json_document document;
  ASSERT_FALSE(ifb::parse_json(fixture(), document));
  EXPECT_EQ(text_of(ifb::describe(fixture())), ifb::to_text(*ifb::find(document, "resolved")));
}

// The test above fails if the fixture lacks a member that the header has.
TEST(run_description, every_member_is_in_the_document_and_in_the_rust_layer) {
  std::string rust = content_of(INFERBENCH_SOURCE "/sdk/rust/run_description.rs");
  rust.resize(rust.find("#[cfg(test)]"));
  // "goodput" is derived from "slo_ms".
  const std::set<std::string> derived{"goodput"};
  ifb::json_document document;
  ASSERT_FALSE(ifb::parse_json(fixture(), document));
  std::vector<std::string> members;
  for (const auto& each : ifb::find(document, "resolved")->GetObject()) {
    members.emplace_back(ifb::text_of(&each.name));
    if (derived.contains(members.back())) continue;
    const bool read = rust.find("(\"" + members.back() + "\")") != std::string::npos ||
                      rust.find("(\"" + members.back() + ".") != std::string::npos;
    EXPECT_TRUE(read) << members.back();
  }
  EXPECT_EQ(documented_members(), members);
}

TEST(run_description, a_text_without_a_description_has_the_defaults) {
  const std::string defaults = text_of({});
  for (const char* text :
       {"", "[]", "{}", R"({"resolved": 7})", R"({"resolved": {"planned": "x", "label": 7}})"})
    EXPECT_EQ(text_of(ifb::describe(text)), defaults) << text;
}

TEST(run_description, values_of_another_type_are_left_out) {
  const ifb::run_description run = ifb::describe(
      R"({"resolved": {"selected": ["ttft", 7], "percentiles": ["x", 50], "metadata": {"a": 1},
                       "slo_ms": [1], "run": 3, "ramp_up": "linear", "steady_state": null}})");
  EXPECT_THAT(run.selected, ElementsAre("ttft"));
  EXPECT_THAT(run.percentiles, ElementsAre(50));
  EXPECT_TRUE(run.metadata.empty());
  EXPECT_TRUE(run.goodput.empty());
  EXPECT_EQ(run.number, 1);
  EXPECT_FALSE(run.ramp_up);
  EXPECT_TRUE(run.steady_state.wanted);
}

TEST(run_description, an_infinite_number_is_a_text) {
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(ifb::describe(R"({"resolved": {"burstiness": "inf"}})").burstiness, infinite);
  EXPECT_EQ(ifb::describe(R"({"resolved": {"request_rate": "inf"}})").request_rate, infinite);
  EXPECT_THAT(ifb::describe(R"({"resolved": {"slo_ms": {"e2el": "inf", "ttft": "x"}}})").goodput,
              ElementsAre(Pair("e2el", infinite)));
  // Journals of older versions: a trace had the rate 0.
  EXPECT_EQ(ifb::describe(R"({"resolved": {"request_rate": 0.0}})").request_rate, infinite);
}

TEST(run_description, says_whether_requests_are_due_one_after_the_other) {
  EXPECT_FALSE(ifb::run_description{}.paced());
  for (const char* member : {R"("request_rate": 5)", R"("self_timed": true)", R"("ramp_up": {})",
                             R"("traffic": "steps:0s=1")"})
    EXPECT_TRUE(ifb::describe("{\"resolved\": {" + std::string(member) + "}}").paced()) << member;
}

TEST(never_sent, is_a_cancelled_record_without_a_start) {
  ifb_record r{};
  r.status = IFB_E_CANCELLED;
  EXPECT_TRUE(ifb::never_sent(r));
  r.start_ns = 1;
  EXPECT_FALSE(ifb::never_sent(r));
  r = {};
  EXPECT_FALSE(ifb::never_sent(r));
}

}  // namespace
