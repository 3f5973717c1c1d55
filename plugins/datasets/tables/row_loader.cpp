#include "row_loader.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "limits.hpp"

namespace tables {

void row_loader::prepare(std::uint64_t position, row_order& order, const file_list& files) {
  // A reader that begins anew asks for the first position.
  const bool is_late =
      position != 0 && position < latest_ && latest_ - position <= most_out_of_order;
  if (is_late)
    behind_ = std::max(behind_, latest_ - position);
  else
    latest_ = position;
  // A late position whose row is no longer there is read alone, so that the other threads keep
  // their rows.
  if (holds(position) || (is_late && position < next_)) return;
  const bool goes_on = position >= next_ && position - next_ < most_out_of_order;
  if (goes_on) {
    // The first row is needed at once; a caller that reads on needs many rows.
    wanted_ = std::clamp<std::uint64_t>(wanted_ * 4, 1, most_rows_ahead);
    behind_ = std::max(behind_, position - next_);  // the positions between will be asked for
  } else {
    while (!blocks_.empty())
      drop_first(files);
    next_ = position;
    wanted_ = 1;
    behind_ = 0;
  }
  for (std::uint64_t before = next_ + 1; next_ <= position && next_ != before;) {
    before = next_;
    load_next(std::max(wanted_, position + 1 - next_), order, files);
  }
}

bool row_loader::holds(std::uint64_t position) const {
  return std::ranges::any_of(
      blocks_, [&](const block& each) { return each.begin <= position && position < each.end; });
}

void row_loader::load_next(std::uint64_t count, row_order& order, const file_list& files) {
  block made{.number = numbers_++, .begin = next_, .end = next_};
  std::map<std::uint64_t, std::vector<std::uint64_t>> rows;
  for (; made.end - made.begin < count; ++made.end) {
    const auto id = order.at(made.end, row_order::reach::open_files);
    if (!id) break;
    const std::uint64_t size = files[id->file]->bytes_a_row();
    if (made.end > made.begin && made.bytes + size > most_bytes_ahead) break;
    made.bytes += size;
    if (size > 0) rows[id->file].push_back(id->row);
  }
  if (made.end == made.begin) return;
  for (const auto& [file, wanted] : rows)
    made.files.push_back(file);
  make_room(made.bytes, files);
  next_ = made.end;
  const std::uint64_t number = made.number;
  blocks_.push_back(std::move(made));
  for (auto& [file, wanted] : rows) {
    std::ranges::sort(wanted);
    files[file]->load(number, wanted);
  }
}

/// Drops the blocks that no thread will ask for, and more if there is no room for `bytes`.
void row_loader::make_room(std::uint64_t bytes, const file_list& files) {
  const auto kept = [&] {
    return std::accumulate(blocks_.begin(), blocks_.end(), bytes,
                           [](std::uint64_t sum, const block& each) { return sum + each.bytes; });
  };
  while (!blocks_.empty() && (blocks_.front().end + behind_ <= latest_ || kept() > most_bytes_kept))
    drop_first(files);
}

void row_loader::drop_first(const file_list& files) {
  for (const std::uint64_t file : blocks_.front().files)
    files[file]->drop(blocks_.front().number);
  blocks_.pop_front();
}

}  // namespace tables
