#include "row_order.hpp"

#include <algorithm>
#include <utility>

namespace tables {

void row_ranges::add(const row_range& range) {
  if (range.count == 0) return;
  ranges_.push_back(range);
  begins_.push_back(total_);
  total_ += range.count;
}

row_id row_ranges::at(std::uint64_t position) const {
  const auto after = std::ranges::upper_bound(begins_, position);
  const auto index = static_cast<std::size_t>(after - begins_.begin()) - 1;
  const row_range& range = ranges_[index];
  return {range.file & (most_files - 1),
          (range.first + position - begins_[index]) & (most_rows_of_file - 1)};
}

namespace {

class file_order final : public row_order {
 public:
  explicit file_order(next_file open) : open_(std::move(open)) {}

  std::optional<row_id> at(std::uint64_t position, reach how) override {
    while (position >= ranges_.total()) {
      if (ended_ || how == reach::open_files) return std::nullopt;
      if (const auto next = open_())
        ranges_.add(*next);
      else
        ended_ = true;
    }
    return ranges_.at(position);
  }
  [[nodiscard]] bool ended() const noexcept { return ended_; }

 private:
  next_file open_;
  row_ranges ranges_;
  bool ended_ = false;
};

class buffered_order final : public row_order {
 public:
  buffered_order(next_file open, ifb::numpy_pcg64 random, std::size_t size)
      : input_(std::move(open)), random_(random), size_(size) {}

  std::optional<row_id> at(std::uint64_t position, reach how) override {
    while (position >= found_.size())
      if (!step(how)) return std::nullopt;
    return found_[position];
  }

 private:
  /// Moves a row from the input to the buffer. Returns false if there is none.
  bool step(reach how) {
    if (finished_) return false;
    const auto next = input_.at(taken_, how);
    if (!next) {
      if (!input_.ended()) return false;
      random_.shuffle(buffer_);
      found_.insert(found_.end(), buffer_.begin(), buffer_.end());
      buffer_.clear();
      finished_ = true;
      return true;
    }
    ++taken_;
    if (buffer_.size() < size_) {
      buffer_.push_back(*next);
    } else {
      row_id& slot = buffer_[draw()];
      found_.push_back(std::exchange(slot, *next));
    }
    return true;
  }

  // `datasets` draws 1,000 indices at once, so the generator is ahead of the rows when it shuffles
  // the last rows.
  std::size_t draw() {
    constexpr std::size_t block = 1000;
    if (drawn_ == indices_.size()) {
      indices_.resize(block);
      for (std::size_t& index : indices_)
        index = static_cast<std::size_t>(random_.integer(0, static_cast<std::int64_t>(size_)));
      drawn_ = 0;
    }
    return indices_[drawn_++];
  }

  file_order input_;
  ifb::numpy_pcg64 random_;
  std::size_t size_;
  std::uint64_t taken_ = 0;  // rows of the input
  std::vector<row_id> buffer_;
  std::vector<row_id> found_;  // the order, as far as it is known
  std::vector<std::size_t> indices_;
  std::size_t drawn_ = 0;
  bool finished_ = false;
};

class whole_order final : public row_order {
 public:
  whole_order(row_ranges ranges, std::optional<ifb::numpy_pcg64> random)
      : ranges_(std::move(ranges)) {
    if (random) permutation_ = random->permutation(ranges_.total());
  }

  std::optional<row_id> at(std::uint64_t position, reach) override {
    if (position >= ranges_.total()) return std::nullopt;
    return ranges_.at(permutation_.empty() ? position : permutation_[position]);
  }

 private:
  row_ranges ranges_;
  std::vector<std::uint64_t> permutation_;
};

}  // namespace

std::unique_ptr<row_order> in_file_order(next_file open) {
  return std::make_unique<file_order>(std::move(open));
}

std::unique_ptr<row_order> through_buffer(next_file open, ifb::numpy_pcg64 random,
                                          std::size_t buffer_size) {
  return std::make_unique<buffered_order>(std::move(open), random, buffer_size);
}

std::unique_ptr<row_order> of_whole(row_ranges ranges, std::optional<ifb::numpy_pcg64> random) {
  return std::make_unique<whole_order>(std::move(ranges), random);
}

}  // namespace tables
