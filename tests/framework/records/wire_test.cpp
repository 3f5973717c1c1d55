#include "records/wire.hpp"

#include <gtest/gtest.h>

#include "sample.hpp"

namespace inferbench::records {
namespace {

std::string hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += digits[static_cast<unsigned char>(c) >> 4U];
    out += digits[static_cast<unsigned char>(c) & 15U];
  }
  return out;
}

TEST(wire, every_member_comes_back) {
  std::string text;
  encode(text, sample_record(3));
  client::record back;
  ASSERT_TRUE(decode(text, back));
  expect_equal(back, sample_record(3));
}

TEST(wire, a_default_record_comes_back) {
  std::string text;
  encode(text, client::record());
  client::record back = sample_record(1);  // decode() replaces all of its former contents
  ASSERT_TRUE(decode(text, back));
  expect_equal(back, client::record());
}

TEST(wire, stamps_may_count_from_elsewhere_than_the_start) {
  for (const std::uint64_t origin : {std::uint64_t{0}, std::uint64_t{123}}) {
    client::record r;
    r.start_ns = 55;
    r.status = IFB_OK;
    r.tokens = client::stamps(origin);
    r.tokens.push(UINT64_MAX);
    std::string text;
    encode(text, r);
    client::record back;
    ASSERT_TRUE(decode(text, back));
    expect_equal(back, r);
  }
}

TEST(wire, the_ends_of_the_run_come_back) {
  std::string text;
  encode(text, sample_run());
  run_information run;
  ASSERT_TRUE(decode(text, run));
  EXPECT_EQ(run, sample_run());
  text.clear();
  encode(text, sample_end());
  run_end end;
  ASSERT_TRUE(decode(text, end));
  EXPECT_EQ(end, sample_end());
}

// If these bytes change, the format changes (docs/journal-format.md). The comments beside the bytes
// have the number of a field and its content.
TEST(wire, the_bytes_follow_the_documented_format) {
  client::record r;
  r.sequence = 300;
  r.status = IFB_E_TIMEOUT;
  r.start_ns = 1;
  r.tokens = client::stamps(1);
  r.tokens.push(2);
  r.tokens.push(301);
  r.output_tokens = 2;
  r.id = "ab";
  r.attributes = {{"k", "v"}};
  std::string text;
  encode(text, r);
  EXPECT_EQ(hex(text),
            "08ac02"              // 1: 300
            "100b"                // 2: zigzag of -6
            "2801"                // 5: 1
            "720301ab02"          // 14: 1, 299
            "980104"              // 19: zigzag of 2
            "c201026162"          // 24: "ab"
            "ea01060a016b120176"  // 29: {1: "k", 2: "v"}
            "aa0200");            // 37: {}
  text.clear();
  r = {};
  r.status = IFB_OK;
  for (const std::uint64_t at : {1U, 2U, 3U, 4U})
    r.tokens.push(at);
  r.late = {false, 300, 2, 3, {{1, 5}, {3, 6}}};
  encode(text, r);
  EXPECT_EQ(hex(text),
            "720401010101"                        // 14: 1, 1, 1, 1
            "aa020d10ac02180220032a0401050106");  // 37: {2: 300, 3: 2, 4: 3, 5: 1, 5, 1, 6}
}

template <typename message>
std::string frame_of(frame_kind kind, const message& content) {
  std::string out;
  EXPECT_TRUE(append_frame(out, kind, content));
  return hex(out);
}

// Whole frames with every member set. Journals of released versions have these bytes.
TEST(wire, the_bytes_of_a_frame_of_each_kind_stay_as_they_are) {
  EXPECT_EQ(frame_of(frame_kind::run, sample_run()),
            "370000009c659e6a010a0572756e2d311080a094a58d1d18aab4aed8c7bfce972f220b7b22736565"
            "64223a20307d2a0f7b22706c7567696e73223a205b5d7d");
  EXPECT_EQ(frame_of(frame_kind::record, sample_record(3)),
            "2001000086e67064020803100918f7032083a094a58d1d288ea094a58d1d3099a094a58d1d38a4a0"
            "94a58d1d40afa094a58d1d48baa094a58d1d50c5a094a58d1d58d0a094a58d1d60dba094a58d1d72"
            "0a0080dac40980eeea962578c8018001008801cc01900180019801feffffffffffffffff01a001ff"
            "ffffffffffffffff01a801d209b001ffffffffffffffffff01b80101c2010762656e63682d33ca01"
            "0173d201157468652073657276657220736169643a2062757379da01066c656e677468e201167465"
            "78742077697468200020616e6420ff20616e6420ea010c0a036b6579120576616c7565ea010c0a03"
            "6b65791205616761696eea0100f00198a094a58d1df801038002079002ffffffff0f980201aa0210"
            "1011181220132a08001401ffffffff0f");
  EXPECT_EQ(frame_of(frame_kind::end, sample_end()),
            "28000000275d2be1030880e08ae785c3ce972f10eb95ae87df01180120e8072a0f7b227365727665"
            "72223a202278227d");
}

TEST(wire, a_record_that_says_nothing_of_its_lateness_has_an_unknown_one) {
  client::record r;
  r.status = IFB_OK;
  r.late.unknown = true;
  std::string text;
  encode(text, r);
  EXPECT_EQ(text, "");
  client::record back;
  ASSERT_TRUE(decode(text, back));
  EXPECT_TRUE(back.late.unknown);
  r.late.launch_ns = 5;
  encode(text, r);
  ASSERT_TRUE(decode(text, back));
  EXPECT_TRUE(back.late.unknown);
  EXPECT_EQ(back.late.launch_ns, 5U);
}

TEST(wire, late_events_are_the_same_as_in_the_record) {
  client::record r;
  r.tokens.push(1);
  for (const std::uint32_t event : {1U, UINT32_MAX}) {
    r.late.events = {{event, 5}};
    std::string text;
    encode(text, r);
    client::record back;
    EXPECT_FALSE(decode(text, back)) << event;
  }
}

TEST(wire, unknown_fields_are_passed_over) {
  std::string text;
  encode(text, sample_record(1));
  text += std::string("\xC0\x3E\x07", 3);  // 1000: varint
  text += std::string(
      "\xC1\x3E"
      "12345678",
      10);  // 1000: eight bytes
  text += std::string(
      "\xC5\x3E"
      "1234",
      6);  // 1000: four bytes
  text += std::string(
      "\xC2\x3E\x03"
      "abc",
      6);  // 1000: three bytes
  client::record back;
  ASSERT_TRUE(decode(text, back));
  expect_equal(back, sample_record(1));
}

TEST(wire, bytes_that_are_not_a_message_are_refused) {
  const std::string cases[] = {
      {"\x08", 1},                                           // no value
      {"\x08\x80", 2},                                       // a number without an end
      {"\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02", 11},  // more than 64 bits
      {"\xC2\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F", 11},  // 2^63 - 1 bytes to come
      {"\xC2\x01\x03"
       "ab",
       5},  // one byte too few
      {"\x0A\x01"
       "a",
       3},                                                           // sequence as text
      {"\xC0\x01\x01", 3},                                           // id as a number
      {"\x18\xFF\xFF\xFF\xFF\x1F", 6},                               // http_status beyond 32 bits
      {"\x10\xFF\xFF\xFF\xFF\x7F", 6},                               // status beyond 32 bits
      {"\x72\x01\x80", 3},                                           // a gap cut off
      {"\x72\x0B\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 13},  // gaps beyond 64 bits
      {"\xEA\x01\x02\x0A\x05", 5},                                   // an attribute cut off
      {"\x72\x01\x01\xAA\x02\x03\x2A\x01\x00", 9},                   // a lateness cut off
      {"\xAA\x02\x02\x08\x02", 5},                                   // neither known nor unknown
      {"\x0B", 1},                                                   // a group
  };
  for (const std::string& text : cases) {
    client::record back;
    EXPECT_FALSE(decode(text, back)) << hex(text);
  }
}

TEST(wire, a_cut_or_changed_message_is_read_or_refused_without_a_crash) {
  std::string text;
  encode(text, sample_record(3));
  client::record back;
  for (std::size_t size = 0; size < text.size(); ++size)
    (void)decode(std::string(text, 0, size), back);
  int refused = 0;
  for (std::size_t at = 0; at < text.size(); ++at)
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string changed = text;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ (1U << bit));
      if (!decode(changed, back)) ++refused;
    }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace inferbench::records
