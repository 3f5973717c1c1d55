#include "config/missing_plugin_flags.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "config/keys.hpp"
#include "framework/config/fake_catalog.hpp"
#include "options/flag_value.hpp"
#include "options/refusal.hpp"

namespace inferbench::config {
namespace {

TEST(missing_plugin_flags, flags_are_those_that_are_not_in_the_flag_table) {
  flag_table known;
  known.add(host_keys(), options::for_serve);
  const std::vector<options::option> all = missing_plugin_flags(known);
  for (const options::option& o : all) {
    EXPECT_FALSE(known.contains(o.flag)) << o.flag;
    EXPECT_TRUE(o.group.starts_with("dataset ")) << o.flag;
  }
  options::option own;
  own.flag = "hf-split";
  known.add(own);
  const std::vector<options::option> rest = missing_plugin_flags(known);
  EXPECT_EQ(rest.size() + 1, all.size());
  EXPECT_EQ(std::ranges::find(rest, "hf-split", &options::option::flag), rest.end());
}

TEST(missing_plugin_flags, switches_and_json_flags_are_read_as_in_upstream) {
  const std::vector<options::option> all = missing_plugin_flags({});
  const auto find = [&](std::string_view flag) {
    return *std::ranges::find(all, flag, &options::option::flag);
  };
  EXPECT_EQ(find("custom-ensure-client-side-data").takes, options::arity::none);
  EXPECT_EQ(find("random-mm-limit-mm-per-prompt").type, IFB_JSON);
  EXPECT_EQ(find("random-mm-bucket-config").takes, options::arity::one);
}

// The arity of an upstream flag of this type.
options::arity arity_of(const std::string& type) {
  if (type == "switch") return options::arity::none;
  return type == "list" ? options::arity::some : options::arity::one;
}

TEST(missing_plugin_flags, flags_take_as_many_words_as_upstreams) {
  std::ifstream snapshot(INFERBENCH_SOURCE "/tests/fixtures/cli/upstream_flags.tsv");
  std::map<std::string, std::string> types;
  for (std::string line; std::getline(snapshot, line);) {
    if (line.starts_with('#')) continue;
    const auto tab = line.find('\t');
    types[line.substr(0, tab)] = line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
  }
  const std::vector<options::option> all = missing_plugin_flags({});
  EXPECT_GT(all.size(), 15U);
  for (const options::option& o : all) {
    ASSERT_TRUE(types.contains(o.flag)) << o.flag;
    EXPECT_EQ(o.takes, arity_of(types[o.flag])) << o.flag;
    EXPECT_EQ(o.type == IFB_STRINGS, types[o.flag] == "list") << o.flag;
    EXPECT_EQ(o.type == IFB_JSON, types[o.flag] == "json") << o.flag;
    EXPECT_EQ(o.type == IFB_BOOL, types[o.flag] == "switch") << o.flag;
    EXPECT_EQ(o.type == IFB_INT, types[o.flag] == "int") << o.flag;
    EXPECT_EQ(o.type == IFB_FLOAT, types[o.flag] == "float") << o.flag;
    EXPECT_EQ(o.type == IFB_CHOICE, types[o.flag] == "choice") << o.flag;
  }
}

// "" if the value is accepted.
std::string complaint_about(const std::string& flag, const std::string& text,
                            std::optional<ifb_type> ours = {}) {
  const std::vector<options::option> all = missing_plugin_flags({});
  options::option declared = *std::ranges::find(all, flag, &options::option::flag);
  if (ours) declared.type = *ours;
  try {
    check_idle(declared, options::node_of_text(declared, std::vector{text}, {"--" + flag, 0, 0}),
               {});
  } catch (const options::usage_error& e) {
    return e.what();
  }
  return {};
}

TEST(missing_plugin_flags, values_are_read_as_upstreams_parser_reads_them) {
  EXPECT_EQ(complaint_about("hf-output-len", "abc"),
            "--hf-output-len: expected a whole number, not \"abc\"; give a whole number");
  EXPECT_EQ(complaint_about("hf-output-len", "-7"), "");
  EXPECT_NE(complaint_about("asr-max-audio-len-sec", "long"), "");
  EXPECT_EQ(complaint_about("asr-max-audio-len-sec", "inf"), "");
  EXPECT_NE(complaint_about("speed-bench-dataset-subset", "throughput_3k"), "");
  EXPECT_EQ(complaint_about("speed-bench-dataset-subset", "throughput_32k"), "");
  EXPECT_NE(complaint_about("random-mm-limit-mm-per-prompt", "{"), "");
  EXPECT_EQ(complaint_about("hf-split", "x"), "");
}

TEST(missing_plugin_flags, a_length_may_be_a_distribution_where_ours_takes_one) {
  EXPECT_NE(complaint_about("random-input-len", "abc", IFB_STRING), "");
  EXPECT_NE(complaint_about("random-input-len", "1.5", IFB_STRING), "");
  EXPECT_EQ(complaint_about("random-input-len", "15", IFB_STRING), "");
  EXPECT_EQ(complaint_about("random-input-len", "uniform(1, 9)", IFB_STRING), "");
}

TEST(missing_plugin_flags, buckets_are_a_python_dict_of_triples) {
  const auto complaint = [](const char* text) {
    return complaint_about("random-mm-bucket-config", text);
  };
  for (const char* good : {"{(256, 256, 1): 0.5, (720, 1280, 16): 0.0}", "{}", "{(1,2,3,):1,}",
                           " { '(1,2,3)' : 1e-1 }", R"x({"(256,256,1)": 0.7, "(64,64,8)": 0.3})x"})
    EXPECT_EQ(complaint(good), "") << good;
  EXPECT_EQ(complaint("[1]"),
            "--random-mm-bucket-config: expected buckets with weights, not \"[1]\"; write "
            "{(HEIGHT, WIDTH, FRAMES): WEIGHT, ...}");
  for (const char* bad : {"", "{", "{(1,2): 1}", "{(1,2,3): x}", "{(1,2,3): 1", "{(1,2,3): 1} 2",
                          "{1: 2}", "{'(1,2,3): 1}", "{(1.5,2,3): 1}", "{(1,2,3): }"})
    EXPECT_NE(complaint(bad), "") << bad;
}

}  // namespace
}  // namespace inferbench::config
