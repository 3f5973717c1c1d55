#include "records/journal_reader.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "records/wire.hpp"
#include "sample.hpp"

namespace inferbench::records {
namespace {

using ::testing::HasSubstr;

class journal_reading : public journal_files {
 protected:
  struct outcome {
    std::string error;
    std::vector<client::record> records;
    std::optional<run_end> end;
    std::optional<journal_damage> damage;
    bool interrupted = false;
  };

  /// Reads the whole journal `file`.
  outcome read() const {
    outcome out;
    try {
      journal_reader reader(file);
      EXPECT_EQ(reader.run(), sample_run());
      client::record next;
      while (reader.next(next))
        out.records.push_back(std::move(next));
      EXPECT_FALSE(reader.next(next));
      EXPECT_EQ(reader.records(), out.records.size());
      out.end = reader.end();
      out.damage = reader.damage();
      out.interrupted = reader.interrupted();
    } catch (const base::error& e) {
      out.error = e.what();
    }
    return out;
  }
  /// Writes `bytes` to the journal and reads it.
  outcome read(std::string_view bytes) const {
    replace(bytes);
    return read();
  }

  /// Checks that the records that were read are the first records that were written.
  static void expect_beginning(const outcome& got) {
    for (std::size_t i = 0; i < got.records.size(); ++i)
      expect_equal(got.records[i], sample_record(i));
  }
};

/// A good frame. The first byte of `payload` is the kind (frame_kind).
std::string frame(std::string payload) {
  std::string out(frame_head_bytes, '\0');
  put_u32(out.data(), static_cast<std::uint32_t>(payload.size()));
  put_u32(out.data() + 4, frame_checksum(payload));
  return out + payload;
}

TEST_F(journal_reading, returns_the_written_records) {
  whole(3);
  const outcome got = read();
  EXPECT_EQ(got.error, "");
  ASSERT_EQ(got.records.size(), 3U);
  expect_beginning(got);
  EXPECT_EQ(got.end, sample_end());
  EXPECT_TRUE(got.interrupted);
  EXPECT_FALSE(got.damage.has_value());
}

TEST_F(journal_reading, a_run_that_ended_by_itself_is_not_interrupted) {
  {
    journal j(file, sample_run(), clock, log);
    run_end end = sample_end();
    end.interrupted = false;
    j.end(end);
  }
  EXPECT_FALSE(read().interrupted);
}

TEST_F(journal_reading, a_journal_without_an_end_is_interrupted_but_not_damaged) {
  const std::string bytes = whole(2);
  std::string last;
  ASSERT_TRUE(append_frame(last, frame_kind::end, sample_end()));
  const outcome got = read(bytes.substr(0, bytes.size() - last.size()));
  EXPECT_EQ(got.records.size(), 2U);
  EXPECT_FALSE(got.end.has_value());
  EXPECT_TRUE(got.interrupted);
  EXPECT_FALSE(got.damage.has_value());
}

TEST_F(journal_reading, a_file_that_is_not_a_journal_is_refused) {
  const std::string bytes = whole(1);
  for (const std::string_view other : {"", "\x89", "seed = 0", "seed = 0\nlabel = \"x\""})
    EXPECT_THAT(read(other).error, HasSubstr("run.journal is not a journal of inferbench"));
  for (const std::string_view result : {"[]", "{\"seed\": 0}", "{\"seed\": 0, \"x\": 1}"})
    EXPECT_THAT(read(result).error,
                HasSubstr("run.journal is JSON, not a journal of inferbench; give the journal"));
  // A transfer in text mode changes "\r\n" in this way.
  std::string converted = bytes;
  converted.replace(converted.find("\r\n"), 2, "\n");
  EXPECT_THAT(read(converted).error, HasSubstr("is not a journal"));
  file = root / "none";
  EXPECT_THAT(read().error, HasSubstr("none: No such file or directory"));
}

TEST_F(journal_reading, a_newer_format_is_refused_with_both_format_numbers) {
  std::string bytes = whole(1);
  bytes[8] = 2;
  EXPECT_EQ(read(bytes).error, file.string() +
                                   " is a journal of format 2; this program reads format 1; use a "
                                   "newer inferbench");
}

TEST_F(journal_reading, a_damaged_end_is_reported_with_the_lost_bytes) {
  const std::string bytes = whole(2);
  const outcome got = read(bytes.substr(0, bytes.size() - 5));
  EXPECT_EQ(got.records.size(), 2U);
  ASSERT_TRUE(got.damage.has_value());
  EXPECT_EQ(got.damage->offset + got.damage->bytes_dropped, bytes.size() - 5);
  EXPECT_EQ(got.damage->text("x.journal"),
            "x.journal: a frame is cut off at byte " + std::to_string(got.damage->offset) +
                "; 2 records read, " + std::to_string(got.damage->bytes_dropped) +
                " bytes dropped");
}

TEST_F(journal_reading, a_journal_cut_at_any_byte_gives_the_records_before_the_cut) {
  const std::string bytes = whole(3);
  std::size_t most = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const outcome got = read(bytes.substr(0, size));
    expect_beginning(got);
    EXPECT_FALSE(got.end.has_value());
    EXPECT_GE(got.records.size(), most);
    most = std::max(most, got.records.size());
  }
  EXPECT_EQ(most, 3U);
}

std::string record_frame(const client::record& of) {
  std::string out;
  EXPECT_TRUE(append_frame(out, frame_kind::record, of));
  return out;
}

TEST_F(journal_reading, one_changed_byte_of_a_frame_costs_only_its_record) {
  const std::string bytes = whole(5);
  const std::size_t size = record_frame(sample_record(2)).size();
  const std::size_t begin = bytes.find(record_frame(sample_record(2)));
  ASSERT_NE(begin, std::string::npos);
  for (std::size_t at = begin; at < begin + size; ++at)
    for (const unsigned flip : {1U, 2U, 4U, 8U, 16U, 32U, 64U, 128U, 255U}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ flip);
      const outcome got = read(changed);
      ASSERT_EQ(got.records.size(), 4U) << at - begin << " by " << flip;
      for (const std::size_t i : {0U, 1U, 3U, 4U})
        EXPECT_EQ(got.records[i < 2 ? i : i - 1].sequence, i);
      EXPECT_EQ(got.end, sample_end());
      ASSERT_TRUE(got.damage.has_value());
      EXPECT_EQ(got.damage->offset, begin);
      EXPECT_EQ(got.damage->bytes_dropped, size);
      EXPECT_EQ(got.damage->places, 1U);
      EXPECT_EQ(got.damage->records, 4U);
    }
}

TEST_F(journal_reading, several_damaged_places_are_counted) {
  std::string bytes = whole(6);
  for (const std::uint64_t i : {1U, 2U, 4U}) {
    const std::size_t at = bytes.find(record_frame(sample_record(i)));
    ASSERT_NE(at, std::string::npos);
    bytes[at + 20] = static_cast<char>(bytes[at + 20] ^ 1);
  }
  const outcome got = read(bytes);
  ASSERT_EQ(got.records.size(), 3U);
  EXPECT_EQ(got.records[2].sequence, 5U);
  ASSERT_TRUE(got.damage.has_value());
  EXPECT_EQ(got.damage->places, 2U);  // two of the three damaged frames are adjacent
  EXPECT_EQ(got.damage->text("x.journal"), "x.journal: a frame has a wrong checksum at byte " +
                                               std::to_string(got.damage->offset) +
                                               ", and 1 more place is damaged; 3 records read, " +
                                               std::to_string(got.damage->bytes_dropped) +
                                               " bytes dropped");
}

TEST_F(journal_reading, an_overwritten_block_costs_only_the_records_in_it) {
  const std::string bytes = whole(40);
  const std::string after = record_frame(sample_record(20));
  const std::size_t end = bytes.find(after);
  ASSERT_NE(end, std::string::npos);
  ASSERT_GT(end, 2000U);
  for (const char filling : {'\0', '\xFF', '\x02'}) {
    std::string changed = bytes;
    std::fill(changed.begin() + static_cast<std::ptrdiff_t>(end - 2000),
              changed.begin() + static_cast<std::ptrdiff_t>(end), filling);
    const outcome got = read(changed);
    ASSERT_GT(got.records.size(), 20U);
    EXPECT_EQ(got.records.back().sequence, 39U);
    EXPECT_EQ(got.records[got.records.size() - 20].sequence, 20U);
    EXPECT_EQ(got.end, sample_end());
    ASSERT_TRUE(got.damage.has_value());
    EXPECT_EQ(got.damage->places, 1U);
  }
}

TEST_F(journal_reading, a_frame_in_the_text_of_an_answer_is_never_read_as_a_frame) {
  client::record hostile = sample_record(1);
  hostile.text = record_frame(sample_record(77)) + record_frame(sample_record(78)) + "and so on";
  const std::string bad = record_frame(hostile);
  std::string begin = whole(0);
  std::string last;
  ASSERT_TRUE(append_frame(last, frame_kind::end, sample_end()));
  begin.resize(begin.size() - last.size());
  const std::string end = record_frame(sample_record(2)) + last;
  const auto sequences_of = [](const outcome& got) {
    std::vector<std::uint64_t> out;
    for (const client::record& each : got.records)
      out.push_back(each.sequence);
    return out;
  };
  // A wrong byte at any position.
  for (std::size_t at = 0; at < bad.size(); ++at) {
    std::string changed = bad;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    EXPECT_THAT(sequences_of(read(begin + changed + end)), ::testing::ElementsAre(2U)) << at;
  }
  // Cut off at any position.
  for (std::size_t size = 1; size < bad.size(); ++size)
    EXPECT_THAT(sequences_of(read(begin + bad.substr(0, size))), ::testing::IsEmpty()) << size;
  // The next frame is damaged, too.
  std::string both = bad + record_frame(sample_record(3));
  both[10] = static_cast<char>(both[10] ^ 1);
  both[bad.size() + 5] = static_cast<char>(both[bad.size() + 5] ^ 1);
  EXPECT_THAT(sequences_of(read(begin + both + end)), ::testing::ElementsAre(2U));
  // Zeroes up to the end of a block, as after a crash of the machine.
  std::string zeroes = bad;
  std::fill(zeroes.end() - 4, zeroes.end(), '\0');
  EXPECT_THAT(sequences_of(read(begin + zeroes + std::string(999, '\0'))), ::testing::IsEmpty());
}

// Four bytes 0x02 are the length of a frame of 33.7 MB, and 0x02 is the kind of a record, so a
// frame could begin at each byte.
TEST_F(journal_reading, the_search_for_a_good_frame_ends_if_a_frame_could_begin_at_each_byte) {
  std::string begin = whole(1);
  std::string last;
  ASSERT_TRUE(append_frame(last, frame_kind::end, sample_end()));
  begin.resize(begin.size() - last.size());
  const outcome got = read(begin + std::string(std::size_t{40} << 20U, '\x02'));
  EXPECT_EQ(got.records.size(), 1U);
  ASSERT_TRUE(got.damage.has_value());
  EXPECT_TRUE(got.damage->gave_up);
  EXPECT_EQ(got.damage->bytes_dropped, std::size_t{40} << 20U);
  EXPECT_THAT(
      got.damage->text("x"),
      HasSubstr("the rest of the file was left, since the search for a good frame took too long"));
}

// Short good frames, each followed by the head of a frame of 6 MiB with a wrong checksum. Without a
// limit the reader would compute a checksum over 6 MiB at each of the 400,000 heads.
TEST_F(journal_reading, the_search_ends_if_many_bad_heads_announce_long_frames) {
  std::string bytes = whole(0);
  std::string last;
  ASSERT_TRUE(append_frame(last, frame_kind::end, sample_end()));
  bytes.resize(bytes.size() - last.size());
  client::record small;
  small.status = IFB_OK;
  std::string pair = record_frame(small);
  std::string head(frame_head_bytes + 1, '\x02');
  // The length is a multiple of the distance of two heads, so an announced frame ends one byte
  // before a good frame begins, and the reader cannot skip the frame by its length.
  const auto period = static_cast<std::uint32_t>(pair.size() + head.size());
  put_u32(head.data(), (6U << 20U) / period * period);
  for (int i = 0; i < 400'000; ++i)
    bytes += pair + head;
  const outcome got = read(bytes);
  EXPECT_GT(got.records.size(), 0U);
  ASSERT_TRUE(got.damage.has_value());
  EXPECT_TRUE(got.damage->gave_up);
}

TEST_F(journal_reading, the_records_of_a_second_journal_after_the_first_are_ignored) {
  std::string first = whole(2);
  std::string last;
  ASSERT_TRUE(append_frame(last, frame_kind::end, sample_end()));
  const outcome got = read(first + first);
  EXPECT_EQ(got.records.size(), 2U);
  EXPECT_TRUE(got.damage.has_value());
  // The same with a damaged end of the first journal.
  std::string damaged = first;
  damaged[first.size() - 3] = static_cast<char>(damaged[first.size() - 3] ^ 1);
  const outcome of_two = read(damaged + first);
  EXPECT_EQ(of_two.records.size(), 2U);
  EXPECT_FALSE(of_two.end.has_value());
}

TEST_F(journal_reading, a_flipped_bit_is_detected_in_each_byte) {
  const std::string bytes = whole(1);
  for (std::size_t at = 0; at < bytes.size(); ++at)
    // Every bit of the first 64 bytes, and one bit of each later byte.
    for (unsigned bit = 0; bit < (at < 64 ? 8U : 1U); ++bit) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ (1U << bit));
      const outcome got = read(changed);
      expect_beginning(got);
      EXPECT_TRUE(!got.error.empty() || got.damage.has_value()) << at << " bit " << bit;
      if (got.damage) {
        EXPECT_LE(got.damage->offset + got.damage->bytes_dropped, bytes.size());
      }
    }
}

TEST_F(journal_reading, a_length_beyond_the_file_is_damage) {
  const std::string bytes = whole(1);
  for (const std::uint32_t length : {most_frame_bytes, most_frame_bytes + 1, UINT32_MAX}) {
    std::string head(frame_head_bytes, '\0');
    put_u32(head.data(), length);
    const outcome got = read(bytes + head + "abc");
    EXPECT_EQ(got.records.size(), 1U);
    ASSERT_TRUE(got.damage.has_value());
    EXPECT_EQ(got.damage->bytes_dropped, head.size() + 3);
  }
}

TEST_F(journal_reading, a_tail_of_zeroes_is_damage) {
  const outcome got = read(whole(1) + std::string(4096, '\0'));
  EXPECT_EQ(got.end, sample_end());
  ASSERT_TRUE(got.damage.has_value());
  EXPECT_EQ(got.damage->bytes_dropped, 4096U);
}

TEST_F(journal_reading, frames_of_an_unknown_kind_are_skipped) {
  std::string bytes = whole(0);
  std::string last;
  ASSERT_TRUE(append_frame(last, frame_kind::end, sample_end()));
  bytes.resize(bytes.size() - last.size());
  std::string record;
  ASSERT_TRUE(append_frame(record, frame_kind::record, sample_record(0)));
  const outcome got = read(bytes + frame("\x63what is this") + record + last);
  EXPECT_EQ(got.records.size(), 1U);
  EXPECT_EQ(got.end, sample_end());
  EXPECT_FALSE(got.damage.has_value());
}

TEST_F(journal_reading, frames_in_the_wrong_place_or_with_an_invalid_message_are_damage) {
  const std::string bytes = whole(1);
  std::string run;
  ASSERT_TRUE(append_frame(run, frame_kind::run, sample_run()));
  std::string record;
  ASSERT_TRUE(append_frame(record, frame_kind::record, sample_record(1)));
  EXPECT_EQ(read(bytes + record).damage.value().reason, "something follows the last frame");
  const std::string begun = bytes.substr(0, preamble_bytes) + run;
  EXPECT_EQ(read(begun + run).damage.value().reason, "a second run begins");
  const outcome bad_record = read(begun + frame("\x02\x0B") + record);
  EXPECT_EQ(bad_record.damage.value().reason, "a record cannot be decoded");
  EXPECT_EQ(bad_record.records.size(), 1U);
  const outcome bad_end = read(begun + record + frame("\x03\x0B"));
  EXPECT_EQ(bad_end.damage.value().reason, "the last frame cannot be decoded");
  EXPECT_FALSE(bad_end.end.has_value());
  EXPECT_THAT(read(bytes.substr(0, preamble_bytes) + record).error,
              HasSubstr("is damaged in its first frame: it does not describe the run"));
  EXPECT_THAT(read(bytes.substr(0, preamble_bytes)).error, HasSubstr("it is missing"));
}

}  // namespace
}  // namespace inferbench::records
