#include "datasets/tables/row_loader.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/tables/limits.hpp"

namespace tables {
namespace {

using testing::ElementsAre;

/// A file that records which rows were loaded and which blocks were dropped.
class loading_file final : public data_file {
 public:
  loading_file(std::uint64_t count, std::uint64_t bytes) : count_(count), bytes_(bytes) {}

  std::uint64_t rows() const override { return count_; }
  std::string place(std::uint64_t) const override { return "x"; }
  void read(std::uint64_t, ifb::json_document&) override {}
  std::uint64_t bytes_a_row() const override { return bytes_; }
  void load(std::uint64_t block, std::span<const std::uint64_t> rows) override {
    loads.emplace_back(rows.begin(), rows.end());
    held[block].insert(rows.begin(), rows.end());
  }
  void drop(std::uint64_t block) override { held.erase(block); }
  [[nodiscard]] bool holds(std::uint64_t row) const {
    return std::ranges::any_of(held, [&](const auto& each) { return each.second.contains(row); });
  }

  std::vector<std::vector<std::uint64_t>> loads;
  std::map<std::uint64_t, std::set<std::uint64_t>> held;  // rows by block

 private:
  std::uint64_t count_;
  std::uint64_t bytes_;
};

class loading_rows : public testing::Test {
 protected:
  loading_file& add(std::uint64_t count, std::uint64_t bytes) {
    auto file = std::make_unique<loading_file>(count, bytes);
    loading_file& out = *file;
    files_.push_back(std::move(file));
    return out;
  }
  std::unique_ptr<row_order> order() {
    return in_file_order([this, at = std::size_t{0}]() mutable -> std::optional<row_range> {
      if (at == files_.size()) return std::nullopt;
      const row_range out{at, 0, files_[at]->rows()};
      ++at;
      return out;
    });
  }
  void prepare(row_order& order, std::uint64_t position) {
    (void)order.at(position, row_order::reach::all_files);
    loader_.prepare(position, order, files_);
  }
  static std::vector<std::size_t> sizes(const loading_file& file) {
    std::vector<std::size_t> out;
    for (const auto& each : file.loads)
      out.push_back(each.size());
    return out;
  }

  std::vector<std::unique_ptr<data_file>> files_;
  row_loader loader_;
};

TEST_F(loading_rows, begins_with_one_row_and_then_takes_more_each_time) {
  loading_file& file = add(5000, 10);
  const auto rows = order();
  for (std::uint64_t i = 0; i < 5000; ++i)
    prepare(*rows, i);
  EXPECT_THAT(sizes(file), ElementsAre(1, 4, 16, 64, 256, 1024, 1024, 1024, 1024, 563));
}

TEST_F(loading_rows, takes_few_rows_if_they_are_large) {
  loading_file& file = add(100, most_bytes_ahead / 3);
  const auto rows = order();
  for (std::uint64_t i = 0; i < 10; ++i)
    prepare(*rows, i);
  EXPECT_THAT(sizes(file), ElementsAre(1, 3, 3, 3));
  loading_file& huge = add(100, most_bytes_ahead * 2);
  prepare(*rows, 100);
  prepare(*rows, 101);
  EXPECT_THAT(sizes(huge), ElementsAre(1, 1));
}

TEST_F(loading_rows, takes_one_row_at_a_jump) {
  loading_file& file = add(5000, 10);
  const auto rows = order();
  for (const std::uint64_t i : {0U, 1U, 5U, 4000U, 10U, 11U})
    prepare(*rows, i);
  EXPECT_THAT(sizes(file), ElementsAre(1, 4, 16, 1, 1, 4));
}

TEST_F(loading_rows, frees_the_rows_of_files_that_are_no_longer_needed) {
  loading_file& first = add(1, 10);
  loading_file& second = add(10, 10);
  const auto rows = order();
  prepare(*rows, 0);
  prepare(*rows, 1);
  EXPECT_THAT(first.loads, ElementsAre(ElementsAre(0)));
  EXPECT_TRUE(first.held.empty());
  EXPECT_THAT(second.loads, ElementsAre(ElementsAre(0, 1, 2, 3)));
}

TEST_F(loading_rows, opens_no_file) {
  add(2, 10);
  loading_file& second = add(10, 10);
  const auto rows = order();
  prepare(*rows, 0);
  prepare(*rows, 1);
  EXPECT_TRUE(second.loads.empty());
}

TEST_F(loading_rows, loads_nothing_from_files_that_need_no_loading) {
  loading_file& file = add(100, 0);
  const auto rows = order();
  prepare(*rows, 0);
  prepare(*rows, 1);
  EXPECT_TRUE(file.loads.empty());
}

TEST_F(loading_rows, keeps_only_the_last_rows_for_a_reader_that_reads_in_order) {
  loading_file& file = add(5000, 10);
  const auto rows = order();
  for (std::uint64_t i = 0; i < 5000; ++i) {
    prepare(*rows, i);
    EXPECT_EQ(file.held.size(), 1U) << i;
    EXPECT_TRUE(file.holds(i)) << i;
  }
}

/// Positions in the order in which `threads` threads ask for them that take `batch` at once.
std::vector<std::uint64_t> interleaved(std::uint64_t count, std::uint64_t threads,
                                       std::uint64_t batch) {
  std::vector<std::uint64_t> out{0};
  for (std::uint64_t first = 1; first < count; first += threads * batch)
    for (std::uint64_t i = 0; i < batch; ++i)
      for (std::uint64_t t = 0; t < threads; ++t)
        if (const std::uint64_t at = first + t * batch + i; at < count) out.push_back(at);
  return out;
}

// The first rows may have been dropped before it is known how far out of order the threads are.
TEST_F(loading_rows, keeps_rows_for_threads_that_read_out_of_order) {
  loading_file& file = add(5000, 10);
  const auto rows = order();
  for (const std::uint64_t at : interleaved(5000, 8, 4)) {
    prepare(*rows, at);
    EXPECT_TRUE(at < 32 || file.holds(at)) << at;
  }
  std::size_t loaded = 0;
  for (const auto& each : file.loads)
    loaded += each.size();
  EXPECT_EQ(loaded, 5000U);
  EXPECT_LE(file.held.size(), 2U);
  EXPECT_LT(file.loads.size(), 20U);
}

TEST_F(loading_rows, keeps_large_rows_for_late_threads_up_to_a_size) {
  constexpr std::uint64_t bytes = most_bytes_ahead / 10;
  loading_file& file = add(400, bytes);
  const auto rows = order();
  for (const std::uint64_t at : interleaved(400, 4, 4)) {
    prepare(*rows, at);
    EXPECT_TRUE(at < 16 || file.holds(at)) << at;
    std::size_t held = 0;
    for (const auto& [block, some] : file.held)
      held += some.size();
    EXPECT_LE(held * bytes, most_bytes_kept);
  }
}

TEST_F(loading_rows, leaves_late_positions_alone_whose_rows_are_gone) {
  loading_file& file = add(400, most_bytes_ahead);
  const auto rows = order();
  prepare(*rows, 0);
  prepare(*rows, 9);  // the rows before it would need too much memory
  const std::size_t loads = file.loads.size();
  EXPECT_TRUE(file.holds(9));
  prepare(*rows, 2);
  EXPECT_FALSE(file.holds(2));
  EXPECT_EQ(file.loads.size(), loads);
  prepare(*rows, 10);
  EXPECT_TRUE(file.holds(10));
}

TEST_F(loading_rows, begins_anew_at_the_first_position) {
  loading_file& file = add(5000, 10);
  const auto rows = order();
  for (const std::uint64_t i : {0U, 1U, 5U, 21U, 0U, 1U, 5U})
    prepare(*rows, i);
  EXPECT_THAT(sizes(file), ElementsAre(1, 4, 16, 64, 1, 4, 16));
}

}  // namespace
}  // namespace tables
