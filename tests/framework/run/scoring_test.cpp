#include "run/scoring.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/draft/scorer.hpp>

#include "base/clock.hpp"
#include "framework/metrics/record_of.hpp"

namespace inferbench::run {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Right if the text is that of the attribute "expected". "crash" is an error, "half" half right.
class fixed {
 public:
  static constexpr const char* id = "fixed";
  static constexpr const char* version = "1.0.0";
  static constexpr const char* summary = "Scores of a test.";
  static constexpr const char* license = "Apache-2.0";

  explicit fixed(ifb::host) {}

  ifb::draft::score_result score(const ifb_record& of) {
    using result = ifb::draft::score_result;
    const auto expected = ifb::draft::attribute(of, IFB_EXPECTED);
    const std::string_view text = ifb::view(of.text);
    if (text == "crash") throw std::runtime_error("no luck");
    if (text == "far") return result::partly(7, "");
    if (!expected) return result::none();
    if (text == "half") return result::partly(0.5, "only\nhalf");
    return text == *expected ? result::right() : result::wrong("another text");
  }
};

class scorer_under_test : public testing::Test {
 protected:
  scorer_under_test() {
    log_.hold();
    plugin::loaded library;
    library.plugin = &ifb::draft::scorer<fixed>::descriptor;
    by_ = std::make_unique<plugin::instance>(library, std::span<const ifb_value>(), services_);
  }

  static client::record answered(std::string text, std::string expected = "yes") {
    client::record out = metrics::testing_::success({.sequence = 7});
    out.text = std::move(text);
    if (!expected.empty()) out.attributes.emplace_back(IFB_EXPECTED, std::move(expected));
    return out;
  }

  std::vector<client::record> scored(std::vector<client::record> all) {
    scoring stage(*by_, log_);
    stage.push(std::move(all));
    std::vector<client::record> out = stage.finish();
    failed_ = stage.failed();
    return out;
  }

  static std::string attribute(const client::record& of, std::string_view name) {
    for (const auto& [key, value] : of.attributes)
      if (key == name) return value;
    return "-";
  }

  base::log log_;
  base::monotonic_clock clock_;
  plugin::services services_{.log = &log_, .clock = &clock_};
  std::unique_ptr<plugin::instance> by_;
  bool failed_ = false;
};

TEST_F(scorer_under_test, adds_score_and_reason_to_the_record) {
  const auto found = scored({answered("yes"), answered("no"), answered("half")});
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_EQ(attribute(found[0], IFB_SCORE_ATTRIBUTE), "1");
  EXPECT_EQ(attribute(found[0], IFB_SCORE_REASON_ATTRIBUTE), "-");
  EXPECT_EQ(attribute(found[1], IFB_SCORE_ATTRIBUTE), "0");
  EXPECT_EQ(attribute(found[1], IFB_SCORE_REASON_ATTRIBUTE), "another text");
  EXPECT_EQ(attribute(found[2], IFB_SCORE_ATTRIBUTE), "0.5");
  EXPECT_EQ(attribute(found[2], IFB_SCORE_REASON_ATTRIBUTE), "only half");
  EXPECT_FALSE(failed_);
}

TEST_F(scorer_under_test, gives_no_score_to_a_failed_request_nor_where_nothing_is_right) {
  client::record failed = answered("yes");
  failed.status = IFB_E_IO;
  const auto found = scored({answered("yes", ""), failed});
  EXPECT_EQ(attribute(found[0], IFB_SCORE_ATTRIBUTE), "-");
  EXPECT_EQ(attribute(found[1], IFB_SCORE_ATTRIBUTE), "-");
}

TEST_F(scorer_under_test, keeps_the_order_and_every_record_also_beyond_its_limit) {
  scoring stage(*by_, log_);
  std::vector<client::record> found;
  std::uint64_t number = 0;
  for (int batch = 0; batch < 5; ++batch) {
    std::vector<client::record> some(scoring::most_waiting / 2);
    for (client::record& each : some) {
      each = answered("yes");
      each.sequence = number++;
    }
    stage.push(std::move(some));
    for (client::record& each : stage.take())
      found.push_back(std::move(each));
  }
  for (client::record& each : stage.finish())
    found.push_back(std::move(each));
  ASSERT_THAT(found, SizeIs(number));
  for (std::uint64_t i = 0; i < number; ++i)
    ASSERT_EQ(found[i].sequence, i);
  EXPECT_THAT(stage.finish(), IsEmpty());
}

TEST_F(scorer_under_test, is_given_up_after_an_error_and_the_records_go_on) {
  const auto found = scored({answered("yes"), answered("crash"), answered("yes")});
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_EQ(attribute(found[0], IFB_SCORE_ATTRIBUTE), "1");
  EXPECT_EQ(attribute(found[2], IFB_SCORE_ATTRIBUTE), "-");
  EXPECT_TRUE(failed_);
  EXPECT_THAT(log_.kept(1), ElementsAre(HasSubstr("scorer fixed was given up, so later answers "
                                                  "have no score: no luck")));
}

TEST_F(scorer_under_test, may_not_give_more_than_one) {
  const auto found = scored({answered("far")});
  EXPECT_EQ(attribute(found[0], IFB_SCORE_ATTRIBUTE), "-");
  EXPECT_TRUE(failed_);
  EXPECT_THAT(log_.kept(1), ElementsAre(HasSubstr("the score 7 is not between 0 and 1")));
}

}  // namespace
}  // namespace inferbench::run
