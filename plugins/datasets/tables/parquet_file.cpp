#include "parquet_file.hpp"

#include <algorithm>
#include <utility>

#include <inferbench/guard.hpp>

#include "cells.hpp"
#include "unfit_row.hpp"

namespace tables {

namespace {

/// DuckDB's sentence about a file that does not end as a Parquet file does.
bool is_cut(const std::string& message) {
  return message.find("No magic bytes") != message.npos ||
         message.find("too small to be a Parquet") != message.npos;
}

ifb::failure unreadable(const std::string& title, const std::string& why) {
  if (is_cut(why))
    return {IFB_E_DATA,
            title + " is not a whole Parquet file: its end is missing; download or copy it again",
            "path"};
  return {IFB_E_DATA, title + " cannot be read as Parquet: " + why, "path"};
}

}  // namespace

parquet_file::parquet_file(database& from, const std::string& path, std::string title,
                           const std::vector<wanted_column>& columns, std::uint64_t most_bytes)
    : from_(&from),
      title_(std::move(title)),
      table_("read_parquet(" + sql_text(path) +
             ", file_row_number = true, hive_partitioning = false)"),
      file_(sql_text(path)),
      most_bytes_(most_bytes) {
  try {
    inspect(columns);
    estimate();
  } catch (const query_failure& why) {
    throw unreadable(title_, why.message());
  }
}

void parquet_file::inspect(const std::vector<wanted_column>& columns) {
  std::vector<query_column> there = from_->query("SELECT * FROM " + table_ + " LIMIT 0").columns();
  std::erase_if(there, [](const query_column& c) { return c.name == "file_row_number"; });
  std::vector<std::string> names;
  for (const query_column& each : there)
    names.push_back(each.name);
  for (const wanted_column& wanted : columns) {
    const auto at = std::ranges::find(there, wanted.name, &query_column::name);
    if (at == there.end()) {
      if (wanted.may_be_missing) continue;
      throw missing_column(title_, wanted.name, names);
    }
    const std::string name = sql_name(wanted.name);
    columns_ +=
        ", " + (at->json_type.empty() ? name : "CAST(" + name + " AS " + at->json_type + ")");
    if (!at->byte_count.empty()) bytes_ += (bytes_.empty() ? "" : " + ") + at->byte_count;
    names_.push_back(wanted.name);
  }
  query_result count = from_->query("SELECT num_rows FROM parquet_file_metadata(" + file_ + ")");
  ifb::json_document number;
  if (count.next() == 0) throw query_failure("it has no number of rows", false);
  count.cells(0).put(0, number, number.GetAllocator());
  rows_ = number.IsInt64() ? static_cast<std::uint64_t>(number.GetInt64()) : number.GetUint64();
}

/// The size of the wanted columns in each group, without compression, is in the footer.
void parquet_file::estimate() {
  std::string ours;
  for (const std::string& name : names_)
    ours += (ours.empty() ? "" : " OR ") + ("path_in_schema = " + sql_text(name)) +
            " OR starts_with(path_in_schema, " + sql_text(name + ", ") + ")";
  if (ours.empty() || rows_ == 0) return;
  query_result sizes = from_->query(
      "SELECT CAST(sum(bytes) AS DOUBLE), CAST(max(bytes) AS DOUBLE) FROM (SELECT "
      "sum(total_uncompressed_size) AS bytes FROM parquet_metadata(" +
      file_ + ") WHERE " + ours + " GROUP BY row_group_id)");
  ifb::json_document all;
  ifb::json_document largest;
  if (sizes.next() == 0) return;
  sizes.cells(0).put(0, all, all.GetAllocator());
  sizes.cells(1).put(0, largest, largest.GetAllocator());
  if (!all.IsDouble() || !largest.IsDouble()) return;
  bytes_a_row_ = std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(all.GetDouble() / static_cast<double>(rows_)));
  may_be_large_ = !bytes_.empty() && largest.GetDouble() > static_cast<double>(most_bytes_);
}

std::string parquet_file::place(std::uint64_t row) const {
  return title_ + ", row " + std::to_string(row + 1);
}

std::uint64_t parquet_file::bytes_a_row() const { return bytes_a_row_; }

void parquet_file::fetch(std::span<const std::uint64_t> rows, row_block& into) {
  std::string list;
  for (const std::uint64_t row : rows)
    list += (list.empty() ? "" : ", ") + std::to_string(row);
  // A row that is too large is left out before DuckDB copies it.
  query_result result = from_->query(
      "SELECT file_row_number" + columns_ + " FROM " + table_ + " WHERE file_row_number IN (" +
      list + ")" +
      (may_be_large_ ? " AND " + bytes_ + " <= " + std::to_string(most_bytes_) : std::string{}));
  auto& memory = into.rows.GetAllocator();
  while (const std::uint64_t count = result.next()) {
    std::vector<cell_reader> cells;
    for (std::size_t i = 0; i <= names_.size(); ++i)
      cells.push_back(result.cells(i));
    for (std::uint64_t at = 0; at < count; ++at) {
      std::uint64_t bytes = 0;
      for (const cell_reader& cell : cells)
        bytes += cell.bytes(at);
      ifb::json_value number;
      cells[0].put(at, number, memory);
      auto& place = into.index[static_cast<std::uint64_t>(number.GetInt64())];
      if (bytes > most_bytes_) continue;
      place = into.rows.Size();
      ifb::json_value object(rapidjson::kObjectType);
      for (std::size_t i = 0; i < names_.size(); ++i) {
        ifb::json_value value;
        cells[i + 1].put(at, value, memory);
        ifb::json_value key(names_[i], memory);
        object.AddMember(key, value, memory);
      }
      into.rows.PushBack(object, memory);
    }
  }
  if (may_be_large_)
    for (const std::uint64_t row : rows)
      into.index.try_emplace(row);
}

void parquet_file::load(std::uint64_t block, std::span<const std::uint64_t> rows) {
  row_block& into = blocks_[block];
  load_more(rows, into, 0);
  // Repeated values are stored once in the file, so rows can be larger than the footer tells.
  if (!into.index.empty())
    bytes_a_row_ =
        std::max<std::uint64_t>(bytes_a_row_, into.rows.GetAllocator().Size() / into.index.size());
}

/// Rows of different groups may need too much memory together, but not one after the other. So the
/// rows are halved twice before DuckDB gets more memory. A row that cannot be loaded at all is left
/// out.
void parquet_file::load_more(std::span<const std::uint64_t> rows, row_block& into, int halved) {
  try {
    fetch(rows, into);
    return;
  } catch (const query_failure& why) {
    if (!why.lacked_memory()) return;
  }
  constexpr int enough = 2;
  const std::size_t half = rows.size() / 2;
  if ((halved >= enough || half == 0) && from_->raise_memory_limit(title_))
    return load_more(rows, into, halved);
  if (half == 0) return;
  load_more(rows.first(half), into, halved + 1);
  load_more(rows.subspan(half), into, halved + 1);
}

void parquet_file::fetch_alone(std::uint64_t row, row_block& into) {
  try {
    fetch({&row, 1}, into);
  } catch (const query_failure& why) {
    if (why.lacked_memory() && from_->raise_memory_limit(title_)) return fetch_alone(row, into);
    if (!why.lacked_memory())
      throw ifb::failure(IFB_E_DATA, place(row) + " cannot be read: " + why.message(), "path");
    throw unfit(place(row), "the row needs more than " + std::to_string(most_memory_mb) +
                                " MB of memory together with its group of rows, so write large "
                                "rows in small groups");
  }
  if (into.index.empty())
    throw ifb::failure(IFB_E_DATA, place(row) + " is no longer there", "path");
}

const parquet_file::row_block* parquet_file::block_of(std::uint64_t row) const {
  const auto found = std::ranges::find_if(
      blocks_, [&](const auto& each) { return each.second.index.contains(row); });
  return found == blocks_.end() ? nullptr : &found->second;
}

void parquet_file::read(std::uint64_t row, ifb::json_document& out) {
  out.SetNull();
  out.GetAllocator().Clear();
  row_block alone;
  const row_block* from = block_of(row);
  if (from == nullptr) {
    fetch_alone(row, alone);
    from = &alone;
  }
  const auto at = from->index.at(row);
  if (!at) throw unfit(place(row), larger_than(most_bytes_));
  out.CopyFrom(from->rows[*at], out.GetAllocator());
}

}  // namespace tables
