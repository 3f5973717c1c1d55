#include "sweep/summary_csv.hpp"

#include <deque>

#include <gtest/gtest.h>

#include "framework/sweep/items.hpp"

namespace inferbench::sweep {
namespace {

std::string csv_of(const std::vector<std::string>& texts) {
  std::deque<ifb::json_document> documents;
  std::vector<const ifb::json_value*> runs;
  for (const std::string& text : texts)
    runs.push_back(&documents.emplace_back(pytext::read_json_document(text, "run.json")));
  return summary_csv(runs);
}

TEST(summary_csv, each_run_is_a_row_with_its_index) {
  EXPECT_EQ(csv_of({R"({"a": 1, "b": "x"})", R"({"a": 2, "b": "y"})"}), ",a,b\n0,1,x\n1,2,y\n");
}

TEST(summary_csv, columns_are_in_the_order_of_their_first_appearance) {
  EXPECT_EQ(csv_of({R"({"b": "x"})", R"({"a": "y", "b": "z", "c": "w"})", R"({"c": "v"})"}),
            ",b,a,c\n0,x,,\n1,z,y,w\n2,,,v\n");
}

TEST(summary_csv, whole_numbers_with_empty_cells_become_floats) {
  EXPECT_EQ(csv_of({R"({"a": 5, "b": 1})", R"({"b": 2})", R"({"a": null, "b": 3})"}),
            ",a,b\n0,5.0,1\n1,,2\n2,,3\n");
  EXPECT_EQ(csv_of({R"({"a": 5})", R"({"a": NaN})"}), ",a\n0,5.0\n1,\n");
}

TEST(summary_csv, whole_numbers_and_floats_become_floats) {
  EXPECT_EQ(csv_of({R"({"a": 5})", R"({"a": 0.1})", R"({"a": 1e16})", R"({"a": 1e-05})"}),
            ",a\n0,5.0\n1,0.1\n2,1e+16\n3,1e-05\n");
}

TEST(summary_csv, infinity_is_written_and_nan_is_empty) {
  EXPECT_EQ(csv_of({R"({"a": Infinity, "b": "inf"})", R"({"a": -Infinity, "b": "nan"})",
                    R"({"a": NaN, "b": ""})"}),
            ",a,b\n0,inf,inf\n1,-inf,nan\n2,,\n");
}

TEST(summary_csv, booleans_are_words) {
  EXPECT_EQ(csv_of({R"({"a": true, "b": true})", R"({"a": false})"}),
            ",a,b\n0,True,True\n1,False,\n");
}

TEST(summary_csv, a_column_of_several_types_keeps_the_text_of_each_value) {
  EXPECT_EQ(csv_of({R"({"a": 1})", R"({"a": true})", R"({"a": "x"})", R"({"a": 2.0})", "{}"}),
            ",a\n0,1\n1,True\n2,x\n3,2.0\n4,\n");
}

TEST(summary_csv, lists_and_objects_have_the_text_of_python) {
  EXPECT_EQ(csv_of({R"({"a": [1, "x", null], "b": {"k": true}, "c": []})"}),
            ",a,b,c\n0,\"[1, 'x', None]\",{'k': True},[]\n");
}

TEST(summary_csv, fields_with_commas_quotes_and_line_breaks_are_quoted) {
  EXPECT_EQ(csv_of({R"({"a,b": "x\"y", "c": "1\n2", "d": "3\r4", "e": " f ", "g": "h;i"})"}),
            ",\"a,b\",c,d,e,g\n0,\"x\"\"y\",\"1\n2\",\"3\r4\", f ,h;i\n");
}

TEST(summary_csv, characters_beyond_ascii_stay_as_they_are) {
  EXPECT_EQ(csv_of({"{\"\u00e9\": \"\u20ac\"}"}), ",\u00e9\n0,\u20ac\n");
}

TEST(summary_csv, large_whole_numbers_keep_their_digits) {
  EXPECT_EQ(csv_of({R"({"a": 9223372036854775807, "b": 18446744073709551615})"}),
            ",a,b\n0,9223372036854775807,18446744073709551615\n");
  EXPECT_EQ(csv_of({R"({"a": -1})", R"({"a": 18446744073709551615})"}),
            ",a\n0,-1\n1,18446744073709551615\n");
}

TEST(summary_csv, a_column_of_empty_cells_is_empty) {
  EXPECT_EQ(csv_of({R"({"a": null})", R"({"a": null})"}), ",a\n0,\n1,\n");
}

TEST(summary_csv, runs_without_keys_have_an_index_only) {
  EXPECT_EQ(csv_of({"{}", "{}"}), "\"\"\n0\n1\n");
  EXPECT_EQ(csv_of({}), "\"\"\n");
}

TEST(summary_csv, a_run_that_is_no_object_is_an_empty_row) {
  EXPECT_EQ(csv_of({R"({"a": "x"})", "[1]"}), ",a\n0,x\n1,\n");
}

TEST(summary_csv, rows_follow_the_order_of_the_runs) {
  EXPECT_EQ(csv_of({R"({"run_number": 0, "max_num_seqs": 16, "request_rate": "inf"})",
                    R"({"run_number": 1, "max_num_seqs": 16, "request_rate": "inf"})",
                    R"({"run_number": 0, "max_num_seqs": 32, "request_rate": 2})"}),
            ",run_number,max_num_seqs,request_rate\n0,0,16,inf\n1,1,16,inf\n2,0,32,2\n");
}

}  // namespace
}  // namespace inferbench::sweep
