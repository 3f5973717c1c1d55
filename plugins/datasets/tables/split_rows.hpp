// The rows of a split: files, their order and their rows, put together.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <inferbench/host.hpp>

#include "csv_file.hpp"
#include "data_file.hpp"
#include "database.hpp"
#include "origin.hpp"
#include "row_loader.hpp"
#include "row_order.hpp"
#include "rows.hpp"
#include "selection.hpp"

namespace tables {

class split_rows final : public rows {
 public:
  /// Throws like rows::open().
  split_rows(ifb::host host, const hub::environment& settings, const request& what,
             std::span<const std::string> columns);

  bool read(std::uint64_t position, row& out) override;
  [[nodiscard]] std::optional<std::uint64_t> count() const override;
  [[nodiscard]] std::unique_ptr<attached_files> attached() const override {
    return from_.attached();
  }

 private:
  std::size_t index_of(const std::string& file);
  void put_in_order(const std::vector<selected_split>& splits, const request& what);
  [[nodiscard]] row_ranges ranges_of(const std::vector<selected_split>& splits);
  void announce(const std::string& file, bool whole);
  [[nodiscard]] data_file& open(std::size_t index);
  [[nodiscard]] database& duckdb();

  ifb::host host_;
  origin from_;
  std::vector<wanted_column> columns_;

  std::vector<std::string> names_;                 // of the files
  std::map<std::string, std::size_t> numbers_;     // the indices of the names
  std::vector<std::unique_ptr<data_file>> files_;  // null: not yet opened
  std::optional<std::uint64_t> count_;             // of a data set that was loaded as a whole
  std::unique_ptr<conversion_folder> conversions_;
  std::unique_ptr<database> database_;

  std::mutex mutex_;  // read() uses all members
  std::unique_ptr<row_order> order_;
  row_loader loader_;
};

}  // namespace tables
