#include "sweep/startup_parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/sweep/items.hpp"
#include "sweep/parameter_file.hpp"

namespace inferbench::sweep {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

const std::set<std::string> own_options{"num_iters_cold", "server_cmd"};

TEST(startup_parameters, an_option_is_known_by_its_part_before_the_first_dot_in_both_spellings) {
  for (const char* key : {"_benchmark_name", "config", "config.x", "max_num_seqs", "max-num-seqs",
                          "max-num_seqs", "compilation_config.pass_config.x-y", "num_iters_cold",
                          "num-iters-cold", "server-cmd", "no-enable-prefix-caching"})
    EXPECT_TRUE(is_startup_parameter(key, own_options)) << key;
  for (const char* key : {"", ".", "port", "x.max_num_seqs", "_benchmark-name", "cold_env",
                          "--max-num-seqs", "MAX_NUM_SEQS", " max_num_seqs"})
    EXPECT_FALSE(is_startup_parameter(key, own_options)) << key;
}

TEST(startup_parameters, an_item_keeps_its_order_and_its_position) {
  const std::vector<item> items =
      parse_parameters("[{},\n {\"seed\": 1, \"port\": 2, \"dtype\": \"x\"}]", "s.json");
  const startup_items kept = with_startup_parameters(items, own_options, false);
  ASSERT_EQ(kept.items.size(), 2U);
  EXPECT_TRUE(kept.items[0].empty());
  EXPECT_EQ(kept.items[1].text(), "seed=1, dtype=x");
  EXPECT_EQ(kept.items[1].table().where.text(), items[1].table().where.text());
  EXPECT_THAT(kept.left_out,
              ElementsAre("Ignoring unsupported startup params for seed=1, port=2, dtype=x: port"));
}

TEST(startup_parameters, the_sentence_names_the_item_and_the_keys_in_order) {
  const auto left_out = [](const std::string& json) {
    return with_startup_parameters({made_item(json)}, own_options, false).left_out;
  };
  EXPECT_THAT(left_out(R"({"_benchmark_name": "n", "port": 1, "api-key": 2, "host": 3})"),
              ElementsAre("Ignoring unsupported startup params for n: api-key, host, port"));
  EXPECT_THAT(left_out(R"({"_benchmark_name": "", "port": 1})"),
              ElementsAre("Ignoring unsupported startup params for port=1: port"));
  EXPECT_THAT(left_out(R"({"po\nrt": "a\tb"})"),
              ElementsAre("Ignoring unsupported startup params for po rt=a b: po rt"));
  EXPECT_THAT(left_out(R"({"_benchmark_name": "n", "seed": 1})"), IsEmpty());
}

TEST(startup_parameters, an_item_keeps_its_name_without_any_parameter) {
  const startup_items kept = with_startup_parameters(
      {made_item(R"({"_benchmark_name": "n", "port": 1})")}, own_options, false);
  EXPECT_EQ(kept.items[0].name(), "n");
  EXPECT_EQ(kept.items[0].text(), "");
}

TEST(startup_parameters, strict_refuses_the_first_item_that_loses_a_parameter) {
  const std::vector<item> items = parse_parameters("[{\"seed\": 1},\n {\"port\": 2}]", "s.json");
  EXPECT_THAT(complaint_of([&] { return with_startup_parameters(items, own_options, true); }),
              StartsWith("s.json:2:2: Ignoring unsupported startup params for port=2: port; "));
  EXPECT_EQ(with_startup_parameters({items[0]}, own_options, true).items.size(), 1U);
}

TEST(startup_parameters, the_engines_of_all_items_are_named_once) {
  const std::vector<item> serve = {made_item(R"({"backend": "a"})"), made_item("{}")};
  const std::vector<item> bench = {made_item(R"({"backend": "b"})"),
                                   made_item(R"({"backend": "a"})"),
                                   made_item(R"({"backend": null})")};
  EXPECT_THAT(backends_in(serve, bench), ElementsAre("a", "b", "None"));
  EXPECT_THAT(backends_in({}, {}), IsEmpty());
}

}  // namespace
}  // namespace inferbench::sweep
