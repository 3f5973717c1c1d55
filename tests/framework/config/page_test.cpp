#include "config/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/keys.hpp"
#include "framework/config/fake_catalog.hpp"

namespace inferbench::config {
namespace {

using testing::HasSubstr;
using testing::Not;

// The whole page is docs/configuration.md, compared by tests/program/cli/docs_test.cpp.
std::string page() {
  fake_catalog plugins;
  return configuration_page(host_keys(), plugins.list({}));
}

TEST(page, a_key_has_one_row_with_all_its_flags) {
  const std::string text = page();
  EXPECT_THAT(text,
              HasSubstr("\n| `backend.use` | `--backend`, `--endpoint-type` (old) | text | "
                        "`\"openai\"` | Plugin that speaks the server's protocol | serve |\n"));
  EXPECT_THAT(text, HasSubstr("\n| `load.self-timed` | `--self-timed`, `--no-self-timed` (false) | "
                              "boolean |  | "));
  EXPECT_THAT(
      text,
      HasSubstr("\n| `server.api-key` |  | text |  | Sent as a bearer token; "
                "$OPENAI_API_KEY if not given (not printed) | serve, dataset show, tokenizer |"));
  EXPECT_THAT(text, HasSubstr("\n| `plugin.dir` | `--plugin-dir` | list |"));
}

TEST(page, the_table_of_an_experiment_has_a_section) {
  EXPECT_THAT(page(), HasSubstr("\n## [sweep]\n"));
  EXPECT_THAT(page(),
              HasSubstr("\n| `sweep.repeats` |  | integer | `3` | Runs of each combination | "
                        "run |\n"));
}

TEST(page, plugins_have_sections_with_their_options) {
  const std::string text = page();
  EXPECT_THAT(text, HasSubstr("\n### backend `openai`\n"));
  EXPECT_THAT(text, HasSubstr("\n| `backend.flavour` | `--openai-flavour` | `plain`, `spicy` | "
                              "`\"plain\"` | Taste of the answers | serve |\n"));
  EXPECT_THAT(text, HasSubstr("\n| `reporter.path` | `--file-path` | path |  | The file (required) "
                              "| serve |\n"));
  EXPECT_THAT(text, Not(HasSubstr("broken")));
}

TEST(page, a_bar_in_a_text_breaks_no_table) {
  options::option key;
  key.table = "run";
  key.name = "x";
  key.help = "One of a|b";
  EXPECT_THAT(configuration_page({&key, 1}, {}), HasSubstr("| One of a\\|b |"));
}

}  // namespace
}  // namespace inferbench::config
