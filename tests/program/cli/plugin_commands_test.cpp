// inferbench plugin list, show and check with several folders, libraries of several plugins, and
// plugins that need a later release.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/abi.h>

#include "program/cli/process.hpp"

namespace inferbench::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string later = "needs plugin ABI " + std::to_string(IFB_ABI_MAJOR) + "." +
                          std::to_string(IFB_ABI_MINOR + 1) +
                          ": it is of kind 9, which this host does not know";

class plugin_folders : public ::testing::Test {
 protected:
  plugin_folders() {
    fs::create_directories(first.path("backends"));
    fs::create_directories(second.path("backends"));
    fs::create_directories(first.path("datasets"));
    fs::create_directories(second.path("datasets"));
  }
  static void put(const std::string& library, const std::string& as) { fs::copy_file(library, as); }
  finished with_folders(std::vector<std::string> words) const {
    for (const std::string& folder : {first.path(), second.path()})
      words.push_back("--plugin-dir=" + folder);
    return inferbench(words);
  }

  const folder first, second;
};

TEST_F(plugin_folders, are_listed_with_their_plugins_and_with_hidden_plugins) {
  put(FAULTY_LIBRARIES "/two.so", first.path("backends/two.so"));
  fs::create_symlink("two.so", first.path("backends/first.so"));
  put(FAULTY_LIBRARIES "/good.so", second.path("backends/good.so"));
  put(FAULTY_LIBRARIES "/good.so", second.path("backends/two.so"));
  const finished end = with_folders({"plugin", "list"});
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("backends\n  " + first.path("backends") +
                                 "\n    first            1.0.0    A fixture.\n"
                                 "    two:second       1.0.0    the same as second\n  " +
                                 second.path("backends") +
                                 "\n    good             1.2.3    Does it right.\n"
                                 "    two              hidden by " +
                                 first.path("backends/two.so") + "\n  "));
  EXPECT_THAT(end.out, Not(HasSubstr(first.path("datasets"))));
}

TEST_F(plugin_folders, that_are_given_and_hold_no_plugins_are_named) {
  put(FAULTY_LIBRARIES "/good.so", second.path("backends/good.so"));
  const finished end = with_folders({"plugin", "list"});
  EXPECT_EQ(end.status, 0) << end.err;
  const std::string none =
      " holds no plugins; inferbench looks for them in its folders backends, datasets, reporters, "
      "tokenizers and scorers\n";
  EXPECT_THAT(end.out, HasSubstr(first.path() + none));
  EXPECT_THAT(end.out, Not(HasSubstr(second.path() + none)));
}

TEST_F(plugin_folders, are_listed_with_the_plugins_that_are_skipped) {
  put(LATER_LIBRARIES "/later_kinds.so", first.path("backends/later_kinds.so"));
  const finished end = with_folders({"plugin", "list"});
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("    later_kinds:plain 0.1.0    the same as plain\n"));
  EXPECT_THAT(end.out, HasSubstr("skipped\n  " + first.path("backends/later_kinds.so") +
                                 ": plugin answers needs plugin ABI "));
  EXPECT_THAT(end.out, HasSubstr(": plugin exact " + later + "\n"));
}

TEST_F(plugin_folders, make_a_warning_for_a_plugin_that_hides_another_build) {
  put(INFERBENCH_PLUGIN_FOLDER "/datasets/random.so", first.path("datasets/random.so"));
  second.write("datasets/random.so", "another build");
  const finished end =
      inferbench({"dataset", "show", "--plugin-dir", first.path(), second.path(), "--dataset-name",
                  "random", "--tokenizer-mode", "bytes", "--random-input-len", "4",
                  "--random-output-len", "1", "--num-prompts", "1"});
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.err, HasSubstr("dataset random of " + first.path("datasets/random.so") +
                                 " hides " + second.path("datasets/random.so") + "\n"));
}

TEST(plugin_show, takes_the_path_of_a_library_with_the_id_of_a_plugin) {
  const std::string library = FAULTY_LIBRARIES "/two.so";
  const finished one = inferbench({"plugin", "show", library + ":second"});
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_THAT(one.out, StartsWith("backend second 1.0.0: A fixture.\n"));
  EXPECT_THAT(one.out, HasSubstr("use         --backend " + library + ":second, or"));
  EXPECT_THAT(one.out, Not(HasSubstr("backend first")));

  const finished none = inferbench({"plugin", "show", library + ":secnd"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("holds no plugin secnd; did you mean second?\n"));
  EXPECT_THAT(inferbench({"plugin", "show", library + ":zzzzzzzz"}).err,
              HasSubstr("holds no plugin zzzzzzzz; it holds first, second\n"));
  EXPECT_THAT(inferbench({"plugin", "show", library + ":"}).err, HasSubstr("names no plugin"));
}

TEST(plugin_show, marks_secret_options) {
  const finished end = inferbench({"plugin", "show", WITH_SECRET});
  EXPECT_EQ(end.status, 0) << end.err;
  EXPECT_THAT(end.out, HasSubstr("; text)\n      Key of the account. (secret)\n"));
  EXPECT_THAT(end.out, HasSubstr("; text, required)\n      Name of the model.\n"));
}

TEST(plugin_show, takes_a_file_in_the_working_directory_without_a_slash) {
  const auto here = in_shell("cd " FAULTY_LIBRARIES " && \"$@\"");
  EXPECT_THAT(inferbench({"plugin", "show", "two.so"}, here).out, HasSubstr("backend second"));
  const finished one = inferbench({"plugin", "show", "two.so:first"}, here);
  EXPECT_THAT(one.out, StartsWith("backend first 1.0.0"));
  EXPECT_THAT(one.out, HasSubstr("use         --backend ./two.so:first, or"));
}

TEST_F(plugin_folders, are_searched_by_show_for_a_name_with_an_id) {
  put(FAULTY_LIBRARIES "/two.so", first.path("backends/two.so"));
  fs::create_symlink("two.so", first.path("backends/second.so"));
  for (const char* name : {"two:first", "two:second", "second"}) {
    const finished end = with_folders({"plugin", "show", name});
    EXPECT_EQ(end.status, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("use         --backend " + std::string(name) + ", or"));
  }
}

TEST(plugin_show, names_the_plugins_that_need_a_later_release) {
  const std::string library = LATER_LIBRARIES "/later_kinds.so";
  const finished all = inferbench({"plugin", "show", library});
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_THAT(all.out, StartsWith("backend plain 0.1.0"));
  EXPECT_THAT(all.out, HasSubstr("plugin exact " + later + "; it is skipped\n"));
  const finished one = inferbench({"plugin", "show", library + ":exact"});
  EXPECT_EQ(one.status, 2);
  EXPECT_EQ(one.err, "inferbench: plugin exact " + later + "; use a later release of inferbench\n");
}

TEST(plugin_check, names_the_plugins_that_need_a_later_release) {
  const std::string library = LATER_LIBRARIES "/later_kinds.so";
  const finished one = inferbench({"plugin", "check", library + ":exact"});
  EXPECT_EQ(one.status, 2);
  EXPECT_THAT(one.err, HasSubstr("plugin exact " + later + "; check it with a later release"));
  const finished all = inferbench({"plugin", "check", library, "--only", "file"});
  EXPECT_THAT(all.out, HasSubstr("plugin exact " + later + "; it is not tested\n"));
}

}  // namespace
}  // namespace inferbench::testing
