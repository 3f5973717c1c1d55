#include "json_file.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <utility>

#include <rapidjson/reader.h>
#include <sys/mman.h>

#include <inferbench/guard.hpp>

#include "datasets/common/json_array.hpp"
#include "datasets/common/jsonl.hpp"
#include "limits.hpp"
#include "row_copy.hpp"
#include "unfit_row.hpp"

namespace tables {

namespace {

constexpr std::uint64_t rows_looked_at = 100;

/// The part that both forms share: a row is parsed as a whole, and its wanted columns are copied.
class json_file : public data_file {
 public:
  json_file(std::string title, std::vector<wanted_column> columns)
      : title_(std::move(title)), columns_(std::move(columns)) {}

  void read(std::uint64_t row, ifb::json_document& out) final {
    if (!copy_columns(parsed(row), columns_, out))
      throw unfit(place(row),
                  "the row is nested more than " + std::to_string(deepest_row) + " levels deep");
  }

  /// Throws ifb::failure if none of the first rows has a wanted column, or if none can be used.
  void check_columns() {
    std::vector<std::string> seen;
    const auto has = [&](const std::string& name) {
      return std::ranges::find(seen, name) != seen.end();
    };
    const auto all = [&] {
      return std::ranges::all_of(columns_, [&](const auto& c) { return has(c.name); });
    };
    std::optional<unfit_row> first_fault;
    bool is_usable = false;
    for (std::uint64_t row = 0; row < std::min(rows(), rows_looked_at) && !all(); ++row) {
      try {
        for (const auto& member : parsed(row).GetObject())
          if (std::string name(ifb::text_of(&member.name)); !has(name)) seen.push_back(name);
        is_usable = true;
      } catch (const unfit_row& why) {
        if (!first_fault) first_fault.emplace(why);
      }
    }
    if (first_fault && !is_usable) throw unfit_row(*first_fault);
    for (const wanted_column& each : columns_)
      if (rows() > 0 && !each.may_be_missing && !has(each.name))
        throw missing_column(title_, each.name, seen);
  }

 protected:
  /// Returns the row, an object that is valid until the next call. Throws unfit_row.
  virtual const ifb::json_value& parsed(std::uint64_t row) = 0;

  void check_size(std::uint64_t row, std::uint64_t bytes) const {
    if (bytes > largest_row) throw unfit(place(row), larger_than(largest_row));
  }
  [[nodiscard]] const std::string& title() const noexcept { return title_; }

 private:
  std::string title_;
  std::vector<wanted_column> columns_;
};

class lines_file final : public json_file {
 public:
  lines_file(ifb::host host, const file_to_open& file, std::vector<wanted_column> columns)
      : json_file(file.title, std::move(columns)), lines_(host, file.path) {}

  [[nodiscard]] std::uint64_t rows() const override { return lines_.rows(); }
  [[nodiscard]] std::string place(std::uint64_t row) const override {
    return title() + ":" + std::to_string(lines_.find(row).number);
  }

 protected:
  const ifb::json_value& parsed(std::uint64_t row) override {
    check_size(row, lines_.find(row).text.size());
    try {
      lines_.read(row, row_);
    } catch (const files::row_fault& why) {
      // The file may be one of the cache, so the message names its title instead of its path.
      throw unfit_row(title() + ":" + why.place() + ": " + why.reason(), why.reason());
    }
    return row_.object();
  }

 private:
  files::json_lines lines_;
  files::json_row row_;
};

/// The offsets of the rows take 8 bytes a row.
class array_file final : public json_file {
 public:
  array_file(ifb::host host, const file_to_open& file, std::vector<wanted_column> columns)
      : json_file(file.title, std::move(columns)), file_(file.path) {
    files::array_walk walk(file_);
    rapidjson::BaseReaderHandler<> ignore;
    std::size_t told = 0;
    while (const auto offset = walk.next(ignore)) {
      offsets_.push_back(*offset);
      if (*offset - told < told_every) continue;
      give_back();
      told = *offset;
      host.progress().report("reading " + file.title, told, file_.text().size());
      if (host.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
    }
    end_ = walk.offset();
    give_back();
  }

  [[nodiscard]] std::uint64_t rows() const override { return offsets_.size(); }
  [[nodiscard]] std::string place(std::uint64_t row) const override {
    return title() + ", row " + std::to_string(row + 1);
  }

 protected:
  const ifb::json_value& parsed(std::uint64_t row) override {
    const std::uint64_t begin = offsets_[row];
    const std::uint64_t bytes = (row + 1 < offsets_.size() ? offsets_[row + 1] : end_) - begin;
    check_size(row, bytes);
    document_.SetNull();
    document_.GetAllocator().Clear();
    if (!files::parse_element(file_, begin, document_))
      throw unfit(place(row), "text that is not UTF-8");
    if (!document_.IsObject()) throw unfit(place(row), "the row is not a JSON object");
    read_ += bytes;
    if (read_ >= told_every) give_back();
    return document_;
  }

 private:
  static constexpr std::uint64_t told_every = 16ULL << 20U;

  // The pages stay in the system's cache; only this process gives them up.
  void give_back() {
    read_ = 0;
    if (file_.mapped())
      ::madvise(const_cast<char*>(file_.text().data()), file_.text().size(), MADV_DONTNEED);
  }

  files::text_file file_;
  std::vector<std::uint64_t> offsets_;
  std::uint64_t end_ = 0;
  std::uint64_t read_ = 0;  // bytes read since memory was given back
  ifb::json_document document_;
};

bool begins_with_bracket(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string head(4096, '\0');
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(in.gcount()));
  const auto first = head.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  return first != std::string::npos && head[first] == '[';
}

}  // namespace

std::unique_ptr<data_file> open_json(ifb::host host, const file_to_open& file,
                                     std::vector<wanted_column> columns) {
  std::unique_ptr<json_file> out;
  if (begins_with_bracket(file.path))
    out = std::make_unique<array_file>(host, file, std::move(columns));
  else
    out = std::make_unique<lines_file>(host, file, std::move(columns));
  out->check_columns();
  return out;
}

}  // namespace tables
