#include "config/absent.hpp"

#include <algorithm>

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
  EXPECT_EQ(find("no-reranker").takes, arity::none);
  EXPECT_EQ(find("custom-ensure-client-side-data").takes, arity::none);
  EXPECT_EQ(find("random-mm-limit-mm-per-prompt").type, IFB_JSON);
  EXPECT_EQ(find("random-mm-bucket-config").takes, arity::one);
}

}  // namespace
}  // namespace inferbench::config
