#include "datasets/tables/row_loader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/tables/limits.hpp"

namespace tables {
namespace {

using testing::ElementsAre;

/// A file that records which rows were loaded.
class loading_file final : public data_file {
 public:
  loading_file(std::uint64_t count, std::uint64_t bytes) : count_(count), bytes_(bytes) {}

  std::uint64_t rows() const override { return count_; }
  std::string place(std::uint64_t) const override { return "x"; }
  void read(std::uint64_t, ifb::json_document&) override {}
  std::uint64_t bytes_a_row() const override { return bytes_; }
  void load(std::span<const std::uint64_t> rows) override {
    loads.emplace_back(rows.begin(), rows.end());
  }

  std::vector<std::vector<std::uint64_t>> loads;

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
  EXPECT_THAT(first.loads, ElementsAre(ElementsAre(0), ElementsAre()));
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

}  // namespace
}  // namespace tables
