#include "multiturn/script_input.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::multiturn {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class input_file : public testing::Test {
 protected:
  script_input read(const char* text) const {
    const std::string file = files_.path("in.json");
    std::ofstream(file) << text;
    return read_script_input(file);
  }

  support::temporary_folder files_;
};

TEST_F(input_file, a_list_has_a_number_of_conversations) {
  const script_input found = read("[{}, {}, {}]");
  EXPECT_EQ(found.conversations, 3U);
  EXPECT_FALSE(found.generated);
  EXPECT_THAT(found.parameters, IsEmpty());
}

TEST_F(input_file, a_configuration_has_parameters) {
  const script_input found = read(
      R"({"filetype": "generate_conversations", "num_conversations": 24, "text_files": ["a.txt"],
          "prompt_input": {"num_turns": {"distribution": "uniform", "min": 12, "max": 18}},
          "prompt_output": {"num_tokens": {"distribution": "constant", "value": 5}}})");
  EXPECT_EQ(found.conversations, 24U);
  EXPECT_TRUE(found.generated);
  EXPECT_THAT(found.parameters,
              ElementsAre(Pair("filetype", "generate_conversations"),
                          Pair("num_conversations", "24"), Pair("text_files", "['a.txt']"),
                          Pair("prompt_input.num_turns", "uniform(min=12, max=18)"),
                          Pair("prompt_output.num_tokens", "constant(value=5)")));
}

TEST_F(input_file, other_files_are_refused) {
  for (const char* text : {"", "[", "[]", "7", "{}", R"({"num_conversations": 0})",
                           R"({"num_conversations": "3"})", R"({"num_conversations": 1.5})"})
    EXPECT_THROW(std::ignore = read(text), base::error) << text;
  EXPECT_THROW(std::ignore = read_script_input("/nowhere/x.json"), base::error);
}

}  // namespace
}  // namespace inferbench::multiturn
