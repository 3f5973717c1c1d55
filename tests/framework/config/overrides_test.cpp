#include "config/overrides.hpp"

#include <gtest/gtest.h>

#include "config/keys.hpp"
#include "framework/config/fake_catalog.hpp"

namespace inferbench::config {
namespace {

std::string complaint(const std::string& text) {
  return complaint_of([&] { (void)setting_of_text(text); });
}

TEST(overrides, a_set_is_a_path_and_all_that_follows_the_first_equals_sign) {
  const setting s = setting_of_text(" run.label =a=b ");
  EXPECT_EQ(s.path, "run.label");
  EXPECT_EQ(s.texts, std::vector<std::string>{"a=b "});
  EXPECT_EQ(s.where.text(), "--set run.label");
  EXPECT_EQ(setting_of_text("run.label=").texts, std::vector<std::string>{""});
}

TEST(overrides, another_form_is_refused_with_an_example) {
  const std::string remedy = "; for example --set load.request-rate=10";
  for (const std::string text : {"", "=", "run.seed", "seed=5", "bench.toml"})
    EXPECT_EQ(complaint(text), "--set: expected TABLE.KEY=VALUE, not \"" + text + "\"" + remedy);
}

class resolved_sets : public testing::Test {
 protected:
  setting resolved(const std::string& text) {
    sources from;
    from.line.push_back(setting_of_text(text));
    const std::vector<options::option> keys = host_keys();
    resolve_sets(from, {}, keys);
    return from.line.front();
  }
  std::string refusal(const std::string& text) {
    return complaint_of([&] { (void)resolved(text); });
  }
};

TEST_F(resolved_sets, a_value_for_a_member_of_a_json_key_is_merged_into_the_key) {
  const setting s = resolved("backend.extra-body.a.b+=x,y");
  EXPECT_EQ(s.path, "backend.extra-body");
  EXPECT_TRUE(s.merged);
  EXPECT_EQ(options::to_json(*s.value), R"({"a": {"b": ["x", "y"]}})");
  EXPECT_FALSE(resolved("backend.extra-body={}").merged);
}

TEST_F(resolved_sets, a_list_may_be_written_in_toml) {
  EXPECT_EQ(options::to_json(*resolved("server.header=[\"A=1\", \"B=2\"]").value),
            R"(["A=1", "B=2"])");
  EXPECT_FALSE(resolved("server.header=A=1").value.has_value());
}

TEST_F(resolved_sets, an_empty_name_of_a_member_is_refused) {
  const std::string why = ": a name is missing; write --set TABLE.KEY.NAME=VALUE";
  for (const std::string path : {"backend.extra-body.", "backend.extra-body.a..b"})
    EXPECT_EQ(refusal(path + "=1"), "--set " + path + why);
}

TEST_F(resolved_sets, an_unknown_path_is_refused_with_the_nearest) {
  EXPECT_EQ(refusal("load.request-rat=1"),
            "--set: unknown key load.request-rat; did you mean load.request-rate?");
  EXPECT_EQ(refusal("run.seed.x=1"), "--set: unknown key run.seed.x; did you mean run.seed?");
  EXPECT_EQ(refusal("reporter.label=x"),
            "--set: unknown key reporter.label; reporters are set in the file");
  EXPECT_EQ(refusal("what.is-this=x"),
            "--set: unknown key what.is-this; --help=all lists all keys");
}

}  // namespace
}  // namespace inferbench::config
