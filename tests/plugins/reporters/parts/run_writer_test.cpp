// Tests several writers of one database, and what a writer that stops leaves behind.
#include "reporters/sqlite/run_writer.hpp"

#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reporters/sqlite/schema.hpp"
#include "support/temporary_folder.hpp"

namespace {

using reporters::database;
using reporters::run_writer;

/// Writes a run of `batches` times ten requests. `finish`: also its end.
void write_run(const std::string& file, const std::string& name, int batches, bool finish) {
  const database db(file);
  reporters::prepare_schema(db, file);
  db.use_write_ahead_log();
  ifb_run run{};
  run.struct_size = sizeof run;
  run.name = ifb::str(name);
  run.started_unix_ns = 1'000'000'000;
  run_writer writer(db, run, {});
  for (int batch = 0; batch < batches; ++batch) {
    std::vector<ifb_record> records(10);
    for (std::size_t i = 0; i < records.size(); ++i) {
      records[i].struct_size = sizeof(ifb_record);
      records[i].sequence = static_cast<std::uint64_t>(batch) * 10 + i;
      records[i].start_ns = 1;
    }
    writer.add({records.data(), records.size(), sizeof(ifb_record)});
  }
  if (!finish) return;
  ifb_summary summary{};
  summary.struct_size = sizeof summary;
  writer.finish(summary);
}

TEST(run_writer, many_writers_share_a_database_that_none_of_them_made_before) {
  const inferbench::support::temporary_folder files;
  const std::string file = files.path("t.db");
  std::vector<std::thread> writers;
  std::vector<std::string> reasons(8);
  for (std::size_t i = 0; i < reasons.size(); ++i)
    writers.emplace_back([&, i] {
      try {
        write_run(file, "run-" + std::to_string(i), 20, true);
      } catch (const std::exception& why) {
        reasons[i] = why.what();
      }
    });
  for (std::thread& each : writers)
    each.join();
  EXPECT_THAT(reasons, testing::Each(""));
  const database db(file);
  EXPECT_EQ(db.number("SELECT count(*) FROM runs WHERE state = 'finished'"), 8);
  EXPECT_EQ(db.number("SELECT count(*) FROM requests"), 1600);
}

TEST(run_writer, a_run_without_its_end_is_unfinished_and_keeps_its_batches) {
  const inferbench::support::temporary_folder files;
  const std::string file = files.path("t.db");
  write_run(file, "run", 3, false);
  {
    const database db(file);
    EXPECT_EQ(db.number("SELECT count(*) FROM runs WHERE state = 'unfinished'"), 1);
    EXPECT_EQ(db.number("SELECT count(*) FROM requests"), 30);
  }
  write_run(file, "run", 1, true);
  const database db(file);
  EXPECT_EQ(db.number("SELECT count(*) FROM runs WHERE state = 'finished'"), 1);
  EXPECT_EQ(db.number("SELECT count(*) FROM requests"), 10);
}

TEST(run_writer, a_reader_does_not_wait_for_the_writer) {
  const inferbench::support::temporary_folder files;
  const std::string file = files.path("t.db");
  write_run(file, "run", 1, true);
  const database writer(file);
  const reporters::sql_transaction change(writer);
  writer.execute("DELETE FROM requests");
  const database reader(file);
  EXPECT_EQ(reader.number("SELECT count(*) FROM requests"), 10);
}

TEST(run_writer, a_batch_that_fails_is_undone_as_a_whole) {
  const inferbench::support::temporary_folder files;
  const std::string file = files.path("t.db");
  write_run(file, "run", 1, true);
  const database db(file);
  try {
    const reporters::sql_transaction change(db);
    db.execute("DELETE FROM requests");
    db.execute("DELETE FROM no_such_table");
    FAIL();
  } catch (const ifb::failure& why) {
    EXPECT_THAT(why.message(), testing::HasSubstr("no such table"));
    EXPECT_THAT(why.message(), testing::HasSubstr(file));
  }
  EXPECT_EQ(db.number("SELECT count(*) FROM requests"), 10);
}

}  // namespace
