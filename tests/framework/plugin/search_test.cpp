#include "plugin/search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "folder.hpp"

namespace inferbench::plugin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class search_in_folders : public folder_test {};

TEST(search_path, asks_given_folders_then_the_environment_then_the_installation) {
  const auto path =
      search_path::standard({"/given"}, {.plugin_path = "/env/a:/env/b",
                                         .data_home = "/data",
                                         .home = "/home/me",
                                         .executable = "/opt/inferbench/bin/inferbench"});
  EXPECT_THAT(path.folders,
              ElementsAre("/given", "/env/a", "/env/b", "/data/inferbench/plugins",
                          "/opt/inferbench/lib/inferbench/plugins",
                          "/usr/local/lib/inferbench/plugins", "/usr/lib/inferbench/plugins"));
  EXPECT_EQ(path.builtin, "/opt/inferbench/lib/inferbench/plugins");
}

TEST(search_path, falls_back_to_the_data_folder_below_home) {
  const auto path = search_path::standard(
      {}, {.plugin_path = "", .data_home = "", .home = "/home/me", .executable = "/bin/x"});
  EXPECT_EQ(path.folders.front(), "/home/me/.local/share/inferbench/plugins");
}

TEST(search_path, makes_given_folders_absolute_and_ignores_relative_ones_of_the_environment) {
  const auto path = search_path::standard(
      {"here"}, {.plugin_path = ":relative:", .data_home = "also", .home = "", .executable = ""});
  EXPECT_THAT(path.folders,
              ElementsAre(fs::current_path() / "here", "/usr/local/lib/inferbench/plugins",
                          "/usr/lib/inferbench/plugins"));
}

TEST(search_path, knows_where_this_program_is) {
  const fs::path self = fs::read_symlink("/proc/self/exe");
  EXPECT_THAT(search_path::standard({}).folders,
              testing::Contains(self.parent_path().parent_path() / "lib/inferbench/plugins"));
}

TEST(search_path, refuses_a_folder_that_is_named_and_not_there) {
  EXPECT_EQ(error_of([] { (void)search_path::standard({"/nowhere/plugins"}); }),
            "no folder for plugins at /nowhere/plugins; correct the path that --plugin-dir or "
            "plugin.dir names");
}

TEST_F(search_in_folders, a_given_folder_at_the_wrong_level_is_refused_with_the_right_folder) {
  const std::string why =
      " has no folder backends, datasets, reporters, tokenizers or scorers, in which plugins lie; "
      "give ";
  const auto refusal = [](const fs::path& given) {
    return error_of([&] { (void)search_path::standard({given}); });
  };
  const fs::path plugins = root / "prefix/lib/inferbench/plugins";
  fs::create_directories(plugins / "datasets");
  fs::create_directories(root / "empty");
  EXPECT_EQ(refusal(root / "prefix"), (root / "prefix").string() + why + plugins.string());
  EXPECT_EQ(refusal(root / "prefix/lib/inferbench/"),
            (root / "prefix/lib/inferbench").string() + why + plugins.string());
  EXPECT_EQ(refusal(plugins / "datasets/"),
            (plugins / "datasets").string() + why + plugins.string());
  EXPECT_EQ(refusal(plugins), "");
  EXPECT_EQ(refusal(root / "empty"), "");
}

TEST_F(search_in_folders, a_library_outside_of_a_folder_of_its_kind_is_not_found_but_named) {
  write("loose.so", "");
  EXPECT_THAT(
      error_of([&] { (void)find_file(IFB_BACKEND, parse_name(IFB_BACKEND, "loose"), search); }),
      testing::EndsWith("; move " + root.string() + "/loose.so to " + root.string() +
                        "/backends, or give its path instead of the name"));
}

TEST(parse_name, distinguishes_names_ids_and_paths) {
  const auto plain = parse_name(IFB_BACKEND, "openai");
  EXPECT_EQ(plain.name, "openai");
  EXPECT_EQ(plain.id, "");
  EXPECT_FALSE(plain.is_path);
  const auto one_of = parse_name(IFB_BACKEND, "openai:clip");
  EXPECT_EQ(one_of.name, "openai");
  EXPECT_EQ(one_of.id, "clip");
  const auto path = parse_name(IFB_BACKEND, "./x.so:clip");
  EXPECT_EQ(path.name, "./x.so");
  EXPECT_EQ(path.id, "clip");
  EXPECT_TRUE(path.is_path);
  EXPECT_EQ(parse_name(IFB_BACKEND, "/with:colon/x.so").name, "/with:colon/x.so");
}

TEST(parse_name, refuses_empty_names_and_empty_ids) {
  for (const char* text : {"", ":", "openai:", ":clip"})
    EXPECT_THAT(error_of([&] { (void)parse_name(IFB_BACKEND, text); }),
                HasSubstr("names no backend"))
        << text;
}

TEST_F(search_in_folders, a_path_with_a_colon_that_exists_is_taken_whole) {
  const fs::path file = write("odd:name.so", "");
  EXPECT_EQ(parse_name(IFB_BACKEND, file.string()).name, file);
}

TEST_F(search_in_folders, the_first_folder_that_has_the_name_decides) {
  fs::create_directories(root / "second/backends");
  search.folders = {root / "none", root, root / "second"};
  write("backends/x.so", "");
  write("second/backends/x.so", "");
  EXPECT_EQ(find_file(IFB_BACKEND, parse_name(IFB_BACKEND, "x"), search), root / "backends/x.so");
}

TEST_F(search_in_folders, a_dangling_link_is_a_hit) {
  link("gone.so", "backends/x.so");
  EXPECT_EQ(find_file(IFB_BACKEND, parse_name(IFB_BACKEND, "x"), search), root / "backends/x.so");
}

TEST_F(search_in_folders, a_name_that_is_nowhere_lists_every_path_and_the_nearest_name) {
  write("backends/openai.so", "");
  write("datasets/opemai.so", "");
  search.folders.push_back("/nowhere");
  const std::string line =
      error_of([&] { (void)find_file(IFB_BACKEND, parse_name(IFB_BACKEND, "opnai"), search); });
  EXPECT_EQ(line, "no backend is called opnai (tried " + root.string() +
                      "/backends/opnai.so, /nowhere/backends/opnai.so); did you mean openai?");
}

TEST_F(search_in_folders, the_error_for_a_path_without_a_slash_says_that_it_needs_one) {
  EXPECT_THAT(
      error_of([&] { (void)find_file(IFB_BACKEND, parse_name(IFB_BACKEND, "x.so"), search); }),
      HasSubstr("; write ./x.so: a path has a slash"));
}

TEST_F(search_in_folders, a_name_unlike_all_others_gets_the_list) {
  write("backends/openai.so", "");
  write("backends/chat.so", "");
  const std::string line =
      error_of([&] { (void)find_file(IFB_BACKEND, parse_name(IFB_BACKEND, "zzzzzz"), search); });
  EXPECT_THAT(line, HasSubstr("; there is chat, openai"));
}

TEST_F(search_in_folders, a_path_that_does_not_exist_is_not_searched_for) {
  const std::string line =
      error_of([&] { (void)find_file(IFB_DATASET, parse_name(IFB_DATASET, "/no/x.so"), search); });
  EXPECT_EQ(line, "no dataset library at /no/x.so; build it or correct the path");
  EXPECT_THAT(line, Not(HasSubstr(root.string())));
}

TEST_F(search_in_folders, files_are_listed_once_per_name_and_sorted) {
  fs::create_directories(root / "second/backends");
  search.folders = {root, root / "second"};
  for (const char* name : {"backends/b.so", "backends/a.so", "backends/readme.txt",
                           "second/backends/a.so", "second/backends/c.so"})
    write(name, "");
  EXPECT_THAT(files_of(IFB_BACKEND, search),
              ElementsAre(testing::Pair("a", root / "backends/a.so"),
                          testing::Pair("b", root / "backends/b.so"),
                          testing::Pair("c", root / "second/backends/c.so")));
}

TEST_F(search_in_folders, files_of_one_name_are_found_in_the_order_of_the_folders) {
  fs::create_directories(root / "second/backends");
  search.folders = {root / "second", root / "none", root};
  for (const char* name : {"backends/a.so", "backends/b.so", "second/backends/a.so"})
    write(name, "");
  EXPECT_THAT(files_called(IFB_BACKEND, "a", search),
              ElementsAre(root / "second/backends/a.so", root / "backends/a.so"));
  EXPECT_THAT(files_called(IFB_DATASET, "a", search), testing::IsEmpty());
}

TEST_F(search_in_folders, files_that_no_name_selects_are_known_with_the_file_that_hides_them) {
  fs::create_directories(root / "second/backends");
  fs::create_directories(root / "second/datasets");
  search.folders = {root, root / "second"};
  for (const char* name : {"backends/a.so", "backends/b.so", "second/backends/a.so",
                           "second/datasets/a.so", "second/backends/c.so"})
    write(name, "");
  fs::create_symlink(root / "backends/b.so", root / "second/backends/b.so");
  const auto hidden = hidden_files(search);
  ASSERT_EQ(hidden.size(), 1U);
  EXPECT_EQ(hidden[0].kind, ifb_kind{IFB_BACKEND});
  EXPECT_EQ(hidden[0].name, "a");
  EXPECT_EQ(hidden[0].file, root / "second/backends/a.so");
  EXPECT_EQ(hidden[0].by, root / "backends/a.so");
}

}  // namespace
}  // namespace inferbench::plugin
