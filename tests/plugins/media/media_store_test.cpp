#include "datasets/media/media_store.hpp"

#include <latch>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/plugin_box.hpp"

namespace {

using row_media::encoded_medium;
using row_media::media_store;

// A host and an arena for one call.
struct lent {
  support::host host;
  support::arena blocks;
  ifb::arena memory{host.table(), blocks.handle()};
};

encoded_medium never() { throw std::logic_error("is made again"); }

TEST(media_store, makes_a_medium_once_and_keeps_it) {
  lent call;
  media_store store(10);
  const auto first = store.get("a", call.memory, [] { return encoded_medium{"bytes", 1.5}; });
  EXPECT_EQ(first.file, "bytes");
  EXPECT_EQ(first.seconds, 1.5);
  const auto second = store.get("a", call.memory, never);
  EXPECT_EQ(second.file.data(), first.file.data());
  EXPECT_EQ(second.seconds, 1.5);
  EXPECT_TRUE(store.fill("a", never));
  EXPECT_EQ(store.size(), 5U);
  EXPECT_EQ(call.blocks.allocations(), 0U);
}

TEST(media_store, puts_what_does_not_fit_into_the_memory_of_the_call) {
  lent call;
  media_store store(10);
  const auto six = [] { return encoded_medium{"123456", 2}; };
  EXPECT_TRUE(store.fill("a", six));
  EXPECT_FALSE(store.fill("b", six));
  EXPECT_EQ(store.get("b", call.memory, six).file, "123456");
  EXPECT_EQ(store.get("b", call.memory, six).seconds, 2);
  EXPECT_EQ(call.blocks.allocations(), 2U);
  EXPECT_EQ(store.size(), 6U);
  EXPECT_TRUE(store.fill("c", [] { return encoded_medium{"1234"}; }));
  EXPECT_EQ(store.size(), 10U);
  EXPECT_FALSE(store.fill("d", six));
  EXPECT_EQ(store.get("a", call.memory, never).file, "123456");
}

TEST(media_store, does_not_keep_a_medium_without_a_key) {
  lent call;
  media_store store(10);
  int made = 0;
  const auto make = [&] {
    ++made;
    return encoded_medium{"x"};
  };
  EXPECT_EQ(store.get("", call.memory, make).file, "x");
  EXPECT_EQ(store.get("", call.memory, make).file, "x");
  EXPECT_EQ(made, 2);
  EXPECT_EQ(store.size(), 0U);
}

TEST(media_store, makes_a_medium_again_after_a_failure) {
  lent call;
  media_store store(10);
  const auto fail = []() -> encoded_medium { throw std::runtime_error("cut"); };
  EXPECT_THROW(static_cast<void>(store.get("a", call.memory, fail)), std::runtime_error);
  EXPECT_THROW(static_cast<void>(store.fill("a", fail)), std::runtime_error);
  EXPECT_TRUE(store.fill("a", [] { return encoded_medium{"x"}; }));
}

TEST(media_store, lets_other_threads_wait_for_a_medium_that_is_being_made) {
  media_store store(10);
  std::latch begun(1);
  std::latch may_end(1);
  std::thread maker([&] {
    lent call;
    EXPECT_EQ(store
                  .get("a", call.memory,
                       [&] {
                         begun.count_down();
                         may_end.wait();
                         return encoded_medium{"x"};
                       })
                  .file,
              "x");
  });
  begun.wait();
  std::vector<std::thread> others;
  for (int i = 0; i < 4; ++i)
    others.emplace_back([&] {
      lent call;
      EXPECT_EQ(store.get("a", call.memory, never).file, "x");
    });
  may_end.count_down();
  maker.join();
  for (std::thread& each : others)
    each.join();
}

TEST(media_store, lets_waiting_threads_make_a_medium_that_does_not_fit) {
  media_store store(3);
  std::latch begun(1);
  std::latch may_end(1);
  std::thread maker([&] {
    EXPECT_FALSE(store.fill("a", [&] {
      begun.count_down();
      may_end.wait();
      return encoded_medium{"12345"};
    }));
  });
  begun.wait();
  std::thread other([&] {
    lent call;
    EXPECT_EQ(store.get("a", call.memory, [] { return encoded_medium{"12345"}; }).file, "12345");
  });
  may_end.count_down();
  maker.join();
  other.join();
}

}  // namespace
