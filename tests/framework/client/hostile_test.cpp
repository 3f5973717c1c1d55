// Servers that break the protocol: each violation is a clear error in the record of its request,
// and does not affect the requests beside it.
#include <chrono>
#include <cstdio>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/worker.hpp"
#include "framework/client/fake_codec.hpp"
#include "framework/client/scripted_server.hpp"

namespace inferbench::client {
namespace {

using testing::fake_codec;
using ::testing::HasSubstr;
using testing::scripted_server;

/// The behaviour of the hostile server towards a request.
using deed = std::function<void(scripted_server&, std::size_t request)>;

const std::string sse_head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n";
const std::string chunked_head = sse_head + "Transfer-Encoding: chunked\r\n\r\n";
const std::string good =
    chunked_head + "c\r\ndata: good\n\n\r\n7\r\ndata: e\r\n4\r\nnd\n\n\r\n0\r\n\r\n";
// The end of the last event, at which the request has succeeded.
const std::size_t last_event = good.find("nd\n\n") + 4;

std::string hostile_chunk(const std::string& data) {
  char size[16];
  std::snprintf(size, sizeof size, "%zx\r\n", data.size());
  return size + data + "\r\n";
}

std::string repeated(std::string_view piece, std::size_t bytes) {
  std::string out;
  while (out.size() < bytes)
    out += piece;
  return out;
}

deed says(std::string bytes) {
  return [bytes = std::move(bytes)](scripted_server& self, std::size_t request) {
    self.send(request, bytes);
  };
}
deed says_and_closes(std::string bytes) {
  return [bytes = std::move(bytes)](scripted_server& self, std::size_t request) {
    self.send(request, bytes);
    self.close(request);
  };
}
deed says_and_resets(std::string bytes) {
  return [bytes = std::move(bytes)](scripted_server& self, std::size_t request) {
    self.send(request, bytes);
    self.reset(request);
  };
}
/// Sends until the client has closed the connection.
deed says_without_end(std::string begin, std::string_view piece) {
  return [begin = std::move(begin), block = repeated(piece, 65536)](scripted_server& self,
                                                                    std::size_t request) {
    self.send(request, begin);
    while (self.send(request, block)) {
    }
  };
}

/// Requests in groups of three; the server is hostile to the middle request of each group.
class groups final : public source {
 public:
  explicit groups(std::size_t count) {
    for (std::size_t i = 0; i < 3 * count; ++i)
      ids_.push_back(std::to_string(i));
    sample_ = testing::text_sample();
  }

  dataset::taken try_take(job& out) override {
    if (next_ == ids_.size()) return dataset::taken::end;
    samples_.push_back(std::make_unique<ifb_sample>(sample_));
    samples_.back()->id = plugin::str(ids_[next_]);
    out.sample = samples_.back().get();
    out.sequence = next_++;
    return dataset::taken::sample;
  }

 private:
  std::vector<std::string> ids_;
  std::vector<std::unique_ptr<ifb_sample>> samples_;
  ifb_sample sample_;
  std::size_t next_ = 0;
};

class hostile : public ::testing::Test {
 protected:
  /// For each behaviour in `deeds`, sends three requests together. The server shows the behaviour
  /// to the middle request and answers the other two correctly. Checks the records of those two
  /// requests and returns the records of the middle requests.
  std::vector<record> meet(const std::vector<deed>& deeds) {
    std::map<std::size_t, std::vector<std::size_t>> arrived;  // requests by group
    scripted_server server([&](scripted_server& self, std::size_t request) {
      const std::size_t group = std::stoul(self.seen()[request].id) / 3;
      auto& members = arrived[group];
      members.push_back(request);
      if (members.size() < 3) return;
      std::map<std::size_t, std::size_t> by_id;
      for (const std::size_t one : members)
        by_id[std::stoul(self.seen()[one].id) % 3] = one;
      const std::size_t half = good.size() / 2;
      self.send(by_id[0], good.substr(0, half));
      self.send(by_id[2], good.substr(0, half));
      deeds[group](self, by_id[1]);
      self.send(by_id[0], good.substr(half));
      self.send(by_id[2], good.substr(half));
    });
    const transport::endpoint where{transport::parse_url("http://host:1"), {server.where()}};
    shared.servers = {&where};
    groups jobs(deeds.size());
    const base::monotonic_clock clock;
    std::map<std::uint64_t, record> records;
    worker_settings settings;
    settings.max_in_flight = 3;
    worker subject(clock, shared, settings, jobs,
                   [&](record&& r) { records.emplace(r.sequence, std::move(r)); });
    auto over = std::async(std::launch::async, [&] { subject.run(); });
    if (over.wait_for(std::chrono::seconds(60)) != std::future_status::ready) {
      ADD_FAILURE() << "the worker did not end within 60 s";
      subject.stop();
    }
    over.get();
    server.stop();

    EXPECT_EQ(records.size(), 3 * deeds.size());
    EXPECT_EQ(codec.closed, codec.opened);
    std::vector<record> out;
    for (auto& [n, r] : records) {
      if (n % 3 == 1) {
        out.push_back(std::move(r));
        continue;
      }
      EXPECT_TRUE(r.ok()) << n << ": " << r.error;
      EXPECT_EQ(r.text, "good") << n;
    }
    return out;
  }

  record meet(deed what) { return std::move(meet(std::vector<deed>{std::move(what)}).at(0)); }

  void expect(deed what, ifb_status status, const std::string& error) {
    const record r = meet(std::move(what));
    EXPECT_EQ(r.status, status) << error;
    EXPECT_THAT(r.error, HasSubstr(error));
    EXPECT_LT(r.error.size(), 4096U);
  }
  void expect_good(deed what) {
    const record r = meet(std::move(what));
    EXPECT_TRUE(r.ok()) << r.error;
    EXPECT_EQ(r.text, "good");
  }

  static backend limited(backend out) {
    out.max_message = 1U << 18U;
    out.max_answer = 1U << 20U;
    return out;
  }

  fake_codec codec;
  const transport::endpoint nobody{transport::parse_url("http://host:1"), {}};
  backend shared = limited(codec.shared(nobody));
};

TEST_F(hostile, a_connection_that_ends_before_the_last_event_of_the_answer_is_an_io_error) {
  std::vector<deed> deeds;
  for (std::size_t cut = 0; cut <= good.size(); ++cut)
    deeds.push_back(says_and_closes(good.substr(0, cut)));
  const std::vector<record> found = meet(deeds);
  for (std::size_t cut = 0; cut < last_event; ++cut) {
    EXPECT_EQ(found[cut].status, IFB_E_IO) << cut;
    EXPECT_THAT(found[cut].error, HasSubstr("the server closed the connection")) << cut;
    EXPECT_FALSE(found[cut].sent_again) << cut;
  }
  for (std::size_t cut = last_event; cut <= good.size(); ++cut)
    EXPECT_TRUE(found[cut].ok()) << cut << found[cut].error;
}

TEST_F(hostile, a_connection_that_is_reset_before_the_last_event_of_the_answer_is_an_io_error) {
  std::vector<deed> deeds;
  for (std::size_t cut = 0; cut <= good.size(); ++cut)
    deeds.push_back(says_and_resets(good.substr(0, cut)));
  const std::vector<record> found = meet(deeds);
  for (std::size_t cut = 0; cut < last_event; ++cut) {
    EXPECT_EQ(found[cut].status, IFB_E_IO) << cut;
    EXPECT_EQ(found[cut].error, "the connection broke: Connection reset by peer") << cut;
    EXPECT_FALSE(found[cut].sent_again) << cut;
  }
  for (std::size_t cut = last_event; cut <= good.size(); ++cut)
    EXPECT_TRUE(found[cut].ok()) << cut << found[cut].error;
}

TEST_F(hostile, an_event_without_end_fails_at_the_default_limit_of_64_MiB) {
  shared.max_message = backend{}.max_message;
  shared.max_answer = backend{}.max_answer;
  expect(says_without_end(sse_head + "\r\ndata: ", "x"), IFB_E_PROTOCOL,
         "an event is longer than 64 MiB (--max-message)");
}

TEST_F(hostile, events_lines_and_answers_without_end_fail_at_their_limit) {
  const std::string event = "an event is longer than 256 KiB (--max-message)";
  expect(says_without_end(sse_head + "\r\nevent: ", "x"), IFB_E_PROTOCOL, event);
  expect(says_without_end(sse_head + "\r\n: ", "x"), IFB_E_PROTOCOL, event);
  expect(says_without_end(sse_head + "\r\n", "data: many words\n"), IFB_E_PROTOCOL, event);
  expect(says_without_end(chunked_head, hostile_chunk("data: many words\n")), IFB_E_PROTOCOL,
         event);
  const std::string answer = "the answer is longer than 1 MiB (--max-answer)";
  expect(says_without_end(sse_head + "\r\n", "data: x\n\n"), IFB_E_PROTOCOL, answer);
  expect(says_without_end(chunked_head, hostile_chunk("data: x\n\n")), IFB_E_PROTOCOL, answer);
  expect(says_without_end("HTTP/1.1 500 Oh\r\n\r\n", "<p>sorry</p>"), IFB_E_REMOTE,
         "HTTP 500 Oh: <p>sorry</p>");
  expect(says_without_end("HTTP/1.1 200 OK\r\n\r\n", "{"), IFB_E_PROTOCOL,
         "the answer is longer than 256 KiB (--max-message)");
}

TEST_F(hostile, a_stream_of_only_pings_or_white_space_fails_at_the_limit) {
  const std::string answer = "the answer is longer than 1 MiB (--max-answer)";
  for (const std::string_view nothing : {": ping\n\n", "\n", "\r\n", "\r", "event: ping\n\n",
                                         "id: 1\n\n", "retry: 1\n", "rubbish\n"})
    expect(says_without_end(sse_head + "\r\n", nothing), IFB_E_PROTOCOL, answer);
}

TEST_F(hostile, an_answer_that_continues_for_ever_after_its_reported_end_is_left) {
  const std::string end = "data: good\n\ndata: end\n\n";
  expect_good(says_without_end(sse_head + "\r\n" + end, ": \n\n"));
  expect_good(says_without_end(chunked_head + hostile_chunk(end), hostile_chunk(": \n\n")));
  expect_good(says_without_end(chunked_head + hostile_chunk(end) + "0\r\n", "x: y\r\n"));
  expect_good(says_without_end(chunked_head + hostile_chunk(end) + "0\r\n\r\n", "HTTP/1.1 500 "));
}

TEST_F(hostile, an_answer_that_breaks_off_after_its_reported_end_is_good) {
  const std::string end = "data: good\n\ndata: end\n\n";
  expect_good(says_and_closes(chunked_head + hostile_chunk(end)));
  expect_good(says_and_resets(chunked_head + hostile_chunk(end)));
  expect_good(says_and_closes(chunked_head + hostile_chunk(end) + "zz"));
}

TEST_F(hostile, a_header_without_bounds_is_refused) {
  const std::string error = "the header of the answer is longer than 65536 bytes";
  expect(says("HTTP/1.1 200 OK\r\nX-Long: " + std::string(1U << 20U, 'x') + "\r\n\r\n"),
         IFB_E_PROTOCOL, error);
  expect(says_without_end("HTTP/1.1 200 ", "O"), IFB_E_PROTOCOL, error);
  expect(says_without_end("HTTP/1.1 200 OK\r\n", "X-Many: x\r\n"), IFB_E_PROTOCOL, error);
  expect(says_without_end("HTTP/1.1 200 OK\r\nX-Folded:\r\n", " x\r\n"), IFB_E_PROTOCOL, error);
  expect(says(repeated("X", 65536)), IFB_E_PROTOCOL, "does not begin with HTTP/1.");
  // Many header lines, but fewer bytes than the limit.
  std::string many = sse_head;
  while (many.size() < 60'000)
    many += "x:\r\n";
  expect_good(says(many + "Transfer-Encoding: chunked\r\n\r\n" + good.substr(chunked_head.size())));
}

TEST_F(hostile, interim_answers_are_skipped_up_to_a_limit) {
  const std::string early = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n";
  expect_good(says("HTTP/1.1 100 Continue\r\n\r\n" + early + early + good));
  const std::string error = "interim answers without end";
  expect(says_without_end("", "HTTP/1.1 100 Continue\r\n\r\n"), IFB_E_PROTOCOL, error);
  expect(says_without_end("", early), IFB_E_PROTOCOL, error);
  expect(says("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n"), IFB_E_PROTOCOL,
         "switched to another protocol");
}

TEST_F(hostile, redirects_to_other_servers_are_not_followed) {
  for (const std::string status : {"301", "302", "303", "307", "308"})
    expect(says("HTTP/1.1 " + status +
                " Moved\r\nLocation: http://other:1/v1\r\n"
                "Content-Length: 0\r\n\r\n"),
           IFB_E_REMOTE, "HTTP " + status + " Moved to http://other:1/v1, which is not followed");
  expect(says("HTTP/1.1 302 \r\nLocation: " + std::string(60'000, 'x') +
              "\r\nContent-Length: 0\r\n\r\n"),
         IFB_E_REMOTE, "HTTP 302 to xxx");
  expect(says("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"), IFB_E_REMOTE, "HTTP 302 Found");
}

TEST_F(hostile, answers_in_unknown_codings_are_reported_as_such) {
  for (const std::string coding : {"br", "zstd", "gzip, identity"})
    expect(says(sse_head + "Content-Encoding: " + coding + "\r\n\r\n\x1f\x8b\x08"), IFB_E_PROTOCOL,
           "the answer is compressed (Content-Encoding: " + coding + ")");
  expect(says(sse_head + "Transfer-Encoding: gzip, chunked\r\n\r\n"), IFB_E_PROTOCOL,
         "a transfer coding other than chunked");
  expect(says("HTTP/1.1 503 Busy\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n"
              "\x1f\x8b\x08"),
         IFB_E_REMOTE, "HTTP 503 Busy");
}

TEST_F(hostile, a_wrong_chunk_size_is_found_at_the_first_wrong_byte) {
  const auto chunks = [](const std::string& bytes) {
    return says_and_closes(chunked_head + bytes);
  };
  expect(chunks("3\r\ndata: good\n\n\r\n"), IFB_E_PROTOCOL, "unexpected byte 0x61 after a chunk");
  expect(chunks("ff\r\ndata: good\n\n\r\n0\r\n\r\n"), IFB_E_IO, "before the answer was complete");
  expect(chunks("-1\r\n"), IFB_E_PROTOCOL, "unexpected byte 0x2d where a chunk size belongs");
  expect(chunks("0x10\r\n"), IFB_E_PROTOCOL, "unexpected byte 0x78 in a chunk size");
  expect(chunks("\r\n"), IFB_E_PROTOCOL, "where a chunk size belongs");
  expect(chunks("fffffffffffffffff\r\n"), IFB_E_PROTOCOL, "a chunk size that is too large");
  expect(chunks("7fffffffffffffff\r\ndata: x\n\n"), IFB_E_IO, "before the answer was complete");
  expect(says_without_end(chunked_head, "0"), IFB_E_PROTOCOL, "a chunk size that is too large");
  expect(says_without_end(chunked_head + "1", " "), IFB_E_PROTOCOL, "longer than 65536 bytes");
  expect(says_without_end(chunked_head + "1;", "x"), IFB_E_PROTOCOL, "longer than 65536 bytes");
  expect(says_without_end(chunked_head + "0\r\n", "x: y\r\n"), IFB_E_PROTOCOL,
         "longer than 65536 bytes");
  expect(says_without_end(chunked_head + "7fffffffffffffff\r\n", ": ping\n\n"), IFB_E_PROTOCOL,
         "(--max-answer)");
}

TEST_F(hostile, a_wrong_content_length_is_found) {
  const std::string body = "data: good\n\n";
  const auto length = [&](const std::string& value) {
    return says_and_closes(sse_head + "Content-Length: " + value + "\r\n\r\n" + body);
  };
  expect_good(length("12"));
  expect(length("13"), IFB_E_IO, "before the answer was complete");
  expect(length("9223372036854775807"), IFB_E_IO, "before the answer was complete");
  // The event is longer than the Content-Length. The bytes after this length belong to no answer.
  EXPECT_EQ(meet(length("8")).text, "go");
  for (const std::string bad :
       {"-1", "+12", "0x0c", "12 13", "12, 13", "18446744073709551616", "twelve", ""})
    expect(length(bad), IFB_E_PROTOCOL, "malformed or contradictory Content-Length");
  expect(length("12\r\nContent-Length: 13"), IFB_E_PROTOCOL, "contradictory Content-Length");
  expect(says_without_end(sse_head + "Content-Length: 9223372036854775807\r\n\r\n", ": ping\n\n"),
         IFB_E_PROTOCOL, "(--max-answer)");
  // The transfer coding takes precedence over the length.
  expect_good(says(sse_head + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n" +
                   good.substr(chunked_head.size())));
}

TEST_F(hostile, a_zero_byte_is_data_in_a_body_and_an_error_in_a_header) {
  const std::string zero(1, '\0');
  EXPECT_EQ(meet(says_and_closes(sse_head + "\r\ndata: a" + zero + "b\n\n")).text,
            "a" + zero + "b");
  expect(says("HTTP/1.1 200 O" + zero + "K\r\n\r\n"), IFB_E_PROTOCOL, "status line");
  expect(says("HTTP/1.1 200 OK\r\nX: a" + zero + "\r\n\r\n"), IFB_E_PROTOCOL, "header line");
  expect(says("HTTP/1.1 200 OK\r\nX" + zero + ": a\r\n\r\n"), IFB_E_PROTOCOL, "header line");
  expect(says_without_end("", std::string_view(zero)), IFB_E_PROTOCOL,
         "does not seem to accept HTTP/1.1");
  expect(says_without_end(sse_head + "\r\n", std::string_view(zero)), IFB_E_PROTOCOL,
         "(--max-message)");
}

TEST_F(hostile, data_of_other_protocols_is_not_an_answer) {
  for (const std::string& greeting :
       {std::string("SSH-2.0-OpenSSH_9.2\r\n"), std::string("HTTP/2 200\r\n\r\n"),
        std::string("HTTP/0.9 200\r\n\r\n"), std::string("\r\n\r\n"),
        std::string("<html>hello</html>"), std::string("ICY 200 OK\r\n\r\n")})
    expect(says(greeting), IFB_E_PROTOCOL, "does not begin with HTTP/1.");
  expect(says(std::string("\x00\x00\x12\x04\x00\x00\x00\x00\x00", 9)), IFB_E_PROTOCOL,
         "the server answers in HTTP/2");
  expect(says(std::string("\x15\x03\x01\x00\x02\x02\x46", 7)), IFB_E_PROTOCOL,
         "the server speaks TLS; use a base URL that begins with https://");
  for (const std::string line : {"HTTP/1.1 2000 OK", "HTTP/1.1 20 OK", "HTTP/1.1 099 OK",
                                 "HTTP/1.1 -20 OK", "HTTP/1.x 200 OK", "HTTP/1.1200 OK"})
    expect(says(line + "\r\n\r\n"), IFB_E_PROTOCOL, "status line of the answer is malformed");
}

TEST_F(hostile, a_second_answer_belongs_to_no_request) {
  const std::string kept =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 12\r\n\r\n"
      "data: good\n\n";
  const std::string evil =
      "HTTP/1.1 500 Evil\r\nContent-Type: text/event-stream\r\nContent-Length: 0\r\n\r\n";
  for (const record& r : meet(std::vector<deed>(20, says(kept + evil)))) {
    EXPECT_TRUE(r.ok()) << r.error;
    EXPECT_EQ(r.text, "good");
  }
}

ifb_status long_request(ifb_exchange* self, ifb_http_request* out, ifb_error* error) {
  static const std::string text(8U << 20U, 'x');
  static const ifb_bytes body{text.data(), text.size()};
  const ifb_status status = fake_codec::request(self, out, error);
  out->body = &body;
  out->body_count = 1;
  return status;
}

TEST_F(hostile, an_answer_to_a_request_that_is_not_sent_whole_counts) {
  static_cast<ifb_http_codec&>(shared.codec).request = &long_request;
  expect_good(says(good));
  expect(says_and_closes("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n"), IFB_E_REMOTE,
         "HTTP 413 Too Large");
  expect(says_and_resets("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n"), IFB_E_REMOTE,
         "HTTP 413 Too Large");
}

}  // namespace
}  // namespace inferbench::client
