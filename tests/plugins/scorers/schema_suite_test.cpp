// Checks JSON schemas with the test suite of the JSON Schema project. The cases that fail are
// listed in known_failures.txt: this test fails if a case is missing there, and if a listed case
// passes.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/json_reader.hpp>

#include "scorers/common/json_tree.hpp"
#include "scorers/common/schema.hpp"

namespace scorers {
namespace {

namespace fs = std::filesystem;

const fs::path suite = fs::path(INFERBENCH_FIXTURES) / "scorers/json-schema-test-suite";

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Returns the names of the cases of one draft that fail, and counts all cases.
std::vector<std::string> failures_of(const std::string& draft, std::size_t& cases) {
  std::vector<std::string> failed;
  std::vector<fs::path> files;
  for (const auto& each : fs::directory_iterator(suite / draft))
    files.push_back(each.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    const auto groups = ifb::read_json(content_of(file));
    for (const auto& group : groups.GetArray()) {
      const schema tested(ifb::to_text(group["schema"]), type_names::json_schema);
      for (const auto& one : group["tests"].GetArray()) {
        ++cases;
        json_tree data;
        EXPECT_EQ(data.read(ifb::to_text(one["data"])), tree_outcome::read);
        const schema_verdict expected =
            one["valid"].GetBool() ? schema_verdict::valid : schema_verdict::invalid;
        if (tested.usable() && tested.check(data) == expected) continue;
        failed.push_back(draft + "/" + file.filename().string() + ": " +
                         group["description"].GetString() + ": " + one["description"].GetString() +
                         (tested.usable() ? "" : " [refused: " + tested.problem() + "]"));
      }
    }
  }
  return failed;
}

TEST(json_schemas, pass_the_test_suite_but_for_the_listed_cases) {
  std::size_t cases = 0;
  std::vector<std::string> failed = failures_of("draft7", cases);
  for (auto& each : failures_of("draft4", cases))
    failed.push_back(std::move(each));
  EXPECT_GT(cases, 700U);
  std::string text;
  for (const std::string& each : failed)
    text += each + "\n";
  const fs::path list = suite / "known_failures.txt";
  if (std::getenv("INFERBENCH_RECORD") != nullptr) {
    std::ofstream(list, std::ios::binary) << text;
    return;
  }
  EXPECT_EQ(text, content_of(list));
}

}  // namespace
}  // namespace scorers
