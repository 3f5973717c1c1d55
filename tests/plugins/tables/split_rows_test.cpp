// Tests rows::open() with local data sets: fixtures with the columns of real data sets, and files
// that are made here.
#include "datasets/tables/split_rows.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "plugins/tables/tables_bench.hpp"

namespace tables {
namespace {

using strings = std::vector<std::string>;
using testing::ElementsAre;
using testing::HasSubstr;

class local_data_sets : public tables_test::bench {
 protected:
  std::unique_ptr<rows> open(const request& what, const strings& columns) {
    hub::environment offline;
    offline.offline = true;
    return std::make_unique<split_rows>(host(), offline, what, columns);
  }
  static request of(const std::string& path) {
    request out;
    out.path = path;
    return out;
  }
  static request fixture(const std::string& name) {
    return of(std::string(INFERBENCH_FIXTURES) + "/datasets/hf/" + name);
  }
  /// Lines {"a": FIRST} to {"a": FIRST + COUNT - 1}.
  static std::string lines(int first, int count) {
    std::string out;
    for (int i = first; i < first + count; ++i)
      out += "{\"a\": " + std::to_string(i) + "}\n";
    return out;
  }
};

TEST_F(local_data_sets, of_parquet_have_the_order_of_datasets) {
  INFERBENCH_NEEDS_DUCKDB();
  request what = fixture("openai--gsm8k");
  what.split = "test";
  const auto found = open(what, {"question"});
  EXPECT_EQ(found->count(), 4U);
  const strings shuffled = texts(*found);
  what.shuffle = false;
  const strings plain = texts(*open(what, {"question"}));
  ASSERT_EQ(plain.size(), 4U);
  // permutation(4) of NumPy for the seed 0
  EXPECT_THAT(shuffled, ElementsAre(plain[2], plain[0], plain[1], plain[3]));
  row one;
  EXPECT_TRUE(found->read(0, one));
  EXPECT_EQ(one.place(), what.path + "/main/test-00000-of-00001.parquet, row 3");
  EXPECT_EQ(found->attached()->folder(), what.path);
}

TEST_F(local_data_sets, of_lines_have_no_need_of_duckdb) {
  request what = fixture("zed-industries--zeta");
  what.split = "eval";
  const auto found = open(what, {"events", "input", "output"});
  EXPECT_EQ(texts(*found).size(), *found->count());
}

TEST_F(local_data_sets, of_several_files_shuffle_files_and_rows) {
  folder_.write("train-1.jsonl", lines(0, 1500));
  folder_.write("train-2.jsonl", lines(1500, 1500));
  folder_.write("train-3.jsonl", lines(3000, 10));
  request what = of(folder_.path());
  const auto found = open(what, {"a"});
  EXPECT_EQ(found->count(), std::nullopt);  // no file is read before it is needed
  const strings all = texts(*found);
  EXPECT_EQ(found->count(), 3010U);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), 3010U);
  EXPECT_EQ(texts(*found, 3, 1000), strings(all.begin() + 1000, all.begin() + 1003));
  EXPECT_EQ(texts(*open(what, {"a"})), all);
  what.seed = 1;
  EXPECT_NE(texts(*open(what, {"a"}), 10), strings(all.begin(), all.begin() + 10));
}

TEST_F(local_data_sets, without_shuffling_keep_their_order) {
  folder_.write("train-1.jsonl", lines(0, 3));
  folder_.write("train-2.jsonl", lines(3, 1));
  request what = of(folder_.path());
  what.shuffle = false;
  EXPECT_THAT(texts(*open(what, {"a"})),
              ElementsAre("{\"a\": 0}", "{\"a\": 1}", "{\"a\": 2}", "{\"a\": 3}"));
}

TEST_F(local_data_sets, that_are_loaded_whole_can_be_sliced) {
  folder_.write("train-1.jsonl", lines(0, 3));
  folder_.write("train-2.jsonl", lines(3, 5));
  folder_.write("test.jsonl", lines(100, 4));
  request what = of(folder_.path());
  what.whole = true;
  what.shuffle = false;
  what.split = "train[2:4]+test[-25%:]";
  const auto found = open(what, {"a"});
  EXPECT_EQ(found->count(), 3U);
  EXPECT_THAT(texts(*found), ElementsAre("{\"a\": 2}", "{\"a\": 3}", "{\"a\": 103}"));
  what.shuffle = true;
  what.split = "train+train[:1]";
  auto all = texts(*open(what, {"a"}));
  EXPECT_EQ(all.size(), 9U);
  EXPECT_EQ(std::ranges::count(all, "{\"a\": 0}"), 2);
}

TEST_F(local_data_sets, of_parquet_know_their_number_of_rows) {
  INFERBENCH_NEEDS_DUCKDB();
  for (int i = 0; i < 3; ++i)
    write_parquet("train-" + std::to_string(i) + ".parquet", "SELECT range AS a FROM range(2000)");
  const auto found = open(of(folder_.path()), {"a"});
  EXPECT_EQ(found->count(), 6000U);
  EXPECT_EQ(texts(*found).size(), 6000U);
}

TEST_F(local_data_sets, of_parquet_can_be_read_in_any_order) {
  INFERBENCH_NEEDS_DUCKDB();
  write_parquet("a.parquet", "SELECT range AS a FROM range(3000)");
  const auto found = open(of(folder_.path()), {"a"});
  const strings all = texts(*found);
  for (const std::uint64_t at : {2999U, 0U, 1500U, 1501U, 7U})
    EXPECT_EQ(texts(*found, 1, at).at(0), all[at]);
  row one;
  EXPECT_FALSE(found->read(3000, one));
}

TEST_F(local_data_sets, of_csv_and_parquet_in_one_folder_are_read_by_their_split) {
  INFERBENCH_NEEDS_DUCKDB();
  folder_.write("train.csv", "a\n1\n");
  write_parquet("test.parquet", "SELECT 2 AS a");
  request what = of(folder_.path());
  EXPECT_THAT(texts(*open(what, {"a"})), ElementsAre("{\"a\": 1}"));
  what.split = "test";
  EXPECT_THAT(texts(*open(what, {"a"})), ElementsAre("{\"a\": 2}"));
}

TEST_F(local_data_sets, without_a_column_tell_their_columns_when_they_are_opened) {
  INFERBENCH_NEEDS_DUCKDB();
  const ifb::failure e =
      failure_of([&] { open(fixture("openai--gsm8k"), {"question", "prompt"}); });
  EXPECT_EQ(e.option(), "path");
  EXPECT_THAT(e.message(), HasSubstr("has no column \"prompt\"; it has question, answer"));
}

TEST_F(local_data_sets, are_read_by_several_threads) {
  INFERBENCH_NEEDS_DUCKDB();
  constexpr std::uint64_t count = 2500;
  write_parquet("a.parquet", "SELECT range AS a, repeat('x', 2000) AS b FROM range(2500)",
                "ROW_GROUP_SIZE 2048");
  const strings expected = texts(*open(of(folder_.path()), {"a", "b"}));
  ASSERT_EQ(expected.size(), count);
  const auto found = open(of(folder_.path()), {"a", "b"});
  std::atomic<std::uint64_t> next{0};
  strings read(count);
  {
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t)
      threads.emplace_back([&] {
        constexpr std::uint64_t batch = 4;
        for (std::uint64_t first = 0; (first = next.fetch_add(batch)) < count;)
          for (std::uint64_t at = first; at < std::min(first + batch, count); ++at) {
            row one;
            if (found->read(at, one)) read[at] = ifb::to_text(one.object());
          }
      });
    for (std::thread& each : threads)
      each.join();
  }
  EXPECT_EQ(read, expected);
}

TEST_F(local_data_sets, may_be_links) {
  folder_.write("blobs/0123", lines(0, 2));
  std::filesystem::create_directories(folder_.path("snapshot"));
  std::filesystem::create_symlink("../blobs/0123", folder_.path("snapshot/train.jsonl"));
  EXPECT_EQ(texts(*open(of(folder_.path("snapshot/")), {"a"})).size(), 2U);
}

TEST_F(local_data_sets, keep_to_their_folder) {
  folder_.write("elsewhere/train.jsonl", lines(0, 2));
  folder_.write("set/test.jsonl", lines(2, 1));
  std::filesystem::create_directory_symlink("../elsewhere", folder_.path("set/out"));
  EXPECT_THAT(texts(*open(of(folder_.path("set")), {"a"})), ElementsAre("{\"a\": 2}"));
}

TEST_F(local_data_sets, with_an_unfit_row_tell_its_place_and_are_read_on) {
  folder_.write("train.jsonl", "{\"a\": 1}\n{\"a\": \n{\"a\": 3}\n");
  request what = of(folder_.path());
  what.shuffle = false;
  const auto found = open(what, {"a"});
  row one;
  EXPECT_THROW((void)found->read(1, one), unfit_row);
  EXPECT_EQ(one.place(), folder_.path("train.jsonl:2"));
  EXPECT_TRUE(found->read(2, one));
  EXPECT_FALSE(found->read(3, one));
}

TEST_F(local_data_sets, are_files_or_folders) {
  ASSERT_EQ(::mkfifo(folder_.path("a.jsonl").c_str(), 0600), 0);
  const request what = of(folder_.path("a.jsonl"));
  EXPECT_EQ(failure_of([&] { open(what, {"a"}); }).message(),
            what.path + " is neither a file nor a folder");
}

TEST_F(local_data_sets, may_be_empty) {
  const std::string path = folder_.write("a.jsonl", "");
  const auto found = open(of(path), {"a"});
  EXPECT_EQ(found->count(), 0U);
  EXPECT_TRUE(texts(*found).empty());
}

TEST_F(local_data_sets, stop_with_the_run) {
  folder_.write("a.jsonl", lines(0, 2));
  const_cast<ifb_host*>(host_.table())->cancelled = [](const ifb_host*) -> std::uint32_t {
    return 1;
  };
  EXPECT_EQ(failure_of([&] { open(of(folder_.path()), {"a"}); }).code(), IFB_E_CANCELLED);
}

}  // namespace
}  // namespace tables
