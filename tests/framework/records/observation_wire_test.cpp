// Observations in a journal: their bytes, and what a reader makes of damage.
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "records/journal_reader.hpp"
#include "records/wire.hpp"
#include "sample.hpp"

namespace inferbench::records {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

observation sample_observation(std::uint64_t number) {
  observation out;
  out.source = 2;
  out.at_ns = 1'000'000'000'000 + number;
  out.url = "http://h:8000/metrics";
  out.server = "vllm";
  out.interval_ns = base::ns_per_s;
  out.left_out = 9;
  out.series = {{0, "running", "vllm:num_requests_running", "requests", false, "sum", {}},
                {UINT32_MAX, "m", "m", "", true, "", {{"a", "\n\xFF"}, {"", ""}}}};
  out.values = {{0, false, false, 1.5},
                {7, true, true, -0.0},
                {UINT32_MAX, true, false, std::numeric_limits<double>::max()}};
  return out;
}

observation failed_observation() {
  observation out;
  out.at_ns = 1;
  out.error = "HTTP 503";
  return out;
}

TEST(observation_message, comes_back_as_it_was) {
  for (const observation& what : {sample_observation(1), failed_observation(), observation()}) {
    std::string bytes;
    encode(bytes, what);
    observation back = sample_observation(99);
    ASSERT_TRUE(decode(bytes, back));
    EXPECT_EQ(back, what);
  }
}

TEST(observation_message, unknown_fields_are_skipped) {
  std::string bytes;
  encode(bytes, failed_observation());
  bytes += std::string("\xA2\x06\x03new", 6);  // field 100, 3 bytes
  observation back;
  ASSERT_TRUE(decode(bytes, back));
  EXPECT_EQ(back, failed_observation());
}

TEST(observation_message, any_other_bytes_are_refused_or_read_without_harm) {
  std::string bytes;
  encode(bytes, sample_observation(1));
  std::size_t refused = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    observation back;
    refused += decode(std::string_view(bytes).substr(0, i), back) ? 0 : 1;
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
      static_cast<void>(decode(flipped, back));
    }
  }
  EXPECT_GT(refused, bytes.size() / 2);
}

TEST(observation_message, keys_without_values_are_refused) {
  observation back;
  EXPECT_FALSE(decode(std::string_view("\x4A\x01\x04", 3), back)) << "a key alone";
  EXPECT_FALSE(decode(std::string_view("\x52\x08\0\0\0\0\0\0\0\0", 10), back)) << "a value alone";
  EXPECT_FALSE(decode(std::string_view("\x52\x03\0\0\0", 5), back)) << "a part of a value";
  EXPECT_FALSE(decode(std::string_view("\x48\x04", 2), back)) << "another wire type";
}

// Other writers may write a packed list in parts.
TEST(observation_message, the_parts_of_a_packed_list_follow_one_another) {
  const std::string value("\x52\x08\0\0\0\0\0\0\xF8\x3F", 10);  // 10: 1.5
  observation back;
  ASSERT_TRUE(decode("\x4A\x01\x04\x4A\x01\x08" + value + value, back));
  observation expected;
  expected.values = {{1, false, false, 1.5}, {2, false, false, 1.5}};
  EXPECT_EQ(back, expected);
}

// If these bytes change, the format changes (docs/journal-format.md). The comments beside the bytes
// have the number of a field and its content.
TEST(observation_message, the_bytes_follow_the_documented_format) {
  observation what;
  what.source = 2;
  what.at_ns = 300;
  what.error = "z";
  what.url = "u";
  what.server = "vllm";
  what.interval_ns = 1;
  what.left_out = 9;
  what.series = {{1, "n", "m", "s", true, "sum", {{"k", "v"}}}};
  what.values = {{1, true, true, 1.5}, {300, false, false, -0.0}};
  const std::vector<std::string> parts = {
      "\x08\x02",                                              // 1: 2
      "\x10\xAC\x02",                                          // 2: 300
      "\x1A\x01z",                                             // 3: "z"
      "\x22\x01u",                                             // 4: "u"
      "\x2A\x04vllm",                                          // 5: "vllm"
      "\x30\x01",                                              // 6: 1
      "\x38\x09",                                              // 7: 9
      "\x42\x1A",                                              // 8: 26 bytes, a series
      "\x08\x01\x12\x01n\x1A\x01m\x22\x01s",                   // 1: 1, 2: "n", 3: "m", 4: "s"
      "\x28\x01\x32\x03sum",                                   // 5: 1, 6: "sum"
      "\x3A\x06\x0A\x01k\x12\x01v",                            // 7: {1: "k", 2: "v"}
      "\x4A\x03\x07\xB0\x09",                                  // 9: 4 * 1 + 2 + 1, 4 * 300
      {"\x52\x10\0\0\0\0\0\0\xF8\x3F\0\0\0\0\0\0\0\x80", 18},  // 10: 1.5, -0.0
  };
  std::string expected;
  for (const std::string& part : parts)
    expected += part;
  std::string bytes;
  encode(bytes, what);
  EXPECT_EQ(bytes, expected);
}

TEST(observation_message, numbers_of_more_than_64_bits_are_refused) {
  const std::string number = std::string(9, '\x80') + '\x02';  // 2^64
  const std::string value("\x52\x08\0\0\0\0\0\0\0\0", 10);
  observation back;
  EXPECT_FALSE(decode("\x08" + number, back)) << "source";
  EXPECT_FALSE(decode("\x10" + number, back)) << "at_ns";
  EXPECT_FALSE(decode("\x42\x0B\x08" + number, back)) << "index of a series";
  EXPECT_FALSE(decode("\x42\x0B\x28" + number, back)) << "counter of a series";
  EXPECT_FALSE(decode("\x4A\x0A" + number + value, back)) << "key";
}

TEST(observation_message, lengths_of_more_than_32_bits_are_refused) {
  const std::string and_one = "\x81\x80\x80\x80\x10";  // 2^32 + 1
  const std::string and_eight = "\x88\x80\x80\x80\x10";
  const std::string value("\x52\x08\0\0\0\0\0\0\0\0", 10);
  observation back;
  EXPECT_FALSE(decode("\x1A" + and_one + "e", back)) << "error";
  EXPECT_FALSE(decode("\x42" + and_eight + "\x12\x06" + "metric", back)) << "series";
  EXPECT_FALSE(decode("\x42\x07\x12" + and_one + "n", back)) << "name of a series";
  EXPECT_FALSE(decode("\x42\x09\x3A\x07\x0A" + and_one + "k", back)) << "key of a label";
  EXPECT_FALSE(decode("\x4A" + and_one + "\x04" + value, back)) << "keys";
  EXPECT_FALSE(decode("\x4A\x01\x04\x52" + and_eight + value.substr(2), back)) << "values";
}

class observed_journal : public journal_files {
 protected:
  struct outcome {
    std::vector<observation> observations;
    std::size_t records = 0;
    std::optional<journal_damage> damage;
    bool ended = false;
  };

  /// Three records and four observations in turn.
  std::string written() {
    {
      journal j(file, sample_run(), clock, log);
      for (std::uint64_t i = 0; i < 3; ++i) {
        j.append(sample_observation(i));
        j.append(sample_record(i));
      }
      j.append(sample_observation(3));
      j.end(sample_end());
    }
    return content();
  }

  outcome read(std::string_view bytes) {
    replace(bytes);
    outcome out;
    journal_reader reader(file);
    reader.on_observation([&](const observation& what) { out.observations.push_back(what); });
    client::record next;
    while (reader.next(next))
      ++out.records;
    out.damage = reader.damage();
    out.ended = reader.end().has_value();
    return out;
  }
};

TEST_F(observed_journal, gives_records_and_observations_back) {
  const outcome got = read(written());
  EXPECT_EQ(got.records, 3U);
  ASSERT_THAT(got.observations, SizeIs(4));
  for (std::uint64_t i = 0; i < 4; ++i)
    EXPECT_EQ(got.observations[i], sample_observation(i));
  EXPECT_FALSE(got.damage);
  EXPECT_TRUE(got.ended);
}

TEST_F(observed_journal, a_reader_without_interest_skips_observations) {
  replace(written());
  journal_reader reader(file);
  client::record next;
  std::size_t records = 0;
  while (reader.next(next))
    ++records;
  EXPECT_EQ(records, 3U);
  EXPECT_FALSE(reader.damage());
}

TEST_F(observed_journal, a_damaged_observation_loses_only_itself) {
  const std::string bytes = written();
  std::string message;
  encode(message, sample_observation(1));
  const std::size_t at = bytes.find(message);
  ASSERT_NE(at, std::string::npos);
  for (const std::size_t offset : {std::size_t{0}, message.size() / 2, message.size() - 1}) {
    std::string damaged = bytes;
    damaged[at + offset] = static_cast<char>(damaged[at + offset] ^ 0x10);
    const outcome got = read(damaged);
    EXPECT_EQ(got.records, 3U) << offset;
    ASSERT_THAT(got.observations, SizeIs(3)) << offset;
    EXPECT_EQ(got.observations[1], sample_observation(2));
    ASSERT_TRUE(got.damage);
    EXPECT_EQ(got.damage->places, 1U);
    EXPECT_TRUE(got.ended);
  }
}

TEST_F(observed_journal, a_damaged_record_loses_no_observation) {
  const std::string bytes = written();
  std::string message;
  encode(message, sample_record(1));
  const std::size_t at = bytes.find(message);
  ASSERT_NE(at, std::string::npos);
  // A wrong length of the frame: the observation after it must be found by a search.
  std::string damaged = bytes;
  damaged[at - frame_head_bytes - 1] = static_cast<char>(damaged[at - frame_head_bytes - 1] ^ 0x40);
  const outcome got = read(damaged);
  EXPECT_EQ(got.records, 2U);
  EXPECT_THAT(got.observations, SizeIs(4));
}

TEST_F(observed_journal, an_observation_that_cannot_be_decoded_is_damage) {
  std::string bytes = written();
  std::string frame(frame_head_bytes, '\0');
  const std::string payload = std::string(1, '\x04') + "\x4A\x01\x04";
  put_u32(frame.data(), static_cast<std::uint32_t>(payload.size()));
  put_u32(frame.data() + 4, frame_checksum(payload));
  frame += payload;
  std::string last;
  ASSERT_TRUE(append_frame(last, frame_kind::end, sample_end()));
  bytes.insert(bytes.size() - last.size(), frame);
  const outcome got = read(bytes);
  EXPECT_THAT(got.observations, SizeIs(4));
  ASSERT_TRUE(got.damage);
  EXPECT_THAT(got.damage->text("j"), HasSubstr("the metrics of a server cannot be decoded"));
  EXPECT_TRUE(got.ended);
}

}  // namespace
}  // namespace inferbench::records
