#include "records/journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/error.hpp"
#include "records/journal_reader.hpp"
#include "records/wire.hpp"
#include "sample.hpp"

namespace inferbench::records {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class journal_writing : public journal_files {
 protected:
  std::string refusal() {
    try {
      const journal j(file, sample_run(), clock, log);
    } catch (const base::error& e) {
      return e.what();
    }
    return {};
  }
};

TEST_F(journal_writing, begins_with_magic_version_and_the_run) {
  const journal j(file, sample_run(), clock, log);
  std::string expected("\x89IFBJ\r\n\x1a\x01\0\0\0", 12);
  ASSERT_TRUE(append_frame(expected, frame_kind::run, sample_run()));
  EXPECT_EQ(content(), expected);
}

TEST_F(journal_writing, records_wait_for_a_second_and_no_longer) {
  journal j(file, sample_run(), clock, log);
  const auto empty = fs::file_size(file);
  j.append(sample_record(0));
  clock.at += base::ns_per_s / 2;
  j.append(sample_record(1));
  j.tick();
  EXPECT_EQ(fs::file_size(file), empty);
  clock.at += base::ns_per_s / 2;
  j.tick();
  const auto two = fs::file_size(file);
  EXPECT_GT(two, empty);
  j.append(sample_record(2));
  j.tick();
  EXPECT_EQ(fs::file_size(file), two);
}

TEST_F(journal_writing, records_wait_for_a_full_buffer_and_no_longer) {
  journal j(file, sample_run(), clock, log);
  const auto empty = fs::file_size(file);
  client::record large = sample_record(0);
  large.text.assign(journal::buffer_bytes / 2, 'x');
  j.append(large);
  EXPECT_EQ(fs::file_size(file), empty);
  j.append(large);
  EXPECT_GT(fs::file_size(file), journal::buffer_bytes);
}

TEST_F(journal_writing, buffered_records_are_written_to_a_journal_without_an_end) {
  {
    journal j(file, sample_run(), clock, log);
    j.append(sample_record(0));
  }
  journal_reader reader(file);
  client::record back;
  EXPECT_TRUE(reader.next(back));
  EXPECT_FALSE(reader.next(back));
  EXPECT_FALSE(reader.end().has_value());
  EXPECT_TRUE(reader.interrupted());
}

TEST_F(journal_writing, replaces_an_older_file) {
  whole(50);
  EXPECT_LT(whole(1).size(), 1000U);
}

TEST_F(journal_writing, a_place_that_cannot_be_written_is_an_error_of_set_up) {
  file = root / "no/such/folder/x";
  EXPECT_EQ(refusal(), "cannot create the journal " + file.string() +
                           ": No such file or directory; choose another place with --journal");
  file = "/dev/full";
  EXPECT_THAT(refusal(), HasSubstr("cannot write the journal /dev/full: No space left on device"));
}

TEST_F(journal_writing, a_disk_that_fills_up_is_reported_once_and_ends_the_journal) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct sigaction ignore{};
  struct sigaction handler{};
  ignore.sa_handler = SIG_IGN;
  ASSERT_EQ(::sigaction(SIGXFSZ, &ignore, &handler), 0);
  client::record large = sample_record(0);
  large.text.assign(journal::buffer_bytes, 'x');
  {
    journal j(file, sample_run(), clock, log);
    j.append(large);
    const rlimit small{fs::file_size(file) + 1000, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    EXPECT_FALSE(j.failed());
    j.append(large);
    EXPECT_TRUE(j.failed());
    j.append(large);
    j.end(sample_end());
  }
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ASSERT_EQ(::sigaction(SIGXFSZ, &handler, nullptr), 0);
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_EQ(lines[0], "cannot write the journal " + file.string() +
                          ": File too large; the run goes on, and the journal ends here");
  journal_reader reader(file);
  client::record back;
  EXPECT_TRUE(reader.next(back));
  EXPECT_FALSE(reader.next(back));
  ASSERT_TRUE(reader.damage().has_value());
  EXPECT_EQ(reader.damage()->bytes_dropped, 1000U);
}

}  // namespace
}  // namespace inferbench::records
