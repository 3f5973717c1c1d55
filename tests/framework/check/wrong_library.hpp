// A library with one fault, and what the kit says of it.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "framework/check/program.hpp"

namespace inferbench::check {

struct fault {
  const char* plugin;
  const char* test;
  const char* verdict;
  const char* says;
  const char* arguments = "";
};
inline void PrintTo(const fault& f, std::ostream* out) { *out << f.plugin; }

/// The kit runs the tests in `selection` on the library; the first that does not pass must be that
/// of the fault.
inline void expect_fault(const std::string& library, const std::string& selection, const fault& f) {
  const ended e = run(library + selection + " --json - " + f.arguments);
  EXPECT_EQ(e.status, std::string_view(f.verdict) == "warned" ? 0 : 1) << e.output;
  const rapidjson::Document json = base::parse_json(e.output, "the report");
  const base::json_value* first = nullptr;
  for (const auto& t : json["tests"].GetArray()) {
    const std::string verdict = t["verdict"].GetString();
    if (verdict == "passed" || verdict == "skipped") continue;
    first = &t;
    break;
  }
  ASSERT_NE(first, nullptr) << e.output;
  EXPECT_STREQ((*first)["test"].GetString(), f.test) << e.output;
  EXPECT_STREQ((*first)["verdict"].GetString(), f.verdict) << e.output;
  EXPECT_THAT((*first)["findings"][0]["what"].GetString(), ::testing::HasSubstr(f.says));
}

}  // namespace inferbench::check
