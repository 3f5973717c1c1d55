#include "observe/cache_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/dataset/fake_dataset.hpp"
#include "framework/observe/fact_of.hpp"

namespace inferbench::observe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// A run of prompts that differ only in their last bytes.
class cache_watch_bench {
 public:
  explicit cache_watch_bench(const std::string& salt = "", std::int64_t warmups = 0) {
    samples.prepare();
    subject.emplace(cache_watch::settings{.salt = salt, .preparation = {.num_warmups = warmups}},
                    samples, nullptr);
    samples.pass_through(
        [this](std::span<const dataset::sample_ptr> some) {
          subject->salt_them(some);
          subject->see(some);
        },
        subject->at_once());
  }

  std::vector<std::string> run(std::int64_t number) {
    std::vector<std::string> out;
    subject->begin(number);
    samples.start(16);
    while (const auto one = samples.take())
      out.push_back(fake::prompt(*one));
    samples.stop();
    return out;
  }
  metrics::context end(std::optional<prefix_cache_counts> counted = {}) {
    metrics::context out;
    subject->end(counted, out, book.log);
    return out;
  }

  static std::vector<fake::row> rows() {
    const std::string common(640, 'x');
    return {{IFB_OK, common + "one"}, {IFB_OK, common + "two"}};
  }

  fake::dataset data{rows()};
  fake::log_book book;
  std::unique_ptr<plugin::instance> instance = data.create();
  dataset::feed samples{
      *instance, {.num_prompts = 0, .shuffle = false, .request_id_prefix = "q-"}, book.log};
  std::optional<cache_watch> subject;
};

TEST(cache_watch, without_a_salt_leaves_prompts_as_they_are) {
  cache_watch_bench b;
  EXPECT_THAT(b.run(1), ElementsAre(b.rows()[0].text, b.rows()[1].text));
  EXPECT_EQ(fact_of(b.end(), "salt"), "");
}

TEST(cache_watch, salts_each_run_of_a_series_with_another_text) {
  cache_watch_bench b("s\"1 ");
  EXPECT_THAT(fake::prompt(b.samples.first()), StartsWith("s\"1 xxx")) << "for the warm-up";
  EXPECT_THAT(b.run(1), ElementsAre("s\"1 " + b.rows()[0].text, "s\"1 " + b.rows()[1].text));
  EXPECT_EQ(fact_of(b.end(), "salt"), R"("s\"1 ")");
  EXPECT_THAT(b.run(2), ElementsAre(StartsWith("2-s\"1 xxx"), StartsWith("2-s\"1 xxx")));
  EXPECT_EQ(fact_of(b.end(), "salt"), R"("2-s\"1 ")");
}

TEST(cache_watch, compares_the_shared_prefixes_with_the_servers_counters) {
  cache_watch_bench b;
  (void)b.run(1);
  EXPECT_THAT(fact_of(b.end(prefix_cache_counts{1000, 495}), "prefix_cache"),
              HasSubstr(R"("expected_share": 0.49)"));
  EXPECT_THAT(b.book.lines(), ElementsAre(StartsWith("49.5% of the prompt tokens came from")));
  (void)b.run(2);
  (void)b.end(prefix_cache_counts{1000, 990});
  ASSERT_EQ(b.book.lines().size(), 2U);
  EXPECT_THAT(b.book.lines()[1], HasSubstr("this run share only 49."));
  EXPECT_THAT(b.book.lines()[1], HasSubstr("--salt auto"));
}

TEST(cache_watch, knows_that_the_warm_up_sent_the_first_prompt) {
  cache_watch_bench b("", 1);
  (void)b.run(1);
  EXPECT_THAT(fact_of(b.end(), "prefix_cache"), HasSubstr(R"("expected_share": 0.99)"));
}

// The feed reads prompts in advance, so it has seen all prompts of a run that ends early.
TEST(cache_watch, expects_hits_only_for_prompts_that_were_sent) {
  cache_watch_bench b;
  (void)b.run(1);
  client::record first;
  first.status = IFB_OK;
  first.start_ns = 1;
  b.subject->answers().add(first);
  client::record never_sent;
  never_sent.status = IFB_E_CANCELLED;
  b.subject->answers().add(never_sent);
  EXPECT_THAT(fact_of(b.end(prefix_cache_counts{1000, 0}), "prefix_cache"),
              HasSubstr(R"("expected_share": 0.0)"));
  EXPECT_THAT(b.book.lines(), ::testing::IsEmpty());
}

TEST(cache_watch, counts_the_records_of_the_collector) {
  cache_watch_bench b;
  (void)b.run(1);
  client::record one;
  one.status = IFB_OK;
  one.prompt_tokens = 100;
  one.cached_tokens = 50;
  b.subject->answers().add(one);
  EXPECT_THAT(fact_of(b.end(), "prefix_cache"), HasSubstr(R"("observed_share": 0.5)"));
  (void)b.run(2);
  EXPECT_THAT(fact_of(b.end(), "prefix_cache"), Not(HasSubstr("observed_share")));
}

}  // namespace
}  // namespace inferbench::observe
