#include "config/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/request.hpp"
#include "framework/config/fake_catalog.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::config {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

class digests : public testing::Test {
 protected:
  plan parse(const std::string& text) {
    return parse_run(std::vector{files.write("settings.toml", text)}, env, plugins).plan;
  }
  std::string complaint(const std::string& text) {
    return complaint_of([&] { (void)parse(text); });
  }
  static std::string line(const std::string& digest) { return "sha256 = \"" + digest + "\"\n"; }

  const support::temporary_folder files;
  const std::string small = std::string(32, 'a') + std::string(32, '0');
  const std::string large = std::string(32, 'A') + std::string(32, '0');
  options::environment env = test_environment();
  fake_catalog plugins;
};

TEST_F(digests, every_plugin_may_be_pinned_to_one) {
  const std::string file = "[backend]\n" + line(small) + "[dataset]\n" + line(large) +
                           "[tokenizer]\nuse = \"bytes\"\n" + line(small) +
                           "[[reporter]]\nuse = \"console\"\n" + line(large);
  const plan first = parse(file);
  EXPECT_THAT(plugins.digests, ElementsAre(small, small, small, small));
  plugins.digests.clear();
  (void)parse(first.toml);
  EXPECT_THAT(plugins.digests, ElementsAre(small, small, small, small)) << "as it was printed";
}

TEST_F(digests, a_text_that_is_not_a_digest_is_refused_before_its_plugin_is_loaded) {
  for (const std::string table :
       {"[backend]\n", "[dataset]\n", "[[reporter]]\nuse = \"console\"\n"})
    for (const std::string& value : {std::string("0x12"), small + "0", std::string(64, 'g')})
      EXPECT_THAT(
          complaint(table + line(value)),
          EndsWith(
              "sha256 is not a SHA-256 digest: 64 hexadecimal digits are expected; copy it from "
              "inferbench plugin show"));
  for (const std::string table : {"dataset", "backend", "tokenizer"})
    EXPECT_THAT(complaint("[" + table + "]\nsha256 = 5\n"), HasSubstr(table + ".sha256"));
  EXPECT_THAT(plugins.digests, testing::IsEmpty());
}

TEST_F(digests, are_not_allowed_for_a_tokenizer_that_is_chosen_automatically) {
  EXPECT_THAT(complaint("[tokenizer]\n" + line(small)),
              HasSubstr("tokenizer.sha256 is set without the name of the plugin"));
  EXPECT_THAT(complaint("[tokenizer]\nuse = \"none\"\n" + line(small)),
              HasSubstr("tokenizer.sha256 is set without the name of the plugin"));
}

}  // namespace
}  // namespace inferbench::config
