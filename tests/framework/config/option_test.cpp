#include "options/option.hpp"

#include <gtest/gtest.h>

#include "framework/config/fake_catalog.hpp"

namespace inferbench::config {
namespace {

TEST(option, the_flag_of_a_plugin_begins_with_its_id) {
  const ifb_option c = fake_catalog::option("num-prefixes", IFB_INT, "Some.", "10");
  const options::option o = options::option_of(c, IFB_DATASET, "prefix_repetition");
  EXPECT_EQ(o.flag, "prefix-repetition-num-prefixes");
  EXPECT_EQ(o.path(), "dataset.num-prefixes");
  EXPECT_EQ(o.group, "dataset prefix_repetition");
  EXPECT_EQ(o.help, "Some");
  EXPECT_EQ(o.fallback, "10");
}

TEST(option, a_plugin_may_name_its_flag) {
  const ifb_option c =
      fake_catalog::flagged(fake_catalog::option("plain", IFB_BOOL, "x", nullptr), "no_reranker");
  const options::option o = options::option_of(c, IFB_DATASET, "random-rerank");
  EXPECT_EQ(o.flag, "no-reranker");
  EXPECT_EQ(o.takes, options::arity::none);
}

TEST(option, a_general_option_gets_no_flag) {
  const auto flag_of = [](const char* name, ifb_kind kind, bool general = true) {
    ifb_option declared = fake_catalog::option(name, IFB_STRING, "x", nullptr);
    if (general) declared = fake_catalog::general(declared);
    return options::option_of(declared, kind, "id").flag;
  };
  EXPECT_EQ(flag_of("endpoint", IFB_BACKEND), "");
  EXPECT_EQ(flag_of("path", IFB_DATASET), "");
  EXPECT_EQ(flag_of("label", IFB_REPORTER), "");
  EXPECT_EQ(flag_of("path", IFB_REPORTER), "id-path");
  EXPECT_EQ(flag_of("input-len", IFB_DATASET), "id-input-len");
  // Without the bit, the option is the plugin's own.
  EXPECT_EQ(flag_of("api-key", IFB_BACKEND, false), "id-api-key");
  EXPECT_EQ(flag_of("label", IFB_REPORTER, false), "id-label");
}

TEST(option, is_set_by_the_run_if_it_is_general) {
  const auto of_run = [](const ifb_option& declared, ifb_kind kind) {
    return options::option_of(declared, kind, "id").of_run;
  };
  const ifb_option model = fake_catalog::option("model", IFB_STRING, "x", nullptr);
  EXPECT_TRUE(of_run(fake_catalog::general(model), IFB_TOKENIZER));
  EXPECT_FALSE(of_run(model, IFB_TOKENIZER));
  EXPECT_FALSE(of_run(fake_catalog::general(model), IFB_REPORTER));
}

TEST(option, both_descriptions_of_a_plugin_make_the_same_option) {
  fake_catalog plugins;
  plugins.show_all();
  for (const plugin::described& d : plugins.list({})) {
    if (!d.trouble.empty()) continue;
    const auto loaded = plugins.load(d.kind, d.name, {}).options();
    ASSERT_EQ(loaded.size(), d.options.size());
    for (std::size_t i = 0; i < loaded.size(); ++i) {
      const options::option a = options::option_of(*loaded[i], d.kind, d.id);
      const options::option b = options::option_of(d.options[i], d.kind, d.id);
      EXPECT_EQ(a.path(), b.path());
      EXPECT_EQ(a.flag, b.flag);
      EXPECT_EQ(a.type, b.type);
      EXPECT_EQ(a.fallback, b.fallback);
      EXPECT_EQ(a.choices, b.choices);
      EXPECT_EQ(a.takes, b.takes);
      EXPECT_EQ(a.required, b.required);
      EXPECT_EQ(a.secret, b.secret);
      EXPECT_EQ(a.of_run, b.of_run);
    }
  }
}

TEST(option, members_that_a_plugin_leaves_out_are_empty) {
  ifb_option c{};
  c.struct_size = sizeof c;
  c.type = IFB_INT;
  c.name = "n";
  const options::option o = options::option_of(c, IFB_REPORTER, "r");
  EXPECT_EQ(o.help, "");
  EXPECT_FALSE(o.fallback.has_value());
  EXPECT_EQ(options::value_name_of(o), "N");
}

}  // namespace
}  // namespace inferbench::config
