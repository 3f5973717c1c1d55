#include "client/serialiser.hpp"

#include <future>
#include <memory>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A task that runs until the test lets it end.
class held_task final : public serialiser::task {
 public:
  held_task(int number, std::vector<int>& done) : number_(number), done_(done) {}

  void serialise() override {
    thread_ = std::this_thread::get_id();
    begun.set_value();
    end.get_future().wait();
  }
  void on_serialised() override { done_.push_back(number_); }

  [[nodiscard]] std::thread::id thread() const { return thread_; }

  std::promise<void> begun;
  std::promise<void> end;

 private:
  int number_;
  std::vector<int>& done_;
  std::thread::id thread_;
};

class serialiser_test : public ::testing::Test {
 protected:
  serialiser_test() {
    loop.on_wake(transport::callback<void()>::to<&serialiser_test::on_wake>(*this));
    for (int i = 0; i < 10; ++i)
      tasks.push_back(std::make_unique<held_task>(i, done));
  }
  void on_wake() { subject.collect(); }
  void wait_for(std::size_t count) {
    transport::test::run_until(loop, [&] { return done.size() == count; });
  }

  const base::monotonic_clock clock;
  transport::event_loop loop{clock};
  std::vector<int> done;
  std::vector<std::unique_ptr<held_task>> tasks;
  serialiser subject{loop};
};

TEST_F(serialiser_test, starts_no_thread_before_it_has_a_task) { EXPECT_EQ(subject.threads(), 0U); }

TEST_F(serialiser_test, serialises_on_another_thread_and_reports_on_the_thread_of_the_loop) {
  ASSERT_TRUE(subject.begin(*tasks[0]));
  tasks[0]->begun.get_future().wait();
  EXPECT_NE(tasks[0]->thread(), std::this_thread::get_id());
  EXPECT_THAT(done, IsEmpty());
  tasks[0]->end.set_value();
  wait_for(1);
  EXPECT_THAT(done, ElementsAre(0));
}

TEST_F(serialiser_test, a_thread_takes_one_task_after_another) {
  for (int i = 0; i < 3; ++i) {
    tasks[static_cast<std::size_t>(i)]->end.set_value();
    ASSERT_TRUE(subject.begin(*tasks[static_cast<std::size_t>(i)]));
    wait_for(static_cast<std::size_t>(i) + 1);
  }
  EXPECT_THAT(done, ElementsAre(0, 1, 2));
  EXPECT_EQ(subject.threads(), 1U);
}

TEST_F(serialiser_test, several_threads_work_at_once_and_not_more_than_the_limit) {
  for (const auto& one : tasks)
    ASSERT_TRUE(subject.begin(*one));
  for (std::size_t i = 0; i < serialiser::most_threads; ++i)
    tasks[i]->begun.get_future().wait();
  EXPECT_EQ(subject.threads(), serialiser::most_threads);
  for (const auto& one : tasks)
    one->end.set_value();
  wait_for(tasks.size());
  EXPECT_EQ(subject.threads(), serialiser::most_threads);
}

TEST_F(serialiser_test, reports_tasks_in_the_order_in_which_they_become_done) {
  ASSERT_TRUE(subject.begin(*tasks[0]));
  ASSERT_TRUE(subject.begin(*tasks[1]));
  tasks[0]->begun.get_future().wait();
  tasks[1]->end.set_value();
  wait_for(1);
  tasks[0]->end.set_value();
  wait_for(2);
  EXPECT_THAT(done, ElementsAre(1, 0));
}

TEST_F(serialiser_test, gives_back_a_task_that_no_thread_has_begun) {
  for (std::size_t i = 0; i < serialiser::most_threads; ++i)
    ASSERT_TRUE(subject.begin(*tasks[i]));
  for (std::size_t i = 0; i < serialiser::most_threads; ++i)
    tasks[i]->begun.get_future().wait();
  held_task& waiting = *tasks[serialiser::most_threads];
  ASSERT_TRUE(subject.begin(waiting));
  EXPECT_FALSE(subject.withdraw(*tasks[0])) << "a thread is inside";
  EXPECT_TRUE(subject.withdraw(waiting));
  EXPECT_FALSE(subject.withdraw(waiting)) << "it is not there any more";
  for (std::size_t i = 0; i < serialiser::most_threads; ++i)
    tasks[i]->end.set_value();
  wait_for(serialiser::most_threads);
}

TEST_F(serialiser_test, a_task_that_is_done_cannot_be_withdrawn_and_is_reported) {
  ASSERT_TRUE(subject.begin(*tasks[0]));
  tasks[0]->end.set_value();
  wait_for(1);
  EXPECT_FALSE(subject.withdraw(*tasks[0]));
  EXPECT_THAT(done, ElementsAre(0));
}

}  // namespace
}  // namespace inferbench::client
