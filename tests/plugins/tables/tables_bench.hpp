// The base of this folder's tests: a folder of files, a host, failures, and rows as texts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/guard.hpp>
#include <inferbench/json_reader.hpp>

#include "datasets/tables/database.hpp"
#include "datasets/tables/duckdb_library.hpp"
#include "datasets/tables/split_rows.hpp"
#include "support/duckdb.hpp"
#include "support/plugin_box.hpp"
#include "support/temporary_folder.hpp"

namespace tables_test {

class bench : public testing::Test {
 protected:
  [[nodiscard]] ifb::host host() { return ifb::host(host_.table()); }
  [[nodiscard]] std::string log() const {
    std::string out;
    for (const std::string& line : host_.log())
      out += line + "\n";
    return out;
  }

  /// The failure of a call, which must fail.
  template <typename call>
  static ifb::failure failure_of(call&& body) {
    try {
      body();
    } catch (const ifb::failure& e) {
      return e;
    }
    ADD_FAILURE() << "nothing failed";
    return {IFB_OK, ""};
  }

  /// Rows of a data set as JSON texts: from `first` on, at most `most`.
  static std::vector<std::string> texts(tables::rows& from, std::uint64_t most = 10'000,
                                        std::uint64_t first = 0) {
    std::vector<std::string> out;
    tables::row row;
    while (out.size() < most && from.read(first + out.size(), row))
      out.push_back(ifb::to_text(row.object()));
    return out;
  }
  /// All rows of a file.
  static std::vector<std::string> texts(tables::data_file& from) {
    std::vector<std::string> out;
    ifb::json_document row;
    for (std::uint64_t i = 0; i < from.rows(); ++i) {
      from.read(i, row);
      out.push_back(ifb::to_text(row));
    }
    return out;
  }

  /// Writes the rows of a query into a Parquet file of the folder, with DuckDB. Returns its path.
  std::string write_parquet(const std::string& name, const std::string& sql,
                            const std::string& options = "") {
    const std::string path = folder_.write(name, "");
    tables::database writer(tables::duckdb_of_process(), host());
    writer.query("COPY (" + sql + ") TO " + tables::sql_text(path) + " (FORMAT parquet, " +
                 options + (options.empty() ? "" : ", ") + "USE_TMP_FILE false)");
    return path;
  }

  inferbench::support::temporary_folder folder_;
  support::host host_;
};

}  // namespace tables_test
