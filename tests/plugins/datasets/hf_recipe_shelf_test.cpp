// The recipes that a run can use, and the choice of the recipe for a data set.
#include <map>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "datasets/hf/recipe_choice.hpp"
#include "datasets/hf/recipe_shelf.hpp"
#include "support/plugin_box.hpp"
#include "support/temporary_folder.hpp"

namespace hf {
namespace {

using inferbench::support::temporary_folder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string recipe_for(const std::string& id, const std::string& prompt) {
  return "ids = [\"" + id + "\"]\nprompt = \"" + prompt + "\"\n[output]\ntokens = 5\n";
}

struct shelf_bench {
  explicit shelf_bench(const std::vector<std::filesystem::path>& folders = {})
      : shelf(ifb::host(host.table()), folders) {}
  support::host host;
  recipe_shelf shelf;
};

environment_lookup lookup_in(const std::map<std::string, std::string>& variables) {
  return [&variables](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  };
}

TEST(hf_recipe_folders, are_those_of_the_variable_then_the_user_s_then_those_of_the_program) {
  const temporary_folder prefix;
  std::filesystem::create_directories(prefix.root / "share/inferbench/recipes");
  const std::string library = prefix.path("lib/inferbench/plugins/datasets/hf.so");
  const std::string installed = prefix.path("share/inferbench/recipes");
  const std::map<std::string, std::string> all{{"INFERBENCH_RECIPE_PATH", "/a::b:/c/../d"},
                                               {"XDG_DATA_HOME", "/data"},
                                               {"HOME", "/home/me"}};
  EXPECT_THAT(recipe_folders(lookup_in(all), library),
              ElementsAre("/a", "/d", "/data/inferbench/recipes", installed));
  const std::map<std::string, std::string> home{{"HOME", "/home/me"}};
  EXPECT_THAT(recipe_folders(lookup_in(home), library),
              ElementsAre("/home/me/.local/share/inferbench/recipes", installed));
  const std::map<std::string, std::string> none;
  EXPECT_THAT(recipe_folders(lookup_in(none), "/no/such/hf.so"), IsEmpty());
  EXPECT_THAT(recipe_folders(lookup_in(none), ""), IsEmpty());
}

TEST(hf_recipe_shelf, recipes_of_folders_come_before_those_of_the_plugin) {
  const temporary_folder first;
  const temporary_folder second;
  first.write("b.toml", recipe_for("openai/gsm8k", "first"));
  second.write("a.toml", recipe_for("openai/gsm8k", "second"));
  second.write("z.toml", recipe_for("my/own", "mine"));
  second.write("note.txt", "not a recipe");
  const shelf_bench b({first.root, second.root, second.root / "nowhere"});
  ASSERT_NE(b.shelf.of("openai/gsm8k"), nullptr);
  EXPECT_EQ(b.shelf.of("openai/gsm8k")->path, first.path("b.toml"));
  EXPECT_EQ(b.shelf.of("my/own")->path, second.path("z.toml"));
  EXPECT_EQ(b.shelf.of("My/own"), nullptr);
  EXPECT_THAT(b.shelf.ids(), ::testing::Contains("my/own"));
  EXPECT_THAT(b.host.log(), IsEmpty());
}

TEST(hf_recipe_shelf, a_file_that_is_no_recipe_is_left_out_with_a_warning) {
  const temporary_folder folder;
  folder.write("bad.toml", "prompt = \"x\"\n");
  folder.write("good.toml", recipe_for("my/own", "mine"));
  const shelf_bench b({folder.root});
  EXPECT_NE(b.shelf.of("my/own"), nullptr);
  EXPECT_THAT(b.host.log(), ElementsAre(HasSubstr("a recipe is left out: " +
                                                  folder.path("bad.toml") + ":1: there is no")));
}

TEST(hf_recipe_choice, the_id_of_hf_name_comes_before_the_path) {
  const shelf_bench b;
  const auto by_name =
      choose_recipe({.path = "AI-MO/NuminaMath-CoT", .name = "openai/gsm8k"}, b.shelf);
  EXPECT_EQ(by_name.path, "AI-MO/NuminaMath-CoT");
  EXPECT_EQ(by_name.of.path, "gsm8k.toml");
  EXPECT_FALSE(by_name.guessed);
  EXPECT_EQ(choose_recipe({.path = "openai/gsm8k", .name = "no/recipe"}, b.shelf).of.path,
            "gsm8k.toml");
  EXPECT_EQ(choose_recipe({.path = {}, .name = "openai/gsm8k"}, b.shelf).path, "openai/gsm8k");
}

TEST(hf_recipe_choice, a_data_set_without_a_recipe_is_read_by_the_names_of_its_columns) {
  const shelf_bench b;
  const auto chosen = choose_recipe({.path = "/data/mine"}, b.shelf);
  EXPECT_TRUE(chosen.guessed);
  EXPECT_EQ(chosen.of.path, "any.toml");
  const auto named = choose_recipe({.path = "/data/mine", .column = "q"}, b.shelf);
  EXPECT_FALSE(named.guessed);
  // Only this column and those of the recorded answer are read.
  EXPECT_THAT(
      named.of.columns,
      ::testing::ElementsAre("q", "conversation?", "conversations?", "messages?", "completion?",
                             "response?", "answer?", "output?", "solution?", "answers?"));
  EXPECT_EQ(named.of.output_tokens, 128);
}

TEST(hf_recipe_choice, a_recipe_of_the_user_s_own_is_read_from_its_file) {
  const temporary_folder folder;
  const std::string file = folder.write("my.toml", recipe_for("my/own", "mine"));
  const shelf_bench b;
  const auto chosen = choose_recipe({.path = "/data/mine", .file = file}, b.shelf);
  EXPECT_EQ(chosen.path, "/data/mine");
  EXPECT_EQ(chosen.of.path, file);
  EXPECT_EQ(choose_recipe({.file = file}, b.shelf).path, "my/own");
  const auto refusal = [&](const recipe_request& asked) -> std::pair<std::string, std::string> {
    try {
      static_cast<void>(choose_recipe(asked, b.shelf));
    } catch (const ifb::failure& e) {
      return {e.option(), e.message()};
    }
    return {};
  };
  EXPECT_EQ(refusal({.path = "x", .file = file, .column = "q"}).first, "hf-text-column");
  EXPECT_EQ(refusal({.path = "x", .file = folder.path("none")}).first, "hf-recipe");
}

TEST(hf_recipe_choice, without_a_path_the_known_data_sets_are_listed) {
  const shelf_bench b;
  try {
    static_cast<void>(choose_recipe({}, b.shelf));
    FAIL();
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.option(), "path");
    EXPECT_THAT(e.message(), HasSubstr("--dataset-path is not given"));
    for (const char* const id : {"openai/gsm8k", "AI-MO/NuminaMath-1.5", "vdaita/edit_10k_char"})
      EXPECT_THAT(e.message(), HasSubstr(id));
    EXPECT_THAT(e.message(), HasSubstr("gorilla-llm/Berkeley-Function-Calling-Leaderboard (bfcl)"));
    EXPECT_THAT(e.message(), HasSubstr("--hf-text-column"));
    EXPECT_LT(e.message().size(), sizeof(ifb_error::message));
  }
}

}  // namespace
}  // namespace hf
