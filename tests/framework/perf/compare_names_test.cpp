#include "perf/compare_names.hpp"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::perf {
namespace {

std::string page_name_of(const std::vector<compared_cell>& group) {
  std::set<std::string> taken;
  return group_page_name(group, taken);
}

compared_frame lengths_frame() {
  compared_frame out;
  out.key_columns = {"Model", "Dataset Name", "Input Len", "Output Len"};
  out.groups = 4;
  return out;
}

std::string sheet_of_model(const std::string& model) {
  std::set<std::string> taken;
  return sheet_name(lengths_frame(), std::vector<compared_cell>{model, "random", 128.0, 2048.0},
                    taken);
}

TEST(the_page_of_a_group, has_the_values_in_its_name) {
  EXPECT_EQ(page_name_of({"org/model", "random", 128.0, 2048.0}),
            "perf_comparison_org-model_random_128_2048.html");
  EXPECT_EQ(page_name_of({"a,b", {}, 0.5}), "perf_comparison_a_b_nan_0.5.html");
  EXPECT_EQ(page_name_of({}), "perf_comparison_all.html");
}

TEST(the_page_of_a_group, never_leaves_its_folder) {
  EXPECT_EQ(page_name_of({"../../etc/passwd"}), "perf_comparison_..-..-etc-passwd.html");
  EXPECT_EQ(page_name_of({"/tmp\n\x7F"}), "perf_comparison_-tmp__.html");
  EXPECT_EQ(page_name_of({std::string("a\0b", 3)}), "perf_comparison_a_b.html");
}

TEST(the_page_of_a_group, has_a_name_that_file_systems_accept) {
  const std::string page = page_name_of({std::string(300, 'x') + "ä"});
  EXPECT_EQ(page.size(), 205U);
  std::string umlauts;
  for (int i = 0; i < 200; ++i)
    umlauts += "ä";
  EXPECT_EQ(page_name_of({umlauts}).size() % 2, 1U) << "a character is cut";
}

TEST(the_pages_of_two_groups, have_different_names) {
  std::set<std::string> taken;
  EXPECT_EQ(group_page_name(std::vector<compared_cell>{"a/b"}, taken), "perf_comparison_a-b.html");
  EXPECT_EQ(group_page_name(std::vector<compared_cell>{"a-b"}, taken),
            "perf_comparison_a-b_2.html");
}

TEST(the_sheet_of_a_group, has_the_end_of_the_models_name_and_the_lengths) {
  EXPECT_EQ(sheet_of_model("org/model"), "model_128x2048");
  EXPECT_EQ(sheet_of_model("plain"), "plain_128x2048");
  EXPECT_EQ(sheet_of_model("a:b[c]*?\\d"), "a_b_c____d_128x2048");
  EXPECT_EQ(sheet_of_model("org/.."), ".._128x2048");
}

TEST(the_sheet_of_a_group, has_at_most_31_characters) {
  EXPECT_EQ(sheet_of_model("org/Meta-Llama-3.1-8B-Instruct-FP8"),
            "Meta-Llama-3.1-8B-Inst_128x2048");
  EXPECT_EQ(sheet_of_model("äöüäöüäöüäöüäöüäöüäöüäöü"), "äöüäöüäöüäöüäöüäöüäöüä_128x2048");
}

TEST(a_sheet_name, that_is_taken_gets_a_number_within_its_31_characters) {
  std::set<std::string> taken;
  const std::vector<compared_cell> group{std::string(40, 'm'), "random", 128.0, 2048.0};
  EXPECT_EQ(sheet_name(lengths_frame(), group, taken), std::string(22, 'm') + "_128x2048");
  EXPECT_EQ(sheet_name(lengths_frame(), group, taken), std::string(20, 'm') + "_128x2048_2");
}

TEST(a_sheet_name, counts_as_taken_if_only_the_names_of_files_are_equal) {
  std::set<std::string> taken;
  EXPECT_EQ(sheet_name(lengths_frame(), std::vector<compared_cell>{"a b", {}, 1.0, 1.0}, taken),
            "a b_1x1");
  EXPECT_EQ(sheet_name(lengths_frame(), std::vector<compared_cell>{"a_b", {}, 1.0, 1.0}, taken),
            "a_b_1x1_2");
}

TEST(a_plain_name, has_an_underscore_for_each_other_character) {
  EXPECT_EQ(plain_name("model_128x128__P99 TTFT (ms)"), "model_128x128__P99_TTFT__ms_");
  EXPECT_EQ(plain_name("ä/..\xFF"), "__.._");
}

}  // namespace
}  // namespace inferbench::perf
