#include "metrics/ledger.hpp"

#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/json_writer.hpp>

#include "record_of.hpp"

namespace inferbench::metrics {
namespace {

using testing_::failure;
using testing_::success;

std::string written(const ledger& l, std::int64_t planned, bool broken_off = false) {
  ifb::json_writer out;
  out.begin_object();
  l.write(out, planned, broken_off);
  l.write_token_sources(out);
  out.end_object();
  return out.take();
}

TEST(ledger, every_request_has_its_place) {
  ledger l;
  l.add(success({.sequence = 0}), token_source::server);
  l.add(success({.sequence = 1}), token_source::text);
  l.add(failure({.sequence = 3}, IFB_E_REMOTE, 503, "busy 2"), token_source::server);
  l.add(failure({.sequence = 2}, IFB_E_REMOTE, 503, "busy 2"), token_source::server);
  l.add(failure({.sequence = 4}, IFB_E_IO, 0, "connection refused"), token_source::server);
  l.add(failure({.sequence = 5}, IFB_E_CANCELLED, 0, "stopped"), token_source::server);
  client::record waiting;  // cancelled before its turn
  waiting.sequence = 6;
  waiting.status = IFB_E_CANCELLED;
  l.add(waiting, token_source::server);
  EXPECT_EQ(l.sent(), 6U);
  EXPECT_EQ(written(l, 10),
            R"({"accounting": {"planned": 10, "sent": 6, "never_sent": 4, "ok": 2, "failed": 3, )"
            R"("cancelled": 1, "sent_again": 0, "without_end_mark": 0, )"
            R"("shorter_than_promised": 0}, )"
            R"("http_status": {"none": 2, "200": 2, "503": 2}, )"
            R"("errors": [{"class": "remote", "http_status": 503, "count": 2, "first": "busy 2"}, )"
            R"({"class": "cancelled", "http_status": 0, "count": 1, "first": "stopped"}, )"
            R"({"class": "io", "http_status": 0, "count": 1, "first": "connection refused"}], )"
            R"("output_tokens_from": {"server": 1, "text": 1, "assumed": 0}})");
}

TEST(ledger, failures_of_one_status_are_grouped_by_their_messages_without_numbers) {
  ledger l;
  for (std::uint64_t i = 0; i < 30; ++i)
    l.add(failure({.sequence = i}, IFB_E_REMOTE, 400,
                  "HTTP 400: " + (i % 3 == 0 ? "prompt of " + std::to_string(5000 + i) + " tokens"
                                             : "no slot for req-" + std::to_string(i) + "f")),
          token_source::server);
  EXPECT_THAT(written(l, 30),
              testing::HasSubstr(
                  R"("errors": [{"class": "remote", "http_status": 400, "count": 20, "first": )"
                  R"("HTTP 400: no slot for req-1f", "others_differ": true}, )"
                  R"({"class": "remote", "http_status": 400, "count": 10, )"
                  R"("first": "HTTP 400: prompt of 5000 tokens", "others_differ": true}])"));
}

TEST(ledger, a_few_messages_that_differ_only_in_numbers_are_distinguished) {
  ledger l;
  for (std::uint64_t i = 0; i < 9; ++i)
    l.add(failure({.sequence = i}, IFB_E_REMOTE, 503,
                  i % 3 == 0 ? "CUDA error 2: out of memory" : "CUDA error 700: illegal address"),
          token_source::server);
  l.add(failure({.sequence = 9}, IFB_E_REMOTE, 503, "CUDA error 700: out of memory"),
        token_source::server);
  EXPECT_THAT(written(l, 10),
              testing::HasSubstr(
                  R"("errors": [{"class": "remote", "http_status": 503, "count": 6, "first": )"
                  R"("CUDA error 700: illegal address"}, {"class": "remote", "http_status": 503, )"
                  R"("count": 3, "first": "CUDA error 2: out of memory"}, {"class": "remote", )"
                  R"("http_status": 503, "count": 1, "first": "CUDA error 700: out of memory"}])"));
}

TEST(ledger, messages_without_end_are_counted_in_bounds) {
  ledger l;
  for (std::uint64_t i = 0; i < 5000; ++i)
    l.add(failure({.sequence = i}, IFB_E_REMOTE, 500,
                  std::string(1, static_cast<char>('a' + i % 26)) + std::string(1 + i / 26, 'x')),
          token_source::server);
  const std::string text = written(l, 5000);
  EXPECT_LT(text.size(), 20000U);
  EXPECT_THAT(text, testing::HasSubstr(R"("count": 4936)"));
}

TEST(ledger, answers_that_ended_early_are_counted) {
  client::record unmarked = success({.sequence = 0});
  unmarked.attributes = {{"end_mark", "none"}};
  client::record both = success({.sequence = 1});
  both.attributes = {{"end_mark", "none"}, {"short_answer", "2 of 50"}};
  ledger l;
  l.add(unmarked, token_source::server);
  l.add(both, token_source::server);
  EXPECT_EQ(l.unmarked(), 2U);
  EXPECT_EQ(l.cut_short(), 1U);
  EXPECT_THAT(written(l, 2),
              testing::HasSubstr(R"("without_end_mark": 2, "shorter_than_promised": 1})"));
}

TEST(ledger, a_plan_that_knew_of_fewer_requests_is_corrected) {
  ledger l;
  l.add(success({}), token_source::server);
  EXPECT_NE(
      written(l, 5, true).find(R"("planned": 5, "sent": 1, "never_sent": 0, "not_recorded": 4)"),
      std::string::npos);
  EXPECT_NE(written(l, 0).find(R"("planned": 1, "sent": 1, "never_sent": 0)"), std::string::npos);
}

TEST(ledger, the_body_of_an_error_is_kept_in_part) {
  ledger l;
  // 2048 lies inside the second byte of an é.
  l.add(
      failure({}, IFB_E_REMOTE, 500, std::string(2047, 'x') + "\xC3\xA9" + std::string(9000, 'y')),
      token_source::server);
  EXPECT_NE(written(l, 1).find('"' + std::string(2047, 'x') + "...\""), std::string::npos);
}

TEST(class_of, an_unknown_status_is_internal) {
  EXPECT_EQ(class_of(-77), "internal");
  EXPECT_EQ(class_of(IFB_E_TIMEOUT), "timeout");
}

}  // namespace
}  // namespace inferbench::metrics
