// Records with every member set, for the tests of this folder.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "client/record.hpp"
#include "records/journal.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::records {

namespace fs = std::filesystem;

inline client::record sample_record(std::uint64_t sequence) {
  client::record r;
  r.sequence = sequence;
  r.due_ns = 1'000'000'000'000 + sequence;
  r.start_ns = r.due_ns + 11;
  r.connected_ns = r.due_ns + 22;
  r.tls_ns = r.due_ns + 21;
  r.server = 3;
  r.sent_ns = r.due_ns + 33;
  r.first_byte_ns = r.due_ns + 44;
  r.first_text_ns = r.due_ns + 55;
  r.last_text_ns = r.due_ns + 66;
  r.first_answer_ns = r.due_ns + 77;
  r.end_ns = r.due_ns + 88;
  r.tokens = client::stamps(r.start_ns);
  r.tokens.push(r.start_ns);                   // no gap
  r.tokens.push(r.start_ns + 20'000'000);      // an ordinary gap
  r.tokens.push(r.start_ns + 10'000'000'000);  // a gap that needs the escape code
  r.late = {false, 17, 18, 19, {{0, 20}, {2, UINT32_MAX}}};
  r.sample_tokens = 100;
  r.wanted_tokens = 0;
  r.prompt_tokens = 102;
  r.cached_tokens = 64;
  r.output_tokens = INT64_MAX;
  r.reasoning_tokens = INT64_MIN;
  r.text_events = {7, 0, UINT32_MAX, 1};
  r.bytes_sent = 1234;
  r.bytes_received = UINT64_MAX;
  r.status = IFB_E_REMOTE;
  r.http_status = 503;
  r.sent_again = true;
  r.id = "bench-" + std::to_string(sequence);
  r.session = "s";
  r.error = "the server said: busy";
  r.finish_reason = "length";
  r.text = std::string("text with \0 and \xFF and \xE2\x82\xAC", 22);
  r.attributes = {{"key", "value"}, {"key", "again"}, {"", ""}};
  return r;
}

inline void expect_equal(const client::record& a, const client::record& b) {
  EXPECT_EQ(a.sequence, b.sequence);
  EXPECT_EQ(a.due_ns, b.due_ns);
  EXPECT_EQ(a.start_ns, b.start_ns);
  EXPECT_EQ(a.connected_ns, b.connected_ns);
  EXPECT_EQ(a.tls_ns, b.tls_ns);
  EXPECT_EQ(a.server, b.server);
  EXPECT_EQ(a.sent_ns, b.sent_ns);
  EXPECT_EQ(a.first_byte_ns, b.first_byte_ns);
  EXPECT_EQ(a.first_text_ns, b.first_text_ns);
  EXPECT_EQ(a.last_text_ns, b.last_text_ns);
  EXPECT_EQ(a.first_answer_ns, b.first_answer_ns);
  EXPECT_EQ(a.end_ns, b.end_ns);
  EXPECT_EQ(a.tokens.origin(), b.tokens.origin());
  EXPECT_EQ(a.tokens.size(), b.tokens.size());
  EXPECT_EQ(a.tokens.back(), b.tokens.back());
  EXPECT_EQ(a.tokens.absolute(), b.tokens.absolute());
  EXPECT_EQ(a.late.unknown, b.late.unknown);
  EXPECT_EQ(a.late.launch_ns, b.late.launch_ns);
  EXPECT_EQ(a.late.sending_ns, b.late.sending_ns);
  EXPECT_EQ(a.late.end_ns, b.late.end_ns);
  ASSERT_EQ(a.late.events.size(), b.late.events.size());
  for (std::size_t i = 0; i < a.late.events.size(); ++i) {
    EXPECT_EQ(a.late.events[i].event, b.late.events[i].event);
    EXPECT_EQ(a.late.events[i].ns, b.late.events[i].ns);
  }
  EXPECT_EQ(a.sample_tokens, b.sample_tokens);
  EXPECT_EQ(a.wanted_tokens, b.wanted_tokens);
  EXPECT_EQ(a.prompt_tokens, b.prompt_tokens);
  EXPECT_EQ(a.cached_tokens, b.cached_tokens);
  EXPECT_EQ(a.output_tokens, b.output_tokens);
  EXPECT_EQ(a.reasoning_tokens, b.reasoning_tokens);
  EXPECT_EQ(a.text_events, b.text_events);
  EXPECT_EQ(a.bytes_sent, b.bytes_sent);
  EXPECT_EQ(a.bytes_received, b.bytes_received);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.http_status, b.http_status);
  EXPECT_EQ(a.sent_again, b.sent_again);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.session, b.session);
  EXPECT_EQ(a.error, b.error);
  EXPECT_EQ(a.finish_reason, b.finish_reason);
  EXPECT_EQ(a.text, b.text);
  EXPECT_EQ(a.attributes, b.attributes);
}

inline run_information sample_run() {
  return {.name = "run-1",
          .started_ns = 1'000'000'000'000,
          .started_unix_ns = 1'700'000'000'123'456'789,
          .config_json = "{\"seed\": 0}",
          .environment_json = "{\"plugins\": []}"};
}

inline run_end sample_end() {
  return {.finished_unix_ns = 1'700'000'060'000'000'000,
          .duration_ns = 59'876'543'211,
          .interrupted = true,
          .planned = 1000,
          .facts_json = "{\"server\": \"x\"}"};
}

class virtual_clock final : public base::clock {
 public:
  std::uint64_t now() const noexcept override { return at; }
  std::uint64_t at = 5 * base::ns_per_s;
};

/// A temporary folder, a clock, and a log whose lines are stored.
class journal_files : public ::testing::Test {
 protected:
  /// Writes a whole journal of `count` records and returns its bytes.
  std::string whole(std::uint64_t count) {
    {
      journal j(file, sample_run(), clock, log);
      for (std::uint64_t i = 0; i < count; ++i)
        j.append(sample_record(i));
      j.end(sample_end());
    }
    return content();
  }
  std::string content() const {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // Makes a new file: the system would immediately flush a file that is truncated and rewritten.
  void replace(std::string_view with) const {
    fs::remove(file);
    std::ofstream(file, std::ios::binary | std::ios::trunc)
        .write(with.data(), static_cast<std::streamsize>(with.size()));
  }

  support::temporary_folder files;
  const fs::path& root = files.root;
  fs::path file = root / "run.journal";
  virtual_clock clock;
  std::vector<std::string> lines;
  base::log log{base::log_level::info,
                [this](base::log_level, std::string_view line) { lines.emplace_back(line); }};
};

}  // namespace inferbench::records
