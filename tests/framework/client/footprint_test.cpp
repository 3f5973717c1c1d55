// The memory of a request while it streams and after it.
#include <future>
#include <string>

#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "client/exchange.hpp"
#include "client/worker.hpp"
#include "framework/client/fake_codec.hpp"
#include "framework/client/heap.hpp"
#include "framework/client/scripted_server.hpp"

namespace inferbench::client {
namespace {

using testing::fake_codec;
using testing::heap_now;
using exchange_progress = exchange::progress;

constexpr std::size_t read_size = 64U * 1024U;
const transport::endpoint no_place{transport::parse_url("http://host:8000/base"), {}};
const std::string head_of_stream =
    "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nServer: uvicorn\r\n"
    "Content-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n";
const std::string event_chunk = "b\r\ndata: abc\n\n\r\n";

/// Makes each message a token, without keeping anything.
ifb_status pass_on(ifb_exchange* self, const ifb_http_message* message, const ifb_events* events,
                   ifb_output* output, ifb_error*) {
  ifb_token token = IFB_TOKEN_INIT;
  token.text = {static_cast<const char*>(message->data.data), message->data.size};
  events->on_token(output, &token);
  ++fake_codec::of(self).tokens;
  return IFB_OK;
}

class footprint : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!testing::heap_is_counted()) GTEST_SKIP() << "the sanitizer has its own operator new";
  }

  exchange_progress answer(exchange& work, std::string_view head, std::string_view piece,
                           std::size_t pieces) {
    EXPECT_TRUE(work.prepare(sample, 0, 0));
    work.start(1);
    auto now = work.feed(head, 2);
    for (std::size_t i = 0; i < pieces && now == exchange_progress::more; ++i)
      now = work.feed(piece, 3);
    return now;
  }

  backend passing_on(const transport::endpoint& where) {
    backend out = codec.shared(where);
    static_cast<ifb_http_codec&>(out.codec).on_message = &pass_on;
    return out;
  }

  fake_codec codec;
  backend shared = passing_on(no_place);
  ifb_sample sample = testing::text_sample();
};

TEST_F(footprint, a_huge_answer_of_any_kind_is_held_within_its_limit_and_leaves_nothing) {
  shared.max_message = 1U << 20U;
  shared.max_answer = 8U << 20U;
  head_writer heads(shared);
  exchange work(shared, heads);
  std::string many_fields = "HTTP/1.1 200 OK\r\n";
  while (many_fields.size() < 60U * 1024U)
    many_fields += "a:\r\n";
  const std::string long_piece(read_size, 'x');
  std::string pings;
  while (pings.size() < read_size)
    pings += ": ping\n\n";
  std::string events;
  while (events.size() < read_size)
    events += "data: x\n\n";
  const std::string sse = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
  std::ignore = answer(work, head_of_stream, event_chunk, 10);
  EXPECT_TRUE(work.finish().text.size() == 30);
  const std::ptrdiff_t before = heap_now().live;
  const auto limit = static_cast<std::ptrdiff_t>(shared.max_answer);
  const auto expect_small = [&](std::string_view head, std::string_view piece,
                                const std::string& error) {
    testing::reset_peak();
    // The answer has up to 100 MB; the exchange must fail it at the limit.
    EXPECT_EQ(answer(work, head, piece, 100'000'000 / read_size), exchange_progress::done);
    EXPECT_LT(heap_now().peak, before + 2 * limit) << error;
    const std::string found = work.finish().error;
    EXPECT_NE(found.find(error), std::string::npos) << found;
    EXPECT_LE(heap_now().live, before + 4096 + static_cast<std::ptrdiff_t>(found.capacity()))
        << error;
  };
  expect_small(sse, long_piece, "an event is longer than 1 MiB");
  expect_small(sse + "event: ", long_piece, "an event is longer than 1 MiB");
  expect_small(sse, pings, "the answer is longer than 8 MiB");
  expect_small(sse, events, "the answer is longer than 8 MiB");
  expect_small("HTTP/1.1 200 OK\r\n\r\n", long_piece, "the answer is longer than 1 MiB");
  expect_small("HTTP/1.1 500 OK\r\n\r\n", long_piece, "HTTP 500 OK: xxx");
  expect_small("HTTP/1.1 200 OK\r\nx: ", long_piece, "the header of the answer is longer");
  expect_small(many_fields, long_piece, "the header of the answer is longer");
  codec.framing = IFB_FRAMING_LINES;
  expect_small("HTTP/1.1 200 OK\r\n\r\n", long_piece, "a line is longer than 1 MiB");
}

TEST_F(footprint, an_event_costs_no_allocation) {
  head_writer heads(shared);
  exchange work(shared, heads);
  const auto stream = [&](std::size_t pieces) {
    EXPECT_EQ(answer(work, head_of_stream, event_chunk, pieces), exchange_progress::more);
  };
  stream(100);
  std::ignore = work.finish();
  const std::size_t before = heap_now().allocations;
  stream(100);
  const std::size_t hundred = heap_now().allocations - before;
  std::ignore = work.finish();
  const std::size_t again = heap_now().allocations;
  stream(10'000);
  // The stamps and the text of the record double their memory when it is full. From 100 to 10,000
  // events, each of the two doubles about seven times.
  EXPECT_LE(heap_now().allocations - again, hundred + 2 * 8);
}

TEST_F(footprint, ten_thousand_streams_take_at_most_16_KiB_each) {
  if (base::raise_descriptor_limit() < 1100) GTEST_SKIP() << "both ends of 500 connections";
  constexpr std::size_t count = 500;
  class listed final : public source {
   public:
    dataset::taken try_take(job& out) override {
      if (next_ == count) return dataset::taken::end;
      out.sample = &sample_;
      out.sequence = next_++;
      return dataset::taken::sample;
    }

   private:
    ifb_sample sample_ = testing::text_sample();
    std::size_t next_ = 0;
  } jobs;
  // No request completes before all are streaming.
  testing::scripted_server server([](testing::scripted_server& self, std::size_t) {
    if (self.seen().size() < count) return;
    for (std::size_t i = 0; i < count; ++i) {
      self.send(i, head_of_stream);
      for (int k = 0; k < 100; ++k)
        self.send(i, event_chunk);
    }
    for (std::size_t i = 0; i < count; ++i)
      self.send(i, "0\r\n\r\n");
  });
  const transport::endpoint where{transport::parse_url("http://host:1"), {server.where()}};
  shared = passing_on(where);
  const base::monotonic_clock clock;
  auto over = std::async(std::launch::async, [&] {
    const std::ptrdiff_t before = heap_now().live;
    testing::reset_peak();
    worker subject(clock, shared, {}, jobs, [](record&& r) { EXPECT_TRUE(r.ok()) << r.error; });
    subject.run();
    return static_cast<std::size_t>(heap_now().peak - before);
  });
  const std::size_t streaming = over.get();
  server.stop();
  RecordProperty("bytes_per_stream", static_cast<int>(streaming / count));
  EXPECT_LE(streaming / count, 16U * 1024U);
  EXPECT_GE(streaming / count, sizeof(exchange));
}

}  // namespace
}  // namespace inferbench::client
