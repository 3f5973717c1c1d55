#include "services/preparation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/dataset/fake_dataset.hpp"

namespace inferbench::services {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class slow_clock final : public base::clock {
 public:
  std::uint64_t now() const noexcept override { return at; }
  std::uint64_t at = 7 * base::ns_per_s;
};

class preparations : public ::testing::Test {
 protected:
  void after(double seconds, std::string_view what, std::uint64_t done, std::uint64_t total) {
    clock.at += static_cast<std::uint64_t>(seconds * 1e9);
    one.report(what, done, total);
  }

  slow_clock clock;
  fake::log_book book;
  preparation one{clock, book.log};
};

TEST_F(preparations, short_ones_say_nothing) {
  after(0, "reading a", 0, 10);
  after(1.9, "reading a", 9, 10);
  after(60, "reading a", 10, 10);
  EXPECT_THAT(book.lines(), IsEmpty());
}

TEST_F(preparations, long_ones_have_a_line_every_two_seconds_and_one_at_their_end) {
  after(0, "reading a", 0, 200);
  after(2, "reading a", 20, 200);
  after(1, "reading a", 30, 200);
  after(1, "reading a", 51, 200);
  after(0.1, "reading a", 200, 200);
  EXPECT_THAT(book.lines(), ElementsAre("reading a: 10 %", "reading a: 26 %", "reading a: 100 %"));
}

TEST_F(preparations, report_the_count_without_a_total) {
  after(0, "drawing prompts", 0, 0);
  after(3, "drawing prompts", 4000, 0);
  EXPECT_THAT(book.lines(), ElementsAre("drawing prompts: 4000"));
}

TEST_F(preparations, each_has_its_own_time) {
  after(0, "a", 0, 10);
  after(1.5, "b", 1, 10);
  after(0.6, "b", 2, 10);
  after(0, "a", 3, 10);
  EXPECT_THAT(book.lines(), ElementsAre("a: 30 %"));
}

}  // namespace
}  // namespace inferbench::services
