#include "split_rows.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <inferbench/guard.hpp>
#include <inferbench/random.hpp>

#include "duckdb_library.hpp"
#include "json_file.hpp"
#include "parquet_file.hpp"

namespace tables {

namespace {

// Local Parquet files are all opened at the beginning if they are not more than this many, so that
// the number of rows is known. Opening a file takes a few milliseconds.
constexpr std::size_t most_opened_at_once = 64;

std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t mega = 1'000'000;
  if (bytes < mega) return std::to_string((bytes + 999) / 1000) + " kB";
  if (bytes < 10'000 * mega) return std::to_string(bytes / mega) + " MB";
  return std::to_string(bytes / (1000 * mega)) + " GB";
}

}  // namespace

split_rows::split_rows(ifb::host host, const hub::environment& settings, const request& what,
                       std::span<const std::string> columns)
    : host_(host),
      from_(host, settings, what.path, what.revision),
      columns_(wanted_columns(columns)) {
  const std::vector<selected_split> splits = select_files(host_, from_, what);
  for (const selected_split& split : splits)
    for (const std::string& file : split.files)
      std::ignore = index_of(file);
  if (names_.size() >= most_files)
    throw ifb::failure(IFB_E_CONFIG, from_.title() + " has more than 16 million files", "path");
  put_in_order(splits, what);
}

std::size_t split_rows::index_of(const std::string& file) {
  const auto [at, is_new] = numbers_.try_emplace(file, names_.size());
  if (is_new) {
    names_.push_back(file);
    files_.emplace_back();
  }
  return at->second;
}

void split_rows::put_in_order(const std::vector<selected_split>& splits, const request& what) {
  std::optional<ifb::numpy_pcg64> random;
  if (what.shuffle) random.emplace(what.seed);
  if (what.whole) {
    announce(names_.front(), true);
    row_ranges ranges = ranges_of(splits);
    count_ = ranges.total();
    order_ = of_whole(std::move(ranges), random);
    return;
  }
  auto sequence = ifb::ascending<std::size_t>(names_.size());
  if (random) ifb::numpy_pcg64(*random).shuffle(sequence);
  next_file next = [this, sequence, at = std::size_t{0}]() mutable -> std::optional<row_range> {
    if (at == sequence.size()) return std::nullopt;
    const std::size_t file = sequence[at];
    const row_range out{file, 0, open(file).rows()};
    ++at;  // a file that could not be opened is tried again
    return out;
  };
  order_ = random ? through_buffer(std::move(next), *random) : in_file_order(std::move(next));
  announce(names_[sequence.front()], false);
  // The first file shows now whether the data set can be used.
  std::ignore = open(sequence.front());
  const auto parquet = [](const std::string& n) { return format_of(n) == file_format::parquet; };
  if (from_.is_local() && names_.size() <= most_opened_at_once &&
      std::ranges::all_of(names_, parquet))
    for (const std::size_t file : sequence)
      std::ignore = open(file);
}

/// Opens all files. A slice selects rows of the whole split, which may lie in several files.
row_ranges split_rows::ranges_of(const std::vector<selected_split>& splits) {
  row_ranges out;
  for (const selected_split& split : splits) {
    std::uint64_t all = 0;
    for (const std::string& file : split.files)
      all += open(index_of(file)).rows();
    auto [skip, left] = bounds_of(split.slice, all);
    for (const std::string& file : split.files) {
      const std::size_t index = index_of(file);
      const std::uint64_t there = files_[index]->rows();
      const std::uint64_t first = std::min(skip, there);
      const std::uint64_t taken = std::min(there - first, left);
      out.add({index, first, taken});
      skip -= first;
      left -= taken;
    }
  }
  return out;
}

/// A download can take long, so the user is told its size.
void split_rows::announce(const std::string& file, bool whole) {
  std::uint64_t bytes = 0;
  std::size_t missing = 0;
  for (const std::string& each : names_) {
    if (from_.is_at_hand(each)) continue;
    ++missing;
    bytes += from_.size_of(each);
  }
  if (missing == 0) return;
  const std::string all = std::to_string(missing) + " of " + std::to_string(names_.size()) +
                          " files (" + size_text(bytes) + ")";
  if (whole || names_.size() == 1)
    host_.info(from_.title() + ": downloading " + all);
  else
    host_.info(from_.title() + ": downloading at most " + all +
               ", each when its rows are needed; " + file + " has " +
               size_text(from_.size_of(file)));
}

data_file& split_rows::open(std::size_t index) {
  if (files_[index] != nullptr) return *files_[index];
  const std::string& name = names_[index];
  if (host_.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
  const file_to_open file{from_.fetch(name), from_.title(name), format_of(name)};
  switch (file.format) {
    case file_format::parquet:
      files_[index] = std::make_unique<parquet_file>(duckdb(), file.path, file.title, columns_);
      break;
    case file_format::csv:
    case file_format::tsv: {
      database& reader = duckdb();  // also makes the folder of conversions
      files_[index] = open_csv(reader, file, conversions_->file(index), columns_);
      break;
    }
    default: files_[index] = open_json(host_, file, columns_); break;
  }
  if (files_[index]->rows() >= most_rows_of_file)
    throw ifb::failure(IFB_E_DATA, file.title + " has too many rows", "path");
  return *files_[index];
}

database& split_rows::duckdb() {
  if (database_ != nullptr) return *database_;
  std::vector<std::string> allowed;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    allowed.push_back(from_.path_of(names_[i]));
    const file_format format = format_of(names_[i]);
    if (format != file_format::csv && format != file_format::tsv) continue;
    if (conversions_ == nullptr) conversions_ = std::make_unique<conversion_folder>();
    allowed.push_back(conversions_->file(i));
  }
  auto made = std::make_unique<database>(duckdb_of_process(), host_);
  made->confine(allowed);
  database_ = std::move(made);
  return *database_;
}

bool split_rows::read(std::uint64_t position, row& out) {
  const std::lock_guard lock(mutex_);
  const auto id = order_->at(position, row_order::reach::all_files);
  if (!id) return false;
  loader_.prepare(position, *order_, files_);
  data_file& file = *files_[id->file];
  out.place_ = file.place(id->row);
  file.read(id->row, out.document_);
  return true;
}

std::optional<std::uint64_t> split_rows::count() const {
  if (count_) return count_;
  std::uint64_t out = 0;
  for (const auto& file : files_) {
    if (file == nullptr) return std::nullopt;
    out += file->rows();
  }
  return out;
}

std::unique_ptr<rows> rows::open(ifb::host host, const request& what,
                                 std::span<const std::string> columns) {
  return std::make_unique<split_rows>(host, hub::read_environment(), what, columns);
}

}  // namespace tables
