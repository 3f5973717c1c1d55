// Once the buffers of a record have grown, a worker allocates no memory for a further event.
#include "allocations.hpp"

#include <cstdlib>
#include <string>
#include <thread>
#include <tuple>

#include <gtest/gtest.h>

#include "client/worker.hpp"
#include "framework/transport/loopback.hpp"
#include "streaming.hpp"

namespace inferbench::cost {
namespace {

// The additional allocations for twice as many events: the text and the stamps of the record double
// their memory when they are full, and the event parser stores the longest incomplete event.
constexpr std::size_t growths = 4;

struct streamed {
  client::record record;
  std::size_t allocations = 0;  // number of allocations on the worker's thread
};

streamed stream_of(std::size_t events, std::size_t events_a_write) {
  const transport::test::loopback listener;
  const std::string token = token_chunk();
  std::string block;
  for (std::size_t i = 0; i < events_a_write; ++i)
    block += token;
  std::thread server([&] {
    const base::fd peer = listener.accept();
    std::string request;
    while (request.find("\r\n\r\n") == std::string::npos)
      request += transport::test::read_some(peer, 1);
    transport::test::write_all(peer, answer_head);
    for (std::size_t sent = 0; sent < events; sent += events_a_write)
      transport::test::write_all(peer, block);
    transport::test::write_all(peer, answer_end());
    std::ignore = transport::test::read_some(peer, 1);  // waits until the client has closed
  });

  streamed out;
  openai protocol(std::string(INFERBENCH_PLUGIN_FOLDER) + "/backends/openai.so");
  const transport::endpoint where{transport::parse_url(listener.url()), {listener.where()}};
  const client::backend shared = protocol.at(where);
  const base::monotonic_clock clock;
  one_request jobs;
  {
    client::worker subject(clock, shared, {}, jobs,
                           [&](client::record&& r) { out.record = std::move(r); });
    const std::size_t before = allocations();
    subject.run();
    out.allocations = allocations() - before;
  }
  server.join();
  return out;
}

void expect_no_more_for_more_events(std::size_t events_a_write) {
  const streamed some = stream_of(20'000, events_a_write);
  const streamed twice = stream_of(40'000, events_a_write);
  ASSERT_TRUE(twice.record.ok()) << twice.record.error;
  ASSERT_EQ(some.record.tokens.size(), 20'000U);
  ASSERT_EQ(twice.record.tokens.size(), 40'000U);
  ASSERT_GT(some.allocations, 0U) << "allocations are not counted";
  fmt::print("{} allocations for 20,000 events, {} for 40,000\n", some.allocations,
             twice.allocations);
  EXPECT_LE(twice.allocations, some.allocations + growths);
}

TEST(allocations_per_event, are_counted_for_malloc_and_operator_new) {
  // A volatile pointer, because the compiler may remove a direct pair of malloc() and free().
  void* (*volatile allocate)(std::size_t) = &std::malloc;
  const std::size_t before = allocations();
  std::free(allocate(8));
  EXPECT_EQ(allocations(), before + 1);
  ::operator delete(::operator new(before + 8));
  EXPECT_EQ(allocations(), before + 2);
}

TEST(allocations_per_event, are_zero_if_the_server_coalesces_events) {
  expect_no_more_for_more_events(100);
}

TEST(allocations_per_event, are_zero_if_the_server_writes_each_event_separately) {
  expect_no_more_for_more_events(1);
}

}  // namespace
}  // namespace inferbench::cost
