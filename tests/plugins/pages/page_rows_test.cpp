#include "reporters/pages/page_rows.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/pages/page_reader.hpp"
#include "plugins/pages/synthetic_record.hpp"
#include "reporters/pages/packed_stream.hpp"
#include "support/sanitizer.hpp"

namespace {

using inferbench::pages_test::absent;
using inferbench::pages_test::read_rows;
using inferbench::pages_test::request_at;
using inferbench::pages_test::run_started_ns;
using inferbench::pages_test::synthetic_record;
using reporters::page_rows;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct shown {
  rapidjson::Document about, texts;
  read_rows rows;
};

shown finished(page_rows& rows) {
  rows.finish();
  ifb::json_writer out;
  rows.write(out, "rows-0", {"http://a", "http://b"});
  shown result;
  result.about.Parse(out.take().c_str());
  rows.write_texts(out);
  result.texts.Parse(out.take().c_str());
  std::string bytes;
  rows.write_bytes([&](std::string_view more) { bytes += more; });
  result.rows = inferbench::pages_test::rows_from(result.about, bytes);
  return result;
}

shown of(std::vector<synthetic_record> records, const page_rows::settings& chosen = {}) {
  page_rows rows(chosen, run_started_ns);
  for (synthetic_record& each : records)
    rows.add(each.view());
  return finished(rows);
}

TEST(page_rows, a_row_has_every_time_and_count_of_its_request) {
  synthetic_record r = request_at(7, 1000, {200, 210.4, 251});
  r.record.due_ns = synthetic_record::at(940);
  r.record.sent_ns = synthetic_record::at(1003);
  r.record.first_byte_ns = synthetic_record::at(1199.6);
  r.record.first_text_ns = synthetic_record::at(1210.4);
  r.record.end_ns = synthetic_record::at(1300);
  r.record.prompt_tokens = 0;
  r.record.output_tokens = 3;
  r.record.cached_tokens = 16;
  r.record.turn = 4;
  r.record.server = 1;
  r.session = "s";
  r.finish_reason = "stop";
  r.attributes = {{"other", "x"}, {"lora", "adapter-a"}};
  const shown page = of({r});
  const auto value = [&](const char* name) { return page.rows.at(name, 0); };
  EXPECT_EQ(value("sequence"), 7);
  EXPECT_EQ(value("start"), 1000);
  EXPECT_EQ(value("due"), 60);
  EXPECT_EQ(value("sent"), 3);
  EXPECT_EQ(value("first_byte"), 200);  // rounded to the nearest us
  EXPECT_EQ(value("first"), 200);
  EXPECT_EQ(value("first_text"), 210);
  EXPECT_EQ(value("last"), 251);
  EXPECT_EQ(value("end"), 300);
  EXPECT_EQ(value("input"), 0);
  EXPECT_EQ(value("output"), 3);
  EXPECT_EQ(value("cached"), 16);
  EXPECT_EQ(value("reasoning"), absent);
  EXPECT_EQ(value("events"), 3);
  EXPECT_EQ(value("status"), 0);
  EXPECT_EQ(value("http"), 200);
  EXPECT_EQ(value("turn"), 4);
  EXPECT_EQ(value("session"), 1);
  EXPECT_EQ(value("server"), 2);
  EXPECT_EQ(value("class"), 1);
  EXPECT_EQ(value("error"), 0);
  EXPECT_EQ(value("finish_reason"), 1);
  EXPECT_EQ(value("longest_gap"), 41);
  EXPECT_THAT(page.rows.gaps.at(0), ElementsAre(10, 41));
  EXPECT_STREQ(page.about["strings"]["class"][0].GetString(), "adapter-a");
  EXPECT_STREQ(page.about["strings"]["session"][0].GetString(), "s");
  EXPECT_STREQ(page.about["strings"]["server"][1].GetString(), "http://b");
}

TEST(page_rows, rows_are_in_the_order_of_the_schedule_with_their_gaps) {
  const shown page =
      of({request_at(2, 300, {1, 4}), request_at(0, 100, {1}), request_at(1, 200, {1, 2, 5})});
  EXPECT_THAT(page.rows.columns.at("start"), ElementsAre(100, 200, 300));
  EXPECT_THAT(page.rows.gaps.at(0), IsEmpty());
  EXPECT_THAT(page.rows.gaps.at(1), ElementsAre(1, 3));
  EXPECT_THAT(page.rows.gaps.at(2), ElementsAre(3));
  EXPECT_STREQ(page.about["gaps"]["kind"].GetString(), "all");
  EXPECT_EQ(page.about["gaps"]["total"].GetInt(), 3);
}

TEST(page_rows, missing_times_are_absent_and_impossible_times_are_zero) {
  synthetic_record r = request_at(0, 100, {});
  r.record.due_ns = synthetic_record::at(500);       // after its start
  r.record.first_byte_ns = synthetic_record::at(7);  // before its start
  synthetic_record early = request_at(1, -50, {});
  const shown page = of({r, early});
  for (const char* name : {"sent", "first", "first_text", "last", "end"})
    EXPECT_EQ(page.rows.at(name, 0), absent) << name;
  EXPECT_EQ(page.rows.at("due", 0), 0);
  EXPECT_EQ(page.rows.at("first_byte", 0), 0);
  EXPECT_EQ(page.rows.at("start", 1), -50);
  EXPECT_STREQ(page.about["gaps"]["kind"].GetString(), "none");
}

TEST(page_rows, no_request_leaves_an_empty_table) {
  const shown page = of({});
  EXPECT_EQ(page.rows.count, 0U);
  EXPECT_TRUE(page.texts.Empty());
}

TEST(page_rows, absurd_counts_fit_the_numbers_of_the_page) {
  synthetic_record r = request_at(0, 0, {});
  r.record.prompt_tokens = INT64_MAX;
  r.record.output_tokens = INT64_MIN;
  const shown page = of({r});
  EXPECT_EQ(page.rows.at("input", 0), INT32_MAX - 1);
  EXPECT_EQ(page.rows.at("output", 0), absent);
}

TEST(page_rows, a_failure_has_its_status_and_a_bounded_text_without_passwords) {
  std::vector<synthetic_record> records;
  for (std::uint64_t i = 0; i < 3; ++i) {
    records.push_back(request_at(i, 0, {}));
    records.back().record.status = i == 2 ? IFB_E_IO : IFB_E_REMOTE;
    records.back().error = i == 0 ? "http://u:p@h refused " + std::string(5000, 'x') : "";
  }
  const shown page = of(std::move(records));
  EXPECT_EQ(page.rows.at("status", 0), -IFB_E_REMOTE);
  EXPECT_EQ(page.rows.at("status", 2), -IFB_E_IO);
  const auto& errors = page.about["strings"]["error"];
  ASSERT_EQ(errors.Size(), 2U);
  const std::string first = errors[0].GetString();
  EXPECT_THAT(first, testing::StartsWith("http://(cut)@h refused xxx"));
  EXPECT_EQ(first.size(), 2048U + 3);
  EXPECT_STREQ(errors[1].GetString(), "failed without a reason");
  EXPECT_EQ(page.rows.at("error", 1), 2);
}

TEST(page_rows, gaps_are_classified_exactly_and_a_long_answer_does_not_drift) {
  synthetic_record r = request_at(0, 0.3, {0});
  double at = 0;
  for (int i = 0; i < 10'000; ++i)
    r.events.push_back(at += i % 2 == 0 ? 24.9996 * 1000 : 25.0 * 1000);
  const shown page = of({r});
  EXPECT_EQ(page.rows.at("gaps_low", 0), 5000);
  EXPECT_EQ(page.rows.at("gaps_mid", 0), 5000);
  EXPECT_EQ(page.rows.at("gaps_high", 0), 0);
  std::uint64_t sum = 0;
  int below = 0;
  for (const std::uint64_t gap : page.rows.gaps.at(0)) {
    sum += gap;
    below += gap < 25'000 ? 1 : 0;
  }
  EXPECT_EQ(below, 5000);  // the gaps of the page are in the same classes
  EXPECT_NEAR(static_cast<double>(sum), at, 2.0);
}

TEST(page_rows, limits_of_the_classes_are_the_users) {
  page_rows::settings chosen;
  chosen.limits = {1, 2};
  const shown page = of({request_at(0, 0, {0, 999, 1999, 3999})}, chosen);
  EXPECT_EQ(page.rows.at("gaps_low", 0), 1);
  EXPECT_EQ(page.rows.at("gaps_mid", 0), 1);
  EXPECT_EQ(page.rows.at("gaps_high", 0), 1);
  EXPECT_EQ(page.about["class_limits_ms"][1].GetDouble(), 2);
}

TEST(page_rows, beyond_the_limit_gaps_are_kept_of_some_requests_and_counted_of_all) {
  page_rows::settings chosen;
  chosen.gaps = {.all = 50, .slowest = 2, .drawn = 3};
  std::vector<synthetic_record> records;
  for (std::uint64_t i = 0; i < 40; ++i)
    records.push_back(
        request_at(i, 10.0 * static_cast<double>(i), {5, 10, i == 17 || i == 23 ? 9000.0 : 15.0}));
  const shown page = of(std::move(records), chosen);
  const auto& gaps = page.about["gaps"];
  EXPECT_STREQ(gaps["kind"].GetString(), "some");
  EXPECT_EQ(gaps["kept"].GetInt(), 10);
  EXPECT_EQ(gaps["total"].GetInt(), 80);
  EXPECT_EQ(gaps["rows"].Size(), 5U);
  EXPECT_THAT(page.rows.gaps.at(17), ElementsAre(5, 8990));
  EXPECT_TRUE(page.rows.gaps.contains(23));
  EXPECT_EQ(page.rows.at("longest_gap", 17), 8990);
  std::uint64_t counted = 0;
  for (const auto& count : gaps["histogram"]["counts"].GetArray())
    counted += count.GetUint64();
  EXPECT_EQ(counted, 80U);
}

TEST(page_rows, texts_are_of_the_slowest_and_of_others_and_only_if_asked_for) {
  std::vector<synthetic_record> records;
  for (std::uint64_t i = 0; i < 50; ++i) {
    records.push_back(request_at(i, 0, {1, i == 30 ? 1e6 : 2.0}));
    records.back().text = "answer " + std::to_string(i);
  }
  EXPECT_TRUE(of(records).texts.Empty());
  page_rows::settings chosen;
  chosen.texts = 3;
  records[30].text = std::string(100'000, 'y');
  const shown page = of(std::move(records), chosen);
  ASSERT_EQ(page.texts.Size(), 3U);
  bool slowest = false;
  for (const auto& each : page.texts.GetArray()) {
    const std::string text = each["text"].GetString();
    if (each["row"].GetInt() == 30) {
      slowest = true;
      EXPECT_EQ(text, std::string(16'384, 'y'));
    } else {
      EXPECT_EQ(text, "answer " + std::to_string(each["row"].GetInt()));
    }
  }
  EXPECT_TRUE(slowest);
}

TEST(page_rows, hostile_texts_are_valid_json_without_a_tag) {
  synthetic_record r = request_at(0, 0, {1});
  r.record.status = IFB_E_PROTOCOL;
  r.error = std::string("</script>\0\xFF\xE2\x80\xA8 end", 18);
  r.session = "\xC3";
  r.finish_reason = "\xE2\x80\xA9";
  page_rows::settings chosen;
  chosen.texts = 1;
  const shown page = of({r}, chosen);
  const auto& error = page.about["strings"]["error"][0];
  EXPECT_EQ(std::string(error.GetString(), error.GetStringLength()),
            std::string("</script>\0\xEF\xBF\xBD\xE2\x80\xA8 end", 20));
  EXPECT_STREQ(page.about["strings"]["session"][0].GetString(), "\xEF\xBF\xBD");
}

TEST(page_rows, a_limit_of_rows_keeps_the_slowest_and_a_sample_in_any_order) {
  page_rows::settings chosen;
  chosen.most_rows = 100;
  chosen.gaps.slowest = 10;
  std::vector<synthetic_record> records;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    records.push_back(request_at(i, 10.0 * static_cast<double>(i), {1, i == 500 ? 1e6 : 3.0}));
    records.back().text = "t";
  }
  chosen.texts = 4;
  const shown page = of(records, chosen);
  EXPECT_LE(page.rows.count, 100U);
  EXPECT_GE(page.rows.count, 40U);
  EXPECT_EQ(page.about["total"].GetInt(), 1000);
  EXPECT_THAT(page.rows.columns.at("sequence"), testing::Contains(500));
  EXPECT_STREQ(page.about["gaps"]["kind"].GetString(), "some");
  EXPECT_EQ(page.rows.gaps.size(), page.rows.count);
  for (const auto& each : page.texts.GetArray())
    EXPECT_LT(each["row"].GetUint64(), page.rows.count);
}

TEST(page_rows, two_requests_of_one_place_keep_a_row_each) {
  const shown page = of({request_at(5, 0, {1, 2}), request_at(5, 0, {1, 4})});
  EXPECT_EQ(page.rows.count, 2U);
  EXPECT_THAT(page.rows.gaps, SizeIs(2));
}

/// Numbers that look like those of a measurement. They are the same on every machine.
class noisy_times {
 public:
  double operator()(double low, double high) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return low + (high - low) * static_cast<double>(state_ >> 11U) / 9007199254740992.0;
  }

 private:
  std::uint64_t state_ = 1;
};

// The page itself may have 400 KB (html_test checks that), so 7,600,000 bytes are left of the 8 MB.
TEST(page_rows, two_hundred_thousand_requests_of_128_tokens_fit_into_a_page) {
  page_rows rows({}, run_started_ns);
  noisy_times random;
  constexpr std::uint64_t requests = inferbench::support::reduced(200'000U);
  double clock = 0;
  synthetic_record r = request_at(0, 0, std::vector<double>(128));
  r.finish_reason = "length";
  for (std::uint64_t i = 0; i < requests; ++i) {
    clock += random(0, 800);
    r.sequence = i;
    r.start = clock + random(5, 40);
    r.record.due_ns = synthetic_record::at(clock);
    r.record.sent_ns = synthetic_record::at(r.start + random(10, 40));
    double at = random(15'000, 90'000);
    r.record.first_byte_ns = synthetic_record::at(r.start + at - random(20, 60));
    for (double& event : r.events) {
      event = at;
      at += random(6'000, 14'000);
    }
    r.record.end_ns = synthetic_record::at(r.start + r.events.back() + random(30, 90));
    r.record.first_text_ns = synthetic_record::at(r.start + r.events.front());
    r.record.prompt_tokens = static_cast<std::int64_t>(random(800, 1200));
    r.record.output_tokens = 128;
    rows.add(r.view());
  }
  rows.finish();
  ifb::json_writer about;
  rows.write(about, "rows-0", {"http://127.0.0.1:8000"});
  std::size_t size = about.text().size();
  reporters::packed_stream packed([&](std::string_view text) { size += text.size(); });
  rows.write_bytes([&](std::string_view bytes) { packed.write(bytes); });
  packed.finish();
  RecordProperty("bytes", static_cast<int>(size));
  // A page of fewer requests has more bytes for each request.
  if (!inferbench::support::sanitized) {
    EXPECT_LT(size, 7'600'000U);
  }
  EXPECT_GT(size, 15 * requests);
}

}  // namespace
