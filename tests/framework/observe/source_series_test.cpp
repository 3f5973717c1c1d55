#include "observe/source_series.hpp"

#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"

namespace inferbench::observe {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

/// The values by the names of their series. `fresh` values are left out.
std::map<std::string, double> by_name(const source_series& from, const records::observation& what) {
  std::map<std::string, double> out;
  for (const records::observed_value& one : what.values)
    if (!one.fresh) out[from.all()[one.series].name] = one.value;
  return out;
}

std::map<std::string, double> ready_values(const std::string& file) {
  source_series series({});
  records::observation what;
  series.read(base::read_file(INFERBENCH_SOURCE "/tests/fixtures/observe/" + file), what);
  return by_name(series, what);
}

TEST(ready_names, of_vllm_are_sums_and_means_over_its_engines) {
  EXPECT_THAT(
      ready_values("vllm.txt"),
      UnorderedElementsAre(Pair("running", 8), Pair("waiting", 2), Pair("kv_cache_usage", 0.375),
                           Pair("prefix_cache_queries", 1500), Pair("prefix_cache_hits", 300),
                           Pair("preemptions", 1), Pair("spec_decode_drafted", 90),
                           Pair("spec_decode_accepted", 60), Pair("prompt_tokens", 1500),
                           Pair("generation_tokens", 3000)));
}

TEST(ready_names, of_sglang_count_the_ranks_of_an_engine_once) {
  EXPECT_THAT(
      ready_values("sglang.txt"),
      UnorderedElementsAre(Pair("running", 7), Pair("waiting", 4), Pair("kv_cache_usage", 0.28),
                           Pair("prefix_cache_queries", 8128902), Pair("prefix_cache_hits", 1024),
                           Pair("preemptions", 2), Pair("spec_decode_acceptance_rate", 0.75),
                           Pair("prompt_tokens", 8128902), Pair("generation_tokens", 7557572)));
}

TEST(ready_names, of_tgi_have_sums_of_histograms) {
  EXPECT_THAT(ready_values("tgi.txt"),
              UnorderedElementsAre(Pair("running", 6), Pair("waiting", 3),
                                   Pair("prompt_tokens", 4100), Pair("generation_tokens", 23600)));
}

TEST(ready_names, of_llama_cpp_add_the_cached_tokens_to_the_queries) {
  EXPECT_THAT(
      ready_values("llama_cpp.txt"),
      UnorderedElementsAre(Pair("running", 4), Pair("waiting", 9), Pair("kv_cache_usage", 0.63),
                           Pair("prefix_cache_queries", 4140), Pair("prefix_cache_hits", 3893),
                           Pair("spec_decode_drafted", 200), Pair("spec_decode_accepted", 120),
                           Pair("prompt_tokens", 247), Pair("generation_tokens", 690)));
}

// The page that llama-server 0.7.0 had after 60 requests of 400 output tokens each. It has no
// metric of the KV cache.
TEST(ready_names, of_llama_cpp_are_on_the_page_of_a_real_server) {
  EXPECT_THAT(ready_values("llama_server_0_7.txt"),
              UnorderedElementsAre(Pair("running", 0), Pair("waiting", 0),
                                   Pair("prefix_cache_queries", 3853), Pair("prefix_cache_hits", 0),
                                   Pair("spec_decode_drafted", 0), Pair("spec_decode_accepted", 0),
                                   Pair("prompt_tokens", 3853), Pair("generation_tokens", 24000)));
}

TEST(ready_names, of_tensorrt_llm_count_blocks) {
  EXPECT_THAT(
      ready_values("trtllm.txt"),
      UnorderedElementsAre(Pair("running", 8), Pair("waiting", 1), Pair("kv_cache_usage", 0.62),
                           Pair("prefix_cache_queries", 120), Pair("prefix_cache_hits", 30),
                           Pair("prompt_tokens", 4096), Pair("generation_tokens", 512)));
}

TEST(ready_names, of_triton_are_chosen_by_label) {
  EXPECT_THAT(ready_values("triton.txt"),
              UnorderedElementsAre(Pair("running", 6), Pair("waiting", 2),
                                   Pair("kv_cache_usage", 0.4875), Pair("power_w", 100),
                                   Pair("gpu_utilization", ::testing::DoubleEq(0.59))));
}

TEST(ready_names, of_dcgm_are_in_our_units_and_without_its_blank_values) {
  EXPECT_THAT(ready_values("dcgm.txt"),
              UnorderedElementsAre(Pair("power_w", 650.5),
                                   Pair("gpu_utilization", ::testing::DoubleEq(0.8)),
                                   Pair("energy_j", 2000), Pair("gpu_memory_used", 2147483648)));
}

TEST(ready_names, of_the_node_exporter) {
  EXPECT_THAT(ready_values("node.txt"),
              UnorderedElementsAre(Pair("load1", 0.21), Pair("memory_available", 68719476736)));
}

TEST(ready_names, of_a_server_and_its_metrics_are_unique) {
  std::map<std::string, std::string> units;
  for (const ready_name& row : ready_names()) {
    EXPECT_FALSE(row.unit.empty()) << row.metric;
    EXPECT_EQ(row.label_name.empty(), row.label_value.empty()) << row.metric;
    EXPECT_TRUE(row.counter || !row.unit.ends_with("/s")) << row.metric;
    const std::string key = std::string(row.server) + " " + std::string(row.name);
    const auto [known, added] = units.emplace(key, row.unit);
    EXPECT_TRUE(added || known->second == row.unit) << key;
  }
}

TEST(source_series, defines_a_series_with_its_first_value_only) {
  source_series series({});
  records::observation first;
  series.read("vllm:num_requests_running{engine=\"0\"} 3\n", first);
  ASSERT_THAT(first.series, SizeIs(1));
  EXPECT_EQ(first.series[0].metric, "vllm:num_requests_running");
  EXPECT_EQ(first.series[0].unit, "requests");
  EXPECT_EQ(first.series[0].combined, "sum");
  EXPECT_EQ(series.server(), "vllm");
  records::observation second;
  series.read("vllm:num_requests_running{engine=\"0\"} 4\nvllm:num_requests_waiting 1\n", second);
  ASSERT_THAT(second.series, SizeIs(1));
  EXPECT_EQ(second.series[0].name, "waiting");
  EXPECT_THAT(second.values, SizeIs(2));
  EXPECT_THAT(series.all(), SizeIs(2));
}

TEST(source_series, the_first_metric_of_a_name_that_a_page_has_counts) {
  source_series series({});
  records::observation what;
  series.read("vllm:gpu_cache_usage_perc 0.4\nvllm:kv_cache_usage_perc 0.5\n", what);
  EXPECT_THAT(by_name(series, what), ElementsAre(Pair("kv_cache_usage", 0.5)));
}

TEST(source_series, a_counter_whose_label_sets_change_is_fresh) {
  source_series series({});
  const auto fresh = [&](const std::string& page) {
    records::observation what;
    series.read(page, what);
    return what.values.at(0).fresh;
  };
  const std::string one = "vllm:generation_tokens_total{engine=\"0\"} 100\n";
  const std::string two = "vllm:generation_tokens_total{engine=\"1\"} 100\n";
  EXPECT_FALSE(fresh(one + two));
  EXPECT_FALSE(fresh(two + one)) << "in another order";
  EXPECT_TRUE(fresh(one)) << "the second engine is gone";
  EXPECT_FALSE(fresh(one));
  EXPECT_TRUE(fresh(one + two));
}

TEST(source_series, values_that_are_no_numbers_are_left_out) {
  source_series series({"*"});
  records::observation what;
  series.read("vllm:num_requests_running NaN\nvllm:num_requests_waiting +Inf\n", what);
  EXPECT_THAT(what.values, IsEmpty());
}

TEST(source_series, keeps_what_the_patterns_name_with_each_label_set) {
  source_series series({"node_cpu*", "http_?_total"});
  records::observation what;
  series.read(
      "# TYPE node_cpu_seconds_total counter\n"
      "node_cpu_seconds_total{cpu=\"0\"} 5\nnode_cpu_seconds_total{cpu=\"1\"} 6\n"
      "node_cpu_temperature 40\nhttp_a_total 7\nhttp_ab_total 8\nother 9\n",
      what);
  ASSERT_THAT(what.series, SizeIs(4));
  EXPECT_EQ(what.series[0].name, "node_cpu_seconds_total");
  EXPECT_THAT(what.series[0].labels, ElementsAre(Pair("cpu", "0")));
  EXPECT_TRUE(what.series[0].counter);
  EXPECT_EQ(what.series[0].combined, "");
  EXPECT_FALSE(what.series[2].counter);
  EXPECT_TRUE(what.series[3].counter) << "by its name, for the page does not say";
  EXPECT_THAT(what.values, SizeIs(4));
}

TEST(source_series, takes_a_series_once_of_a_page_that_repeats_it) {
  source_series series({"a"});
  records::observation what;
  series.read("a 1\na 2\n", what);
  ASSERT_THAT(what.values, SizeIs(1));
  EXPECT_EQ(what.values[0].value, 1);
}

TEST(source_series, keeps_a_limited_number_and_counts_the_others) {
  source_series series({"*"});
  std::string page = "vllm:num_requests_running 1\n";
  for (std::size_t i = 0; i < source_series::most_wanted + 9; ++i)
    page += "m{i=\"" + std::to_string(i) + "\"} 1\n";
  records::observation what;
  series.read(page, what);
  EXPECT_EQ(series.all().size(), source_series::most_wanted + 1) << "and the ready name";
  EXPECT_EQ(series.left_out(), 10U);
}

TEST(source_series, a_label_that_is_not_utf8_cannot_damage_a_result) {
  source_series series({"m"});
  records::observation what;
  series.read("m{a=\"\xff\"} 1\n", what);
  ASSERT_THAT(what.series, SizeIs(1));
  EXPECT_EQ(what.series[0].labels[0].second, "\xEF\xBF\xBD");
}

TEST(matches, stars_and_question_marks) {
  for (const auto& [pattern, text] :
       std::vector<std::pair<const char*, const char*>>{{"*", ""},
                                                        {"*", "abc"},
                                                        {"a*c", "abbc"},
                                                        {"a*c", "ac"},
                                                        {"*b*", "abc"},
                                                        {"a?c", "abc"},
                                                        {"abc", "abc"},
                                                        {"*a*a*b", "aaab"},
                                                        {"**", "x"}})
    EXPECT_TRUE(matches(pattern, text)) << pattern << " " << text;
  for (const auto& [pattern, text] : std::vector<std::pair<const char*, const char*>>{
           {"", "a"}, {"a", ""}, {"a?", "a"}, {"a*c", "abd"}, {"abc", "abcd"}, {"?", ""}})
    EXPECT_FALSE(matches(pattern, text)) << pattern << " " << text;
}

TEST(matches, takes_no_exponential_time) {
  std::string pattern;
  for (int i = 0; i < 200; ++i)
    pattern += "*a";
  EXPECT_FALSE(matches(pattern + "b", std::string(5000, 'a')));
}

}  // namespace
}  // namespace inferbench::observe
