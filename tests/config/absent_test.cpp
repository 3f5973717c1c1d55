#include "config/absent.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <string>

#include "config/fake_catalog.hpp"
#include "config/keys.hpp"

namespace inferbench::config {
namespace {

TEST(absent, flags_are_those_that_nobody_spells) {
  flag_table known;
  known.add(host_keys(), for_serve);
  const std::vector<option> all = absent_options(known);
  for (const option& o : all) {
    EXPECT_FALSE(known.contains(o.flag)) << o.flag;
    EXPECT_TRUE(o.group.starts_with("dataset ")) << o.flag;
  }
  option own;
  own.flag = "hf-split";
  known.add(own);
  const std::vector<option> rest = absent_options(known);
  EXPECT_EQ(rest.size() + 1, all.size());
  EXPECT_EQ(std::ranges::find(rest, "hf-split", &option::flag), rest.end());
}

TEST(absent, switches_and_json_flags_are_read_as_such) {
  const std::vector<option> all = absent_options({});
  const auto find = [&](std::string_view flag) {
    return *std::ranges::find(all, flag, &option::flag);
  };
  EXPECT_EQ(find("custom-ensure-client-side-data").takes, arity::none);
  EXPECT_EQ(find("random-mm-limit-mm-per-prompt").type, IFB_JSON);
  EXPECT_EQ(find("random-mm-bucket-config").takes, arity::one);
}

// An arity of upstream's by its type.
arity arity_of(const std::string& type) {
  if (type == "switch") return arity::none;
  return type == "list" ? arity::some : arity::one;
}

TEST(absent, flags_take_as_many_words_as_upstreams) {
  std::ifstream snapshot(INFERBENCH_SOURCE "/tests/fixtures/cli/upstream_flags.tsv");
  std::map<std::string, std::string> types;
  for (std::string line; std::getline(snapshot, line);) {
    if (line.starts_with('#')) continue;
    const auto tab = line.find('\t');
    types[line.substr(0, tab)] = line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
  }
  const std::vector<option> all = absent_options({});
  EXPECT_GT(all.size(), 15U);
  for (const option& o : all) {
    ASSERT_TRUE(types.contains(o.flag)) << o.flag;
    EXPECT_EQ(o.takes, arity_of(types[o.flag])) << o.flag;
    EXPECT_EQ(o.type == IFB_STRINGS, types[o.flag] == "list") << o.flag;
    EXPECT_EQ(o.type == IFB_JSON, types[o.flag] == "json") << o.flag;
    EXPECT_EQ(o.type == IFB_BOOL, types[o.flag] == "switch") << o.flag;
  }
}

}  // namespace
}  // namespace inferbench::config
