#include "options/forwarding.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "config/keys.hpp"
#include "framework/config/fake_catalog.hpp"
#include "plugin/option_names.hpp"

namespace inferbench::config {
namespace {

options::option declared(ifb_kind kind, std::string_view name, bool general = true) {
  ifb_option out = fake_catalog::option(name.data(), IFB_STRING, "", nullptr);
  if (general) out = fake_catalog::general(out);
  return options::option_of(out, kind, "x");
}

TEST(forwarding, leads_to_keys_that_are_there) {
  const std::vector<options::option> keys = host_keys();
  for (const ifb_kind kind : plugin::all_kinds)
    for (const std::string_view name : plugin::general_names(kind)) {
      const options::option of = declared(kind, name);
      const std::string_view elsewhere = options::forwarded_path(of);
      const std::string path = elsewhere.empty() ? of.path() : std::string(elsewhere);
      EXPECT_NE(std::ranges::find(keys, path, &options::option::path), keys.end()) << path;
      EXPECT_EQ(options::forwarded_path(declared(kind, name, false)), "") << name;
    }
  EXPECT_EQ(options::forwarded_path(declared(IFB_REPORTER, "label")), "run.label");
  EXPECT_EQ(options::forwarded_path(declared(IFB_REPORTER, "indent")), "");
  EXPECT_EQ(options::forwarded_path(declared(IFB_BACKEND, "label")), "");
}

// abi.h promises that its list of taken names is final: a new key of the host goes to another
// table.
TEST(forwarding, leaves_no_key_of_a_plugin_table_that_a_plugin_could_declare) {
  for (const options::option& key : host_keys())
    for (const ifb_kind kind : plugin::all_kinds)
      if (key.table == plugin::name_of(kind)) {
        EXPECT_TRUE(plugin::is_taken(kind, key.name, 0)) << key.path();
      }
}

TEST(forwarding, knows_which_keys_reporters_hear) {
  EXPECT_TRUE(options::is_forwarded(IFB_REPORTER, "run.label"));
  EXPECT_TRUE(options::is_forwarded(IFB_REPORTER, "run.timeline-itl-thresholds"));
  EXPECT_FALSE(options::is_forwarded(IFB_REPORTER, "run.seed"));
  EXPECT_FALSE(options::is_forwarded(IFB_BACKEND, "run.label"));
}

TEST(forwarding, general_options_have_no_flag_of_their_own_except_for_lengths) {
  EXPECT_TRUE(options::has_host_flag(IFB_BACKEND, "endpoint"));
  EXPECT_TRUE(options::has_host_flag(IFB_REPORTER, "label"));
  EXPECT_FALSE(options::has_host_flag(IFB_DATASET, "input-len"));
  EXPECT_FALSE(options::has_host_flag(IFB_REPORTER, "indent"));
}

TEST(forwarding, the_flag_of_an_option_is_its_own_or_the_general_one) {
  const std::vector<options::option> keys = host_keys();
  const auto flag = [&](ifb_kind kind, const char* name, const char* own = nullptr) {
    ifb_option option = fake_catalog::general(fake_catalog::option(name, IFB_STRING, "", nullptr));
    option.flag = own;
    return std::string(options::flag_for(options::option_of(option, kind, "x"), keys));
  };
  EXPECT_EQ(flag(IFB_REPORTER, "indent"), "x-indent");
  EXPECT_EQ(flag(IFB_REPORTER, "itl-thresholds"), "timeline-itl-thresholds");
  EXPECT_EQ(flag(IFB_TOKENIZER, "model"), "model");
  EXPECT_EQ(flag(IFB_TOKENIZER, "path"), "tokenizer");
  EXPECT_EQ(flag(IFB_BACKEND, "endpoint"), "endpoint");
  EXPECT_EQ(flag(IFB_DATASET, "input-len"), "x-input-len");
  EXPECT_EQ(flag(IFB_DATASET, "chat-template-kwargs"), "chat-template-kwargs");
  EXPECT_EQ(flag(IFB_BACKEND, "api-key"), "");
  EXPECT_EQ(flag(IFB_DATASET, "split", "hf-split"), "hf-split");
  EXPECT_EQ(options::flag_for(declared(IFB_TOKENIZER, "model", false), keys), "x-model");
}

}  // namespace
}  // namespace inferbench::config
