#include "observe/scraper.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::observe {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using records::observation;

transport::fetch_result page_answer(std::string body, std::uint32_t status = 200) {
  transport::fetch_result out;
  out.status = status;
  out.reason = status == 200 ? "OK" : "Not Found";
  out.body = std::move(body);
  return out;
}

observed_page test_page() { return {3, "http://h/metrics", 2 * base::ns_per_s, {}}; }

TEST(next_reading, keeps_the_grid_and_leaves_out_what_is_overdue) {
  EXPECT_EQ(next_reading(100, 10, 50), 100U);
  EXPECT_EQ(next_reading(100, 10, 100), 110U);
  EXPECT_EQ(next_reading(100, 10, 109), 110U);
  EXPECT_EQ(next_reading(100, 10, 110), 120U);
  EXPECT_EQ(next_reading(100, 10, 1234), 1240U);
}

TEST(wait_before, lasts_until_the_reading_but_never_so_long_that_a_clock_overflows) {
  using std::chrono::nanoseconds;
  EXPECT_EQ(wait_before(110, 100), nanoseconds(10));
  for (const std::uint64_t due : {UINT64_MAX / 2, UINT64_MAX})
    EXPECT_EQ(wait_before(due, 100), std::chrono::hours(1));
}

TEST(observed_page, begins_with_its_address_and_ends_with_all_definitions) {
  observed_page page = test_page();
  EXPECT_EQ(page.opening().source, 3U);
  EXPECT_EQ(page.opening().url, "http://h/metrics");
  EXPECT_EQ(page.opening().interval_ns, 2 * base::ns_per_s);
  EXPECT_EQ(page.opening().at_ns, 0U);
  const observation first = page.read(page_answer("tgi_queue_size 3\n"), 100, 120);
  EXPECT_EQ(first.at_ns, 110U) << "the middle between request and answer";
  EXPECT_EQ(first.server, "tgi");
  EXPECT_THAT(first.series, SizeIs(1));
  EXPECT_THAT(page.read(page_answer("tgi_queue_size 4\n"), 200, 220).series, IsEmpty());
  EXPECT_THAT(page.closing().series, SizeIs(1));
  EXPECT_EQ(page.closing().at_ns, 0U);
  EXPECT_EQ(page.closing().server, "tgi");
}

TEST(observed_page, answers_that_are_no_page_of_metrics_are_failed_readings) {
  observed_page page = test_page();
  const auto error_of = [&](const transport::fetch_result& answer) {
    const observation out = page.read(answer, 1, 2);
    EXPECT_THAT(out.values, IsEmpty());
    EXPECT_EQ(out.at_ns, 1U);
    return out.error;
  };
  transport::fetch_result refused;
  refused.error = "no connection to http://h/metrics: refused";
  EXPECT_EQ(error_of(refused), refused.error);
  EXPECT_EQ(error_of(page_answer("x", 404)), "HTTP 404 Not Found");
  EXPECT_EQ(error_of(page_answer("")), "the page holds no metrics");
  EXPECT_THAT(error_of(page_answer("<html>\n")),
              HasSubstr("not in Prometheus' text format: <html>"));
  EXPECT_THAT(error_of(page_answer("\n[{\"iter\": 1}]")), HasSubstr("/prometheus/metrics"));
  EXPECT_EQ(error_of(page_answer("a 1\nbroken\n")), "") << "the other lines are good";
}

/// Pages whose answers a test gives, and a wait for their requests.
class scripted_pages {
 public:
  scraper::page page(const std::string& name) {
    return {name, [this, name](std::uint64_t timeout_ns, const std::function<bool()>& stop) {
              return fetch(name, timeout_ns, stop);
            }};
  }
  /// From now on, requests get no answer until they are stopped.
  void hang() { hangs_ = true; }
  void wait_for_requests(std::size_t count) {
    std::unique_lock lock(mutex_);
    asked_.wait(lock, [&] { return requests_ >= count; });
  }
  std::size_t requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  std::uint64_t timeout_ns() {
    const std::lock_guard lock(mutex_);
    return timeout_ns_;
  }

 private:
  transport::fetch_result fetch(const std::string& name, std::uint64_t timeout_ns,
                                const std::function<bool()>& stop) {
    std::size_t number = 0;
    {
      const std::lock_guard lock(mutex_);
      number = ++requests_;
      timeout_ns_ = timeout_ns;
    }
    asked_.notify_all();
    if (hangs_ && name == "slow") {
      while (!stop())
        std::this_thread::yield();
      transport::fetch_result out;
      out.error = "stopped";
      out.stopped = true;
      return out;
    }
    return page_answer("vllm:num_requests_running " + std::to_string(number) + "\n");
  }

  std::mutex mutex_;
  std::condition_variable asked_;
  std::size_t requests_ = 0;
  std::uint64_t timeout_ns_ = 0;
  std::atomic<bool> hangs_ = false;
};

const base::monotonic_clock scraper_clock;

std::vector<observation> readings_of(const std::vector<observation>& all, std::uint32_t source) {
  std::vector<observation> out;
  for (const observation& one : all)
    if (one.source == source && one.at_ns != 0) out.push_back(one);
  return out;
}

TEST(scraper, reads_at_the_start_and_at_the_end) {
  scripted_pages script;
  scraper pages(scraper_clock, {script.page("a")}, 3600 * base::ns_per_s, {});
  pages.start(scraper_clock.now());
  script.wait_for_requests(1);
  pages.finish();
  pages.join();
  EXPECT_TRUE(pages.over());
  const std::vector<observation> made = pages.take();
  ASSERT_THAT(made, SizeIs(4));
  EXPECT_EQ(made[0].url, "a");
  EXPECT_EQ(made[0].at_ns, 0U);
  EXPECT_EQ(made[1].values.at(0).value, 1);
  EXPECT_EQ(made[2].values.at(0).value, 2);
  EXPECT_THAT(made[3].series, SizeIs(1)) << "the definitions again";
  EXPECT_THAT(pages.take(), IsEmpty());
  EXPECT_EQ(script.timeout_ns(), 3600 * base::ns_per_s);
}

/// A clock that a test can wait for: tells when it was read.
class noted_clock final : public base::clock {
 public:
  [[nodiscard]] std::uint64_t now() const noexcept override {
    read_ = true;
    read_.notify_all();
    return 1;
  }
  void wait_for_reading() const { read_.wait(false); }

 private:
  mutable std::atomic<bool> read_ = false;
};

TEST(scraper, sends_no_request_before_the_traffic) {
  scripted_pages script;
  const noted_clock clock;
  scraper pages(clock, {script.page("a")}, base::ns_per_s, {});
  EXPECT_THAT(pages.take(), IsEmpty());
  pages.start(UINT64_MAX / 2);
  clock.wait_for_reading();
  EXPECT_THAT(pages.take(), SizeIs(1)) << "the thread waits and does not hold the mutex";
  pages.cancel();
  pages.join();
  EXPECT_EQ(script.requests(), 0U);
}

TEST(scraper, reads_again_and_again) {
  scripted_pages script;
  scraper pages(scraper_clock, {script.page("a")}, base::ns_per_ms, {});
  pages.start(scraper_clock.now());
  script.wait_for_requests(5);
  pages.finish();
  pages.join();
  EXPECT_GE(readings_of(pages.take(), 0).size(), 5U);
  EXPECT_EQ(script.timeout_ns(), base::ns_per_s) << "at least a second";
}

TEST(scraper, a_page_that_hangs_delays_no_other_page_and_ends_when_it_is_cancelled) {
  scripted_pages script;
  script.hang();
  scraper pages(scraper_clock, {script.page("slow"), script.page("fast")}, base::ns_per_ms, {});
  pages.start(scraper_clock.now());
  script.wait_for_requests(6);
  EXPECT_FALSE(pages.over());
  pages.cancel();
  pages.join();
  const std::vector<observation> made = pages.take();
  EXPECT_THAT(readings_of(made, 0), IsEmpty()) << "what was given up is no reading";
  EXPECT_GE(readings_of(made, 1).size(), 4U);
}

TEST(scraper, may_be_destroyed_while_it_reads) {
  scripted_pages script;
  script.hang();
  {
    scraper pages(scraper_clock, {script.page("slow")}, base::ns_per_ms, {});
    pages.start(scraper_clock.now());
    script.wait_for_requests(1);
  }
  EXPECT_EQ(script.requests(), 1U);
}

}  // namespace
}  // namespace inferbench::observe
