// Result files of the reporter `json` in a temporary folder, for the tests of their content and of
// how they are written.
#pragma once

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "base/text.hpp"
#include "driver.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::reporters_test {

/// A folder for result files, which is removed with the test. named() gives the settings for the
/// result r.json in it.
class json_file : public testing::Test {
 protected:
  std::vector<setting> named(std::vector<setting> more = {}) const {
    more.push_back({"result-dir", folder.string()});
    more.push_back({"result-filename", std::string("r.json")});
    return more;
  }
  /// The text with a placeholder for the host's version, which golden files must not contain.
  std::string text(const std::string& name = "r.json") const {
    return std::regex_replace(base::read_file((folder / name).string()),
                              std::regex(R"("version": "[^"]*")"), R"("version": "V")");
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      names.push_back(entry.path().filename());
    return names;
  }

  support::temporary_folder files_;
  const std::filesystem::path& folder = files_.root;
};

/// The parsed text; the test fails if it is not strict JSON in UTF-8.
inline rapidjson::Document strictly_parsed(const std::string& text) {
  rapidjson::Document d;
  d.Parse<rapidjson::kParseValidateEncodingFlag>(text.data(), text.size());
  EXPECT_FALSE(d.HasParseError()) << text;
  return d;
}

/// The names of the members, in their order.
inline std::vector<std::string> keys_of(const rapidjson::Value& object) {
  std::vector<std::string> keys;
  for (const auto& m : object.GetObject())
    keys.emplace_back(m.name.GetString());
  return keys;
}

}  // namespace inferbench::reporters_test
