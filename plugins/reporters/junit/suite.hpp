// A JUnit suite: test cases with their results, as XML in the form that Jenkins and GitLab read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reporters {

enum class case_outcome : std::uint8_t { passed, failed, error, skipped };

struct junit_case {
  std::string group;  // "goals"; becomes the class name "inferbench.goals"
  std::string name;
  case_outcome outcome = case_outcome::passed;
  std::string type;     // kind of the failure or error: "goal"
  std::string message;  // one sentence with the numbers, or the reason why the case was skipped
  std::string details;  // the text of the failure; of a passed case, its output
};

struct junit_suite {
  std::string name;
  std::string host;
  std::int64_t started_unix_ns = 0;
  double seconds = 0;
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<junit_case> cases;
};

/// Returns `text` for the content or an attribute of an element: characters that XML 1.0 does not
/// allow, and malformed UTF-8, become U+FFFD. Line ends and tabs stay, as character references.
[[nodiscard]] std::string xml_text(std::string_view text);

/// Returns the whole document, with one suite.
[[nodiscard]] std::string to_xml(const junit_suite& suite);

}  // namespace reporters
