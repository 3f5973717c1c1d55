#include "scripts/flag_names.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "options/refusal.hpp"

namespace inferbench::scripts {
namespace {

flag_names two_names() {
  flag_names out;
  out.add("structured-output-len", "output-len");
  out.add("base-url", "url");
  return out;
}

TEST(flag_names, whole_names_in_a_text_become_those_of_the_user) {
  const flag_names names = two_names();
  EXPECT_EQ(names.in("check --base-url, --host and --port"), "check --url, --host and --port");
  EXPECT_EQ(names.in("--structured-output-len=3: too small; give --base-url"),
            "--output-len=3: too small; give --url");
  for (const char* const other :
       {"", "--", "a -- b", "--base-url-list", "a--base-url", "base-url", "--base_url"})
    EXPECT_EQ(names.in(other), other);
}

TEST(flag_names, an_error_names_the_flag_of_the_user) {
  const flag_names names = two_names();
  const auto refused = [&](auto work) {
    try {
      names.told_by(work);
    } catch (const options::usage_error& e) {
      return std::string("usage: ") + e.what();
    } catch (const base::error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused([] {
              throw base::error("expected at least 1", "see --base-url",
                                {"--structured-output-len", 0, 0});
            }),
            "--output-len: expected at least 1; see --url");
  EXPECT_EQ(refused([] { throw options::usage_error("no URL", {}, {"--base-url", 0, 0}); }),
            "usage: --url: no URL");
  EXPECT_EQ(refused([] { throw base::error("malformed", {}, {"file.json", 3, 4}); }),
            "file.json:3:4: malformed")
      << "a place in a file stays";
  EXPECT_EQ(names.told_by([] { return 3; }), 3);
}

TEST(flag_names, a_flag_of_the_inner_command_that_the_user_gave_keeps_its_name) {
  flag_names names = two_names();
  names.keep(std::vector<std::string>{"--structured_output_len=5", "--goodput", "ttft:3"});
  EXPECT_EQ(names.own("--structured-output-len"), "--structured-output-len");
  EXPECT_EQ(names.own("--base-url"), "--url");
}

}  // namespace
}  // namespace inferbench::scripts
