#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/offline/lines.hpp"
#include "options/environment.hpp"
#include "options/toml.hpp"

namespace inferbench::offline {
namespace {

offline_line table_line(const std::string& toml, benchmark which = benchmark::throughput) {
  return read_offline_table(which, options::parse_toml(toml, "bench.toml", {}));
}

std::string table_refusal(const std::string& toml) {
  return refusal_of([&] { return table_line(toml); });
}

TEST(offline_table, keys_of_a_file_are_flags_of_the_command_line) {
  const throughput_options found = throughput_options_of(table_line(R"(
backend = "hf"
num_prompts = 5
hf-max-batch-size = 2
disable-detokenize = true
dataset-name = "random"
random-range-ratio = 0.5
random-mm-limit-mm-per-prompt = { image = 3 }
[engine]
model = "m"
max-model-len = 4096
enforce_eager = true
enable-lora = false
compilation-config = { mode = 3 }
)"));
  EXPECT_EQ(found.engine, "hf");
  EXPECT_EQ(found.data.num_prompts, 5);
  EXPECT_EQ(found.hf_max_batch_size, 2);
  EXPECT_FALSE(found.detokenize);
  EXPECT_EQ(found.data.range_ratio, "0.5");
  EXPECT_EQ(found.model, "m");
  EXPECT_EQ(pytext::python_json(found.passed_on.table()),
            R"({"model": "m", "max_model_len": 4096, "enforce_eager": true, "enable_lora": false, )"
            R"("compilation_config": {"mode": 3}})");
}

TEST(offline_table, an_unknown_key_is_refused_with_its_position) {
  EXPECT_EQ(table_refusal("n = 1\nnum-promts = 3\n"),
            "2: bench.toml:2:14: no such key: num-promts; did you mean --num-prompts?");
  EXPECT_EQ(table_refusal("max-model-len = 4096\n"),
            "2: bench.toml:1:17: no such key: max-model-len; options of the engine belong in the "
            "table engine");
}

TEST(offline_table, a_value_of_another_type_is_refused_with_its_position) {
  EXPECT_EQ(table_refusal("n = \"1\"\n"),
            "2: bench.toml:1:5: n must be a whole number, not a text");
  EXPECT_EQ(table_refusal("profile = 1\n"),
            "2: bench.toml:1:11: profile must be true or false, not a whole number");
  EXPECT_EQ(table_refusal("engine = 3\n"),
            "2: bench.toml:1:10: engine must be a table, not a whole number");
}

TEST(offline_table, a_number_out_of_range_is_refused_with_its_position) {
  EXPECT_EQ(refusal_of([] { return throughput_options_of(table_line("n = 0\n")); }),
            "1: bench.toml:1:5: must be at least 1, not 0");
}

}  // namespace
}  // namespace inferbench::offline
