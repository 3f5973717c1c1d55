#include "metrics/facts.hpp"

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
  l.add(failure({.sequence = 3}, IFB_E_REMOTE, 503, "busy, later"), token_source::server);
  l.add(failure({.sequence = 2}, IFB_E_REMOTE, 503, "busy"), token_source::server);
  l.add(failure({.sequence = 4}, IFB_E_IO, 0, "connection refused"), token_source::server);
  l.add(failure({.sequence = 5}, IFB_E_CANCELLED, 0, "stopped"), token_source::server);
  client::record waiting;  // cancelled before its turn
  waiting.sequence = 6;
  waiting.status = IFB_E_CANCELLED;
  l.add(waiting, token_source::server);
  EXPECT_EQ(l.sent(), 6U);
  EXPECT_EQ(written(l, 10),
            R"({"accounting": {"planned": 10, "sent": 6, "never_sent": 4, "ok": 2, "failed": 3, )"
            R"("cancelled": 1, "sent_again": 0}, )"
            R"("http_status": {"none": 2, "200": 2, "503": 2}, )"
            R"("errors": [{"class": "remote", "http_status": 503, "count": 2, "first": "busy"}, )"
            R"({"class": "cancelled", "http_status": 0, "count": 1, "first": "stopped"}, )"
            R"({"class": "io", "http_status": 0, "count": 1, "first": "connection refused"}], )"
            R"("output_tokens_from": {"server": 1, "text": 1, "assumed": 0}})");
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
