// Tests the number of system calls of a worker for an event that arrives alone: one to wait and one
// to read. Reading the clock takes no system call.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>
#include <poll.h>

#include "client/worker.hpp"
#include "framework/transport/loopback.hpp"
#include "streaming.hpp"
#include "traced_client.hpp"

namespace inferbench::cost {
namespace {

constexpr std::uint64_t skipped = 200;  // number of events before the count begins
constexpr std::uint64_t counted = 1'000;

/// A server that sends one streamed answer in steps.
class one_answer {
 public:
  /// Does the next step: accepts, reads the request, sends an event, or sends the end.
  void step() {
    if (!peer_) {
      if (ready(listener_.fd())) peer_ = listener_.accept();
    } else if (!asked_) {
      if (!ready(peer_.get())) return;
      asked_ = transport::test::read_now(peer_).find("\r\n\r\n") != std::string::npos;
      if (asked_) transport::test::write_all(peer_, answer_head);
    } else if (sent < skipped + counted) {
      ++sent;
      transport::test::write_all(peer_, token_);
    } else {
      transport::test::write_all(peer_, answer_end());
    }
  }
  [[nodiscard]] const transport::test::loopback& listener() const { return listener_; }

  std::uint64_t sent = 0;

 private:
  // Waits, because data sent through the kernel may need a moment to arrive.
  static bool ready(int fd) {
    pollfd one{fd, POLLIN, 0};
    return ::poll(&one, 1, 200) > 0;
  }

  transport::test::loopback listener_;
  base::fd peer_;
  const std::string token_ = token_chunk();
  bool asked_ = false;
};

int stream_one(const transport::test::loopback& from, const client::backend& settings) {
  client::backend shared = settings;
  const transport::endpoint where{transport::parse_url(from.url()), {from.where()}};
  shared.servers = {&where};
  const base::monotonic_clock clock;
  one_request jobs;
  bool good = false;
  client::worker subject(clock, shared, {}, jobs, [&](client::record&& r) {
    good = r.ok() && r.tokens.size() == skipped + counted;
  });
  subject.run();
  return good ? 0 : 1;
}

void expect_two_calls_an_event(void (*change)(client::backend&)) {
  one_answer server;
  const transport::endpoint where{transport::parse_url(server.listener().url()),
                                  {server.listener().where()}};
  openai protocol(std::string(INFERBENCH_PLUGIN_FOLDER) + "/backends/openai.so");
  client::backend settings = protocol.at(where);
  change(settings);
  traced_client client([&] { return stream_one(server.listener(), settings); });
  if (!client.allowed()) GTEST_SKIP() << "this system does not allow tracing";

  std::uint64_t before = 0;
  std::uint64_t during = 0;
  while (client.to_next_wait()) {
    server.step();
    if (server.sent == skipped && before == 0) before = client.all_calls();
    if (server.sent == skipped + counted && during == 0) during = client.all_calls() - before;
  }
  EXPECT_EQ(client.exit_status, 0);
  EXPECT_GT(during, 0U);
  std::string calls;
  for (const auto& [number, times] : client.calls)
    calls += std::to_string(number) + ": " + std::to_string(times) + " times; ";
  // The heap can grow by the way.
  EXPECT_LE(during, 2 * counted + counted / 100) << "by number, of the whole run: " << calls;
  fmt::print("{} system calls for {} events\n", during, counted);
}

TEST(system_calls_per_event, are_a_wait_and_a_read) {
  expect_two_calls_an_event([](client::backend&) {});
}

TEST(system_calls_per_event, do_not_increase_with_all_time_limits) {
  expect_two_calls_an_event([](client::backend& b) {
    b.first_byte_timeout_ns = 60 * base::ns_per_s;
    b.idle_timeout_ns = 60 * base::ns_per_s;
    b.request_timeout_ns = 3600 * base::ns_per_s;
    b.stall_warning_ns = 60 * base::ns_per_s;
  });
}

}  // namespace
}  // namespace inferbench::cost
