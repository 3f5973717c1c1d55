// The client's side of TLS on a socket; the test plays the server.
#include "transport/secure_channel.hpp"

#include <cerrno>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "framework/transport/clocks.hpp"
#include "framework/transport/loopback.hpp"
#include "framework/transport/socket_pair.hpp"
#include "framework/transport/tls_side.hpp"

namespace inferbench::transport {
namespace {

class secure_channel_test : public ::testing::Test {
 protected:
  secure_channel_test() {
    tls_options options;
    options.insecure = true;
    context = std::make_unique<const tls_context>(options);
    subject = std::make_unique<secure_channel>(*context, "localhost", nullptr, 7);
    while (!side.done()) {
      step = subject->handshake();
      EXPECT_EQ(push(), 0);
      feed(side.take(test::read_now(sockets.far)));
    }
    EXPECT_TRUE(subject->holds_no_data()) << "only tickets have come";
  }

  void feed(const std::string& bytes) {
    fed = bytes;
    subject->feed(fed);
  }
  [[nodiscard]] int push() { return subject->push(sockets.near.get(), message, clock); }
  [[nodiscard]] int write() { return subject->write(sockets.near.get(), message, clock); }
  void hear() { std::ignore = side.take(test::read_now(sockets.far)); }

  test::identity self = test::make_identity();
  test::tls_server shared{self};
  test::tls_side side{shared};
  test::socket_pair sockets;
  test::counting_clock clock;
  std::unique_ptr<const tls_context> context;
  gather_write message;
  std::unique_ptr<secure_channel> subject;
  std::string fed;
  tls_step step = tls_step::more;
};

TEST_F(secure_channel_test, a_handshake_is_not_the_time_of_a_message) {
  EXPECT_EQ(step, tls_step::ok);
  EXPECT_EQ(subject->began_at(), 7U);
  EXPECT_FALSE(subject->pushing());
  EXPECT_EQ(message.sent_at(), 0U);
  EXPECT_EQ(clock.at, 0U);
}

TEST_F(secure_channel_test, a_message_that_fits_is_one_record) {
  const std::string text(4'000, 'x');
  const std::vector<ifb_bytes> body(4, {text.data(), text.size()});
  message.begin("head", body);
  EXPECT_EQ(write(), 0);
  EXPECT_EQ(message.unsent(), 0U);
  EXPECT_EQ(message.sent_at(), 1U);
  EXPECT_GT(message.written(), 16'004U) << "encrypted bytes";
  hear();
  EXPECT_EQ(side.heard.size(), 16'004U);
  EXPECT_EQ(side.records, 1);
}

TEST_F(secure_channel_test, at_most_one_record_waits_for_room) {
  const std::string text(4 << 20, 'x');
  const std::vector<ifb_bytes> body{{text.data(), text.size()}};
  message.begin({}, body);
  EXPECT_EQ(write(), 0);
  ASSERT_NE(message.unsent(), 0U) << "4 MB do not fit into a socket buffer";
  EXPECT_TRUE(subject->pushing());
  const std::size_t encrypted = text.size() - message.unsent() + tls_stream::max_record;
  EXPECT_LT(message.written(), encrypted + encrypted / 100);
  while (message.unsent() != 0) {
    hear();
    EXPECT_EQ(write(), 0);
  }
  hear();
  EXPECT_EQ(side.heard.size(), text.size());
  EXPECT_FALSE(subject->pushing());
}

TEST_F(secure_channel_test, reads_all_records_that_fit) {
  std::string records = side.say("one");
  records += side.say("two");
  feed(records);
  std::string room(3 * tls_stream::max_record, ' ');
  std::size_t filled = 0;
  EXPECT_EQ(subject->read(room, filled), tls_step::more);
  EXPECT_EQ(room.substr(0, filled), "onetwo");

  records = side.say("three");
  records += side.say("four");
  feed(records);
  room.resize(tls_stream::max_record);
  EXPECT_EQ(subject->read(room, filled), tls_step::ok);
  EXPECT_EQ(room.substr(0, filled), "three");
  EXPECT_EQ(subject->read(room, filled), tls_step::ok);
  EXPECT_EQ(room.substr(0, filled), "four");
  EXPECT_EQ(subject->read(room, filled), tls_step::more);
  EXPECT_EQ(filled, 0U);

  records = side.say("last");
  records += side.goodbye();
  feed(records);
  room.resize(2 * tls_stream::max_record);
  EXPECT_EQ(subject->read(room, filled), tls_step::closed);
  EXPECT_EQ(room.substr(0, filled), "last");
}

TEST_F(secure_channel_test, messages_of_tls_are_no_data) {
  feed(side.change_keys());
  EXPECT_TRUE(subject->holds_no_data());
  message.begin("head", {});
  EXPECT_EQ(write(), 0);
  hear();
  EXPECT_EQ(side.heard, "head") << "with the new keys";
  feed(side.say("x"));
  EXPECT_FALSE(subject->holds_no_data());
}

TEST_F(secure_channel_test, bytes_for_a_broken_connection_are_dropped) {
  sockets.far.reset();
  message.begin("head", {});
  EXPECT_EQ(write(), EPIPE);
  EXPECT_FALSE(subject->pushing());
  EXPECT_EQ(message.written(), 0U);
}

TEST_F(secure_channel_test, says_goodbye) {
  subject->say_goodbye(sockets.near.get());
  hear();
  EXPECT_TRUE(side.closed());
}

}  // namespace
}  // namespace inferbench::transport
