#include "offline/inner_names.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "offline/offline_line.hpp"

namespace inferbench::offline {
namespace {

std::string name_in(benchmark which, const std::vector<std::string>& args,
                    const std::string& inner) {
  return inner_names(read_offline_line(which, args)).own("--" + inner);
}

TEST(inner_names, are_those_of_the_flags_of_a_script) {
  EXPECT_EQ(name_in(benchmark::prefix_caching, {}, "prefix-repetition-suffix-len"),
            "--input-length-range");
  EXPECT_EQ(name_in(benchmark::prefix_caching, {}, "sharegpt-output-len"), "--output-len");
  EXPECT_EQ(name_in(benchmark::long_document_qa, {}, "long-document-count"), "--num-documents");
  EXPECT_EQ(name_in(benchmark::prioritization, {}, "dataset-path"), "--dataset");
  EXPECT_EQ(name_in(benchmark::throughput, {}, "dataset-path"), "--dataset-path");
}

TEST(inner_names, are_the_general_lengths_only_if_these_were_given) {
  EXPECT_EQ(name_in(benchmark::throughput, {"--input-len", "8"}, "random-input-len"),
            "--input-len");
  EXPECT_EQ(name_in(benchmark::throughput, {}, "random-input-len"), "--random-input-len");
  EXPECT_EQ(name_in(benchmark::throughput, {"--input-len", "8", "--random-input-len", "9"},
                    "random-input-len"),
            "--random-input-len");
  EXPECT_EQ(name_in(benchmark::latency, {}, "random-input-len"), "--input-len");
  EXPECT_EQ(name_in(benchmark::latency, {"--random-input-len", "9"}, "random-input-len"),
            "--random-input-len")
      << "the user gave a flag of the data set itself";
}

TEST(inner_names, leave_a_flag_that_the_user_gave_for_the_data_set) {
  EXPECT_EQ(name_in(benchmark::prefix_caching, {"--prefix-repetition-suffix-len", "3"},
                    "prefix-repetition-suffix-len"),
            "--prefix-repetition-suffix-len");
}

}  // namespace
}  // namespace inferbench::offline
