#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> files_below(const std::string& root) {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.is_regular_file()) out.push_back(entry.path().lexically_relative(root).string());
  std::ranges::sort(out);
  return out;
}

finished plugin_new(std::vector<std::string> words) {
  words.insert(words.begin(), {"plugin", "new"});
  return inferbench(std::move(words));
}

// The tests new_* build the projects; this test checks only the files.
TEST(plugin_new, writes_the_files_of_each_kind_in_each_language) {
  for (const std::string& kind : std::vector<std::string>{"backend", "engine", "dataset",
                                                          "reporter", "tokenizer", "scorer"}) {
    for (const auto& [language, ending] : std::vector<std::pair<std::string, std::string>>{
             {"c++", ".cpp"}, {"c", ".c"}, {"rust", ".rs"}}) {
      if (kind == "scorer" && language == "rust") continue;  // refused: see the next test
      const folder here;
      const std::string to = here.path("there");
      const finished end = plugin_new({kind, "acme", "--lang", language, "--directory", to});
      ASSERT_EQ(end.status, 0) << end.err;
      EXPECT_EQ(end.err, "");
      EXPECT_THAT(end.out, StartsWith(kind + " acme in " + to + ":\n"));
      const auto files = files_below(to);
      EXPECT_THAT(files, ::testing::IsSupersetOf({std::string("CMakeLists.txt"),
                                                  std::string("README.md"), "acme" + ending}));
      for (const std::string& file : files)
        EXPECT_THAT(end.out, HasSubstr("\n  " + file + "\n"));
    }
  }
}

TEST(plugin_new, a_scorer_in_rust_is_refused_and_the_other_languages_are_named) {
  const folder here;
  const finished end =
      plugin_new({"scorer", "acme", "--lang", "rust", "--directory", here.path("x")});
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(end.err,
            "inferbench: the SDK has no interface for a scorer in rust; choose c++ or c\n");
  EXPECT_EQ(end.out, "");
  EXPECT_FALSE(fs::exists(here.root / "x"));
}

TEST(plugin_new, a_scorer_is_used_with_the_questions_of_its_project) {
  const folder here;
  const finished end = plugin_new({"scorer", "acme", "--directory", here.path("x")});
  ASSERT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(read(here.path("x/acme.cpp")), HasSubstr("class acme_scorer {"));
  EXPECT_TRUE(fs::exists(here.path("x/questions.jsonl")));
  EXPECT_THAT(end.out, HasSubstr(" --dataset-path " +
                                 base::shell_word(here.path("x/questions.jsonl")) + " "));
  const std::string library = here.path("x/build/lib/inferbench/plugins/scorers/acme.so");
  EXPECT_THAT(end.out, EndsWith(" --scorer " + base::shell_word(library) + "\n"));
}

TEST(plugin_new, is_in_cpp_unless_said_otherwise_and_in_a_folder_of_its_name) {
  const folder here;
  const fs::path before = fs::current_path();
  fs::current_path(here.root);
  const finished end = plugin_new({"reporter", "acme"});
  fs::current_path(before);
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_TRUE(fs::exists(here.root / "acme/acme.cpp"));
  EXPECT_THAT(end.out, HasSubstr("cmake -S acme -B acme/build"));
  EXPECT_THAT(end.out, EndsWith("inferbench report RUN.journal --reporter "
                                "acme/build/lib/inferbench/plugins/reporters/acme.so\n"));
}

TEST(plugin_new, an_engine_is_a_plugin_of_the_kind_backend) {
  const folder here;
  const finished end = plugin_new({"engine", "acme", "--directory", here.path("x")});
  ASSERT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(read(here.path("x/acme.cpp")), HasSubstr("class acme_engine {"));
  const std::string library = here.path("x/build/lib/inferbench/plugins/backends/acme.so");
  EXPECT_THAT(end.out, EndsWith("inferbench serve --backend " + base::shell_word(library) +
                                " --tokenizer-mode bytes --num-prompts 5\n"));
  const finished taken = plugin_new({"engine", "openai", "--directory", here.path("y")});
  EXPECT_THAT(taken.err, StartsWith("inferbench: there is a backend openai already, /"));
}

TEST(plugin_new, makes_an_identifier_and_a_type_of_the_name) {
  const folder here;
  ASSERT_EQ(plugin_new({"backend", "acme-2_x", "--directory=" + here.path("c++")}).status, 0);
  EXPECT_THAT(read(here.path("c++/acme-2_x.cpp")), HasSubstr("class acme_2_x_backend {"));
  EXPECT_THAT(read(here.path("c++/acme-2_x.cpp")), HasSubstr("id = \"acme-2_x\""));
  ASSERT_EQ(
      plugin_new({"backend", "acme-2_x", "--lang=rust", "--directory=" + here.path("rust")}).status,
      0);
  EXPECT_THAT(read(here.path("rust/acme-2_x.rs")), HasSubstr("struct Acme2XBackend {"));
}

TEST(plugin_new, a_name_that_is_a_word_of_the_language_does_no_harm) {
  const folder here;
  ASSERT_EQ(plugin_new({"dataset", "class", "--directory", here.path("x")}).status, 0);
  EXPECT_THAT(read(here.path("x/class.cpp")), HasSubstr("class class_dataset {"));
}

TEST(plugin_new, quotes_words_that_a_shell_would_split) {
  const folder here;
  const finished end = plugin_new({"tokenizer", "acme", "--directory", here.path("it's a")});
  ASSERT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("cmake -S '" + here.path("it'\\''s a") + "' -B "));
}

TEST(plugin_new, overwrites_nothing) {
  const folder here;
  here.write("full/notes.txt", "mine");
  const finished full = plugin_new({"backend", "acme", "--directory", here.path("full")});
  EXPECT_EQ(full.status, 2);
  EXPECT_EQ(full.err, "inferbench: " + here.path("full") +
                          " exists, and nothing is overwritten; name another folder with "
                          "--directory\n");
  EXPECT_EQ(files_below(here.path("full")), std::vector<std::string>{"notes.txt"});
  const std::string file = here.write("file", "mine");
  EXPECT_EQ(plugin_new({"backend", "acme", "--directory", file}).status, 2);
  EXPECT_EQ(read(file), "mine");
  fs::create_symlink(here.path("nowhere"), here.root / "link");
  EXPECT_EQ(plugin_new({"backend", "acme", "--directory", here.path("link")}).status, 2);
  EXPECT_FALSE(fs::exists(here.root / "nowhere"));
  fs::create_directory(here.root / "empty");
  EXPECT_EQ(plugin_new({"backend", "acme", "--directory", here.path("empty")}).status, 0);
}

TEST(plugin_new, a_folder_that_cannot_be_made_is_named) {
  const folder here;
  const std::string file = here.write("file", "mine");
  const finished end = plugin_new({"backend", "acme", "--directory", file + "/below"});
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(end.err, "inferbench: cannot write " + file + "/below: Not a directory\n");
}

TEST(plugin_new, names_that_fit_no_file_flag_and_identifier_are_refused) {
  const folder here;
  const std::string too_long(65, 'a');
  for (const std::string& name :
       std::vector<std::string>{"Acme", "2acme", "-acme", "acme-", "acme_", "ac me", "acme.so",
                                "../acme", "a--b", "a_-b", "\xC3\xA9", "a/b", too_long}) {
    const finished end = plugin_new({"backend", name, "--directory", here.path("x")});
    EXPECT_EQ(end.status, 2) << name;
    EXPECT_FALSE(fs::exists(here.root / "x")) << name;
  }
  EXPECT_EQ(
      plugin_new({"backend", "Acme", "--directory", here.path("x")}).err,
      "inferbench: \"Acme\" is not a valid plugin name; small letters, digits, and single - or _ "
      "between them; at most 64, the first of them a letter\n");
}

TEST(plugin_new, names_of_plugins_that_are_there_are_refused) {
  const folder here;
  const std::string remedy = "; choose another name; inferbench plugin list shows those in use\n";
  // vllm is an alias of openai, a link to its library.
  for (const auto& [kind, name] :
       std::vector<std::pair<std::string, std::string>>{{"backend", "openai"},
                                                        {"backend", "vllm"},
                                                        {"dataset", "random"},
                                                        {"reporter", "console"},
                                                        {"tokenizer", "bytes"},
                                                        {"scorer", "exact-match"}}) {
    const finished end = plugin_new({kind, name, "--directory", here.path("x")});
    EXPECT_EQ(end.status, 2) << name;
    EXPECT_THAT(end.err, StartsWith("inferbench: there is a " + kind + " " + name + " already, /"));
    EXPECT_THAT(end.err, EndsWith("/" + kind + "s/" + name + ".so" + remedy));
    EXPECT_FALSE(fs::exists(here.root / "x")) << name;
  }
  EXPECT_EQ(plugin_new({"tokenizer", "auto", "--directory", here.path("x")}).err,
            "inferbench: auto has a meaning of its own where a tokenizer is named" + remedy);
  // A name is taken only within its kind.
  EXPECT_EQ(plugin_new({"dataset", "openai", "--directory", here.path("x")}).status, 0);
}

TEST(plugin_new, a_name_that_a_file_of_the_project_has_is_refused) {
  const folder where;
  const finished end =
      plugin_new({"backend", "json", "--lang", "c", "--directory", where.path("json")});
  EXPECT_EQ(end.err, "inferbench: the project has a file json.c already; choose another name\n");
  EXPECT_FALSE(std::filesystem::exists(where.path("json"))) << "nothing was written";
}

TEST(plugin_new, misuse_is_reported_with_a_remedy) {
  EXPECT_EQ(plugin_new({"backened", "acme"}).err,
            "inferbench: backened is none of the kinds: backend, engine, dataset, reporter, "
            "tokenizer, scorer; did you mean backend?\n");
  EXPECT_EQ(plugin_new({"backend", "acme", "--lang", "zig"}).err,
            "inferbench: zig is none of the languages: c++, c, rust\n");
  const std::string see = "; see inferbench plugin new --help\n";
  EXPECT_EQ(plugin_new({"backend"}).err,
            "inferbench: inferbench plugin new takes a kind and a name" + see);
  EXPECT_EQ(plugin_new({"backend", "a", "b"}).status, 2);
  EXPECT_EQ(plugin_new({"backend", ""}).status, 2);
  EXPECT_EQ(plugin_new({"backend", "a", "--lang"}).err, "inferbench: --lang needs a value" + see);
  EXPECT_EQ(plugin_new({"backend", "a", "--lang="}).err, "inferbench: --lang needs a value" + see);
  EXPECT_EQ(plugin_new({"backend", "a", "--force"}).err, "inferbench: unknown flag --force" + see);
  EXPECT_THAT(plugin_new({"--help"}).out, StartsWith("usage: inferbench plugin new KIND NAME"));
  EXPECT_EQ(plugin_new({}).status, 2);
}

}  // namespace
}  // namespace inferbench::testing
