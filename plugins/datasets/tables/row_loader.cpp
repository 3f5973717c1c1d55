#include "row_loader.hpp"

#include <algorithm>
#include <map>

#include "limits.hpp"

namespace tables {

void row_loader::prepare(std::uint64_t position, row_order& order,
                         const std::vector<std::unique_ptr<data_file>>& files) {
  if (begin_ <= position && position < end_) return;
  // The first row is needed at once; a caller that reads on needs many rows.
  wanted_ = position == end_ ? std::clamp<std::uint64_t>(wanted_ * 4, 1, most_rows_ahead) : 1;
  begin_ = position;
  end_ = position;
  std::map<std::uint64_t, std::vector<std::uint64_t>> rows;
  for (std::uint64_t bytes = 0; end_ - begin_ < wanted_; ++end_) {
    const auto id = order.at(end_, row_order::reach::open_files);
    if (!id) break;
    const std::uint64_t size = files[id->file]->bytes_a_row();
    if (end_ > begin_ && bytes + size > most_bytes_ahead) break;
    bytes += size;
    if (size > 0) rows[id->file].push_back(id->row);
  }
  for (const std::uint64_t file : loaded_)
    if (!rows.contains(file)) files[file]->load({});
  loaded_.clear();
  for (auto& [file, wanted] : rows) {
    std::ranges::sort(wanted);
    loaded_.insert(file);
    files[file]->load(wanted);
  }
}

}  // namespace tables
