#include "report/batch.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace inferbench::report {
namespace {

std::string_view view(ifb_str s) { return {s.data, s.size}; }

client::record record_with(std::vector<std::uint64_t> stamps) {
  client::record r;
  r.start_ns = 1000;
  r.tokens = client::stamps(1000);
  for (const std::uint64_t at : stamps)
    r.tokens.push(at);
  return r;
}

TEST(batch, a_view_has_the_values_of_its_record) {
  client::record r = record_with({1500, 1700});
  r.sequence = 9;
  r.due_ns = 900;
  r.connected_ns = 1001;
  r.tls_ns = 1000;
  r.server = 2;
  r.sent_ns = 1002;
  r.first_byte_ns = 1499;
  r.first_text_ns = 1500;
  r.last_text_ns = 1600;
  r.first_answer_ns = 1550;
  r.end_ns = 1800;
  r.sample_tokens = 3;
  r.prompt_tokens = 4;
  r.output_tokens = 2;
  r.wanted_tokens = 128;
  r.cached_tokens = 1;
  r.reasoning_tokens = 0;
  r.bytes_sent = 77;
  r.bytes_received = 88;
  r.status = IFB_E_IO;
  r.http_status = 200;
  r.id = "bench-9";
  r.session = "s";
  r.error = "ended early";
  r.finish_reason = "length";
  r.text = "ab";
  r.attributes = {{"k", "v"}, {"k", "w"}};
  std::vector<client::record> records;
  records.push_back(std::move(r));
  const batch b(std::move(records));
  ASSERT_EQ(b.views().size(), 1U);
  const ifb_record& v = b.views()[0];
  EXPECT_EQ(v.struct_size, sizeof v);
  EXPECT_EQ(v.http_status, 200U);
  EXPECT_EQ(v.sequence, 9U);
  EXPECT_EQ(v.due_ns, 900U);
  EXPECT_EQ(v.start_ns, 1000U);
  EXPECT_EQ(v.connected_ns, 1001U);
  EXPECT_EQ(v.tls_ns, 1000U);
  EXPECT_EQ(v.server, 2U);
  EXPECT_EQ(v.sent_ns, 1002U);
  EXPECT_EQ(v.first_byte_ns, 1499U);
  EXPECT_EQ(v.first_token_ns, 1500U);
  EXPECT_EQ(v.last_token_ns, 1700U);
  EXPECT_EQ(v.first_text_ns, 1500U);
  EXPECT_EQ(v.last_text_ns, 1600U);
  EXPECT_EQ(v.first_answer_ns, 1550U);
  EXPECT_EQ(v.end_ns, 1800U);
  EXPECT_EQ(v.sample_tokens, 3);
  EXPECT_EQ(v.prompt_tokens, 4);
  EXPECT_EQ(v.output_tokens, 2);
  EXPECT_EQ(v.wanted_tokens, 128);
  EXPECT_EQ(v.cached_tokens, 1);
  EXPECT_EQ(v.reasoning_tokens, 0);
  EXPECT_EQ(v.bytes_sent, 77U);
  EXPECT_EQ(v.bytes_received, 88U);
  EXPECT_EQ(v.status, IFB_E_IO);
  EXPECT_EQ(view(v.id), "bench-9");
  EXPECT_EQ(view(v.session), "s");
  EXPECT_EQ(view(v.error), "ended early");
  EXPECT_EQ(view(v.finish_reason), "length");
  EXPECT_EQ(view(v.text), "ab");
  ASSERT_EQ(v.attribute_count, 2U);
  EXPECT_EQ(view(v.attributes[1].name), "k");
  EXPECT_EQ(view(v.attributes[1].value), "w");
}

TEST(batch, each_view_has_its_own_stamps) {
  std::vector<client::record> records;
  records.push_back(record_with({1100, 1200, 10'000'000'000}));  // one gap beyond 32 bits
  records.push_back(record_with({}));
  records.push_back(record_with({1300}));
  const batch b(std::move(records));
  const auto stamps = [&](std::size_t i) {
    return std::vector<std::uint64_t>(b.views()[i].token_ns,
                                      b.views()[i].token_ns + b.views()[i].token_count);
  };
  EXPECT_EQ(stamps(0), (std::vector<std::uint64_t>{1100, 1200, 10'000'000'000}));
  EXPECT_EQ(stamps(1), std::vector<std::uint64_t>{});
  EXPECT_EQ(stamps(2), std::vector<std::uint64_t>{1300});
  EXPECT_EQ(b.views()[1].first_token_ns, 0U);
  EXPECT_EQ(b.views()[1].last_token_ns, 0U);
}

TEST(batch, without_stamps_a_view_has_their_number_and_ends) {
  const auto records = [] {
    std::vector<client::record> out;
    out.push_back(record_with({1100, 1200, 10'000'000'000}));
    out.push_back(record_with({}));
    out.push_back(record_with({20'000'000'000}));
    return out;
  };
  const batch b(records(), false);
  const auto expect = [&](std::size_t i, std::size_t count, std::uint64_t first,
                          std::uint64_t last) {
    EXPECT_EQ(b.views()[i].token_ns, nullptr);
    EXPECT_EQ(b.views()[i].token_count, count);
    EXPECT_EQ(b.views()[i].first_token_ns, first);
    EXPECT_EQ(b.views()[i].last_token_ns, last);
  };
  expect(0, 3, 1100, 10'000'000'000);
  expect(1, 0, 0, 0);
  expect(2, 1, 20'000'000'000, 20'000'000'000);
  EXPECT_EQ(b.bytes() + 4 * sizeof(std::uint64_t), batch(records()).bytes());
}

TEST(batch, without_a_server_count_the_prompt_has_the_clients) {
  std::vector<client::record> records(1);
  records[0].sample_tokens = 12;
  EXPECT_EQ(batch(std::move(records)).views()[0].prompt_tokens, 12);
}

TEST(batch, its_size_grows_with_its_contents) {
  const std::size_t without = batch(std::vector<client::record>(1)).bytes();
  EXPECT_GE(without, sizeof(ifb_record));
  for (const auto member : {&client::record::id, &client::record::session, &client::record::error,
                            &client::record::finish_reason, &client::record::text}) {
    std::vector<client::record> large(1);
    large[0].*member = std::string(100'000, 'x');
    EXPECT_GE(batch(std::move(large)).bytes(), without + 100'000);
  }
}

}  // namespace
}  // namespace inferbench::report
