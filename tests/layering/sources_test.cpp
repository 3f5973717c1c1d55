// Tests the functions that read source text for the layering tests. If they found nothing, every
// layering test would pass.
#include "sources.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (const auto& each : layering::definitions_in(text, "a.hpp"))
    names.push_back(each.name);
  return names;
}

TEST(sources, definitions_are_named_with_their_namespaces_and_outer_classes) {
  EXPECT_THAT(names_in("namespace a::b { class c final : public d { struct e {}; enum class f : "
                       "int { g }; }; union h { int i; }; } struct [[nodiscard]] j {};"),
              ElementsAre("a::b::c", "a::b::c::e", "a::b::c::f", "a::b::h", "j"));
}

TEST(sources, declarations_parameters_and_variables_are_not_definitions) {
  EXPECT_THAT(
      names_in("class a; template <class b, typename c> void d(struct e* f); enum g : int;\n"
               "extern struct h i; namespace j = k; using namespace l;"),
      IsEmpty());
}

TEST(sources, definitions_that_no_other_file_sees_are_left_out) {
  EXPECT_THAT(names_in("namespace { struct a {}; } void b() { struct c {}; }\n"
                       "template <> struct d<int> {}; namespace e { namespace { class f {}; } }"),
              IsEmpty());
  EXPECT_THAT(names_in("namespace a { void b() { if (c) { d(); } } struct e {}; }"),
              ElementsAre("a::e"));
}

TEST(sources, comments_literals_and_macros_are_not_text) {
  EXPECT_THAT(
      names_in("// struct a {};\n/* struct b {}; */\n#define C struct c { \\\n }\n"
               "auto d = \"struct e {\"; auto f = R\"x(struct g { \" )\" )x\"; char h = '{';\n"
               "int i = 1'000; struct j {}; extern \"C\" { struct k {}; }"),
      ElementsAre("j", "k"));
}

TEST(sources, a_name_in_two_files_is_reported_with_both_files) {
  auto found = layering::definitions_in("namespace a { struct b {}; struct c {}; }", "one.hpp");
  auto more = layering::definitions_in("namespace a { class b {}; } struct b {};", "two.hpp");
  found.insert(found.end(), more.begin(), more.end());
  EXPECT_THAT(layering::defined_twice(found),
              ElementsAre("a::b is defined in one.hpp and in two.hpp"));
}

TEST(sources, branches_of_an_if_in_one_file_are_no_name_in_two_files) {
  const std::string_view text = "#if A\nstruct b { int i; };\n#else\nstruct b {};\n#endif\n";
  auto found = layering::definitions_in(text, "one.cpp");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(layering::defined_twice(found), IsEmpty());
  auto more = layering::definitions_in("class b {};", "two.cpp");
  found.insert(found.end(), more.begin(), more.end());
  EXPECT_THAT(layering::defined_twice(found),
              ElementsAre("b is defined in one.cpp and in two.cpp"));
}

TEST(sources, a_class_with_the_name_of_a_linked_class_is_reported) {
  auto found = layering::definitions_of(layering::linked_sources());
  auto more = layering::definitions_in(
      "namespace figures { struct figure {}; } namespace inferbench::media { class failure {}; }\n"
      "namespace ifb { class json_writer {}; } namespace inferbench::base { class failure {}; }",
      "framework/base/a.hpp");
  found.insert(found.end(), more.begin(), more.end());
  EXPECT_THAT(layering::defined_twice(found),
              ElementsAre(StartsWith("figures::figure is defined in figures/"),
                          StartsWith("ifb::json_writer is defined in framework/base/a.hpp"),
                          StartsWith("inferbench::media::failure is defined in framework/")));
}

TEST(sources, calls_of_a_function_have_their_arguments_by_keyword) {
  const inferbench::support::temporary_folder files;
  const auto calls =
      layering::calls_of(files.write("CMakeLists.txt",
                                     "# folder(no USES x)\n"
                                     "folder(first USES a b/c  # USES d\n  LINK e::f)\n"
                                     "my_folder(other)\nfolder(second)\n"),
                         "folder");
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0].arguments.front(), "first");
  EXPECT_THAT(calls[0].values("USES"), ElementsAre("a", "b/c"));
  EXPECT_THAT(calls[0].values("LINK"), ElementsAre("e::f"));
  EXPECT_THAT(calls[1].values("USES"), IsEmpty());
}

TEST(sources, includes_are_found_with_their_files) {
  const auto found = layering::includes_of({layering::root() / "tests/layering/sources.cpp"});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.front().file, "tests/layering/sources.cpp");
  EXPECT_EQ(found.front().target, "sources.hpp");
}

TEST(sources, a_path_that_hides_its_folder_is_roundabout) {
  for (const char* path : {"../config/plan.hpp", "./config/plan.hpp", "client/../config/plan.hpp",
                           "/src/config/plan.hpp", "framework/config/plan.hpp",
                           "inferbench/framework/config/plan.hpp", "plugins/common/hub/hub.hpp"})
    EXPECT_TRUE(layering::is_roundabout(path)) << path;
  for (const char* path : {"config/plan.hpp", "plan.hpp", "vector", "plugin/load.hpp",
                           "inferbench/plugin.hpp", "plugins.hpp", "a..b/c.hpp"})
    EXPECT_FALSE(layering::is_roundabout(path)) << path;
}

}  // namespace
