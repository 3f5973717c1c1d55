#include "transport/gather_write.hpp"

#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "framework/transport/clocks.hpp"
#include "framework/transport/loopback.hpp"
#include "framework/transport/socket_pair.hpp"

namespace inferbench::transport {
namespace {

class gather_write_test : public ::testing::Test {
 protected:
  // The pieces of the body are views into `parts`.
  void begin(std::string_view head) {
    body.clear();
    for (const std::string& part : parts)
      body.push_back({part.data(), part.size()});
    subject.begin(head, body);
  }

  test::socket_pair sockets;
  test::counting_clock clock;
  std::vector<std::string> parts;
  std::vector<ifb_bytes> body;
  gather_write subject;
};

TEST_F(gather_write_test, writes_head_and_body_and_keeps_the_time_before_the_first_byte) {
  parts = {"body ", "", "and more"};
  begin("head ");
  EXPECT_EQ(subject.unsent(), 18U);
  EXPECT_EQ(subject.sent_at(), 0U);
  EXPECT_EQ(subject.write_to(sockets.near.get(), clock), 0);
  EXPECT_EQ(subject.unsent(), 0U);
  EXPECT_EQ(subject.written(), 18U);
  EXPECT_EQ(subject.sent_at(), 1U);
  EXPECT_EQ(clock.at, 1U) << "one write, one time";
  EXPECT_EQ(test::read_some(sockets.far, 18), "head body and more");
}

TEST_F(gather_write_test, continues_where_the_socket_had_no_room) {
  std::string wanted = "head";
  for (int i = 0; i < 200; ++i) {
    parts.emplace_back(20'000, static_cast<char>('a' + i % 26));
    wanted += parts.back();
  }
  begin("head");
  EXPECT_EQ(subject.write_to(sockets.near.get(), clock), 0);
  EXPECT_NE(subject.unsent(), 0U) << "4 MB do not fit into a socket buffer";
  const std::uint64_t sent_at = subject.sent_at();
  std::string got;
  while (subject.unsent() != 0) {
    got += test::read_now(sockets.far);
    EXPECT_EQ(subject.write_to(sockets.near.get(), clock), 0);
  }
  EXPECT_EQ(subject.sent_at(), sent_at);
  EXPECT_EQ(subject.written(), wanted.size());
  got += test::read_some(sockets.far, wanted.size() - got.size());
  EXPECT_TRUE(got == wanted);
}

TEST_F(gather_write_test, returns_the_errno_of_a_broken_connection) {
  sockets.far.reset();
  begin("head");
  EXPECT_EQ(subject.write_to(sockets.near.get(), clock), EPIPE);
  EXPECT_EQ(subject.written(), 0U);
  EXPECT_EQ(subject.sent_at(), 0U);
}

TEST_F(gather_write_test, copies_the_next_bytes_across_pieces) {
  parts = {"one", "", "two", "three"};
  begin("head");
  std::array<char, 6> room{};
  std::string got;
  while (subject.unsent() != 0) {
    const std::size_t size = subject.copy(room);
    EXPECT_EQ(subject.copy(room), size) << "a copy takes nothing";
    got.append(room.data(), size).append("|");
    subject.advance(size);
  }
  EXPECT_EQ(got, "headon|etwoth|ree|");
}

TEST_F(gather_write_test, forgets_the_rest_but_not_what_was_written) {
  begin("head");
  EXPECT_EQ(subject.write_to(sockets.near.get(), clock), 0);
  subject.drop();
  EXPECT_EQ(subject.unsent(), 0U);
  EXPECT_EQ(subject.written(), 4U);
  EXPECT_EQ(subject.sent_at(), 1U);
  begin("next");
  EXPECT_EQ(subject.written(), 0U);
  EXPECT_EQ(subject.sent_at(), 0U);
}

}  // namespace
}  // namespace inferbench::transport
