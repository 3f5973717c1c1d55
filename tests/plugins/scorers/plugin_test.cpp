// The scorers as plugins, through the C contract.
#include <array>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <inferbench/abi.h>
#include <inferbench/draft/scorer.h>
#include <inferbench/text.hpp>

#include "plugins/scorers/scored_record.hpp"
#include "support/plugin_box.hpp"

namespace scorers {
namespace {

/// One scorer; score() returns its value and its reason as one text.
class scorer_box {
 public:
  explicit scorer_box(const std::string& id, const support::settings& given = {})
      : box_(support::plugin_file(("scorers/" + id).c_str()), static_cast<ifb_kind>(IFB_SCORER),
             id) {
    EXPECT_EQ(box_.create(given), IFB_OK) << box_.error.message;
  }
  std::string score(const scored_record& of) {
    const auto& operations = box_.query<ifb_scorer>(IFB_SCORER_OPS);
    support::arena memory;
    ifb_score found{};
    found.struct_size = sizeof found;
    const ifb_status status =
        operations.score(box_.get(), &of.get(), memory.handle(), &found, &box_.error);
    if (status == IFB_SKIP) return "skip";
    EXPECT_EQ(status, IFB_OK) << box_.error.message;
    return std::to_string(static_cast<int>(found.value)) + " " +
           std::string(ifb::view(found.reason));
  }

 private:
  support::plugin_box box_;
};

TEST(scorers_as_plugins, give_value_and_reason) {
  const scored_record right("yes", {{"expected", "yes"},
                                    {"structured.type", "choice"},
                                    {"structured.schema", "[\"yes\"]"},
                                    {"tools", "[]"}});
  const scored_record wrong(
      "no",
      {{"expected", "yes"}, {"structured.type", "choice"}, {"structured.schema", "[\"yes\"]"}});
  scorer_box structured("structured-output");
  EXPECT_EQ(structured.score(right), "1 ");
  EXPECT_EQ(structured.score(wrong), "0 none of the choices");
  EXPECT_EQ(structured.score(right), "1 ");
  scorer_box exact("exact-match");
  EXPECT_EQ(exact.score(right), "1 ");
  EXPECT_EQ(exact.score(wrong), "0 not the expected value");
  scorer_box calls("tool-call");
  EXPECT_EQ(calls.score(right), "0 no call");
  EXPECT_EQ(calls.score(wrong), "skip");
}

TEST(scorers_as_plugins, take_their_options) {
  const scored_record braces("{} ", {{"structured.type", "json"}, {"expected", "[]"}});
  EXPECT_EQ(scorer_box("structured-output").score(braces), "0 not the expected value");
  EXPECT_EQ(
      scorer_box("structured-output", {{"correctness", std::string("upstream")}}).score(braces),
      "1 ");
  const scored_record text("So: A!", {{"expected", "a"}});
  EXPECT_EQ(scorer_box("exact-match", {{"pattern", std::string("[A-Z]!")},
                                       {"ignore-case", std::int64_t{1}},
                                       {"ignore-punctuation", std::int64_t{1}}})
                .score(text),
            "1 ");
}

}  // namespace
}  // namespace scorers
