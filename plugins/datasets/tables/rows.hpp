// The rows of one split of a data set, in the order in which `datasets` of Hugging Face yields
// them: from a local file or folder, the cache that Hugging Face's libraries share, or the hub,
// from which files are fetched one after the other. Formats: Parquet and CSV (through DuckDB, which
// is loaded when it is first needed), JSON and JSON lines.
//
// Values: NaN and infinities are null; decimals and integers of more than 64 bits are numbers with
// the precision of a double; dates, times and values of all other types are texts; maps are
// objects. A row has at most 256 MB and is nested at most 500 levels deep.
//
// Order: the files of the split one after the other; with `shuffle` as datasets' shuffle(seed),
// streaming (a buffer of 1,000 rows over shuffled files) or whole (one permutation). The buffer
// holds row numbers, not rows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/host.hpp>
#include <inferbench/json_reader.hpp>

#include "attached_files.hpp"
#include "unfit_row.hpp"

namespace tables {

struct request {
  std::string path;                     // a file, a folder, or an id of the hub "org/name"
  std::string revision = "main";        // branch, tag or commit on the hub
  std::optional<std::string> subset{};  // configuration; unset: the default, else the first
  // unset: `train`, else the first, with a line in the log; with `whole` also slices and sums, as
  // in "train[:100]+test". A path of a single file is the split, whatever its name is.
  std::optional<std::string> split{};
  bool whole = false;  // --no-stream: all files are fetched before the first row
  bool again = false;  // after an open() of the same data set: README.md causes no second warning
  bool shuffle = true;
  std::uint64_t seed = 0;
};

/// One row: a JSON object with the columns that were asked for. A binary column is a string that
/// may contain any bytes. It is empty until rows::read fills it; it can be used again.
class row {
 public:
  [[nodiscard]] const ifb::json_value& object() const noexcept { return document_; }
  /// For messages: "FILE, row 17", counted from 1, or "FILE:17", a line.
  [[nodiscard]] const std::string& place() const noexcept { return place_; }

 private:
  friend class split_rows;
  ifb::json_document document_;
  std::string place_;
};

/// Several threads can read rows: read() is for any thread, also at the same time, and the other
/// functions are for one thread before it. Read in ascending order, a position costs one row; the
/// positions of several threads may be out of order by up to 64. An earlier position is found again
/// through a list of 8 bytes a row.
class rows {
 public:
  /// `columns`: the top-level columns that read() gives; a name with a trailing "?" may be missing.
  /// Opens, and if necessary fetches, the first file of the order. Throws ifb::failure: the option
  /// at fault ("path", "revision", "hf-split", "hf-subset"), the columns, splits or subsets that
  /// there are, and how DuckDB can be had if it is needed and absent.
  static std::unique_ptr<rows> open(ifb::host host, const request& what,
                                    std::span<const std::string> columns);
  virtual ~rows() = default;

  /// Fills `out` with the row at `position` of the order. Returns false after the last row. A
  /// column that a row of JSON lacks is null. Throws unfit_row if this row cannot be used;
  /// out.place() then is its place, and the other rows can be read. Also throws ifb::failure:
  /// IFB_E_DATA that names the file if it cannot be read on; IFB_E_IO, IFB_E_REMOTE or IFB_E_CONFIG
  /// for a file that cannot be fetched; IFB_E_CANCELLED. A later call may succeed.
  [[nodiscard]] virtual bool read(std::uint64_t position, row& out) = 0;
  /// The number of rows if it is known without reading or fetching further files.
  [[nodiscard]] virtual std::optional<std::uint64_t> count() const = 0;
  /// The files of the data set that rows name by paths. The object may outlive this one.
  [[nodiscard]] virtual std::unique_ptr<attached_files> attached() const = 0;
};

}  // namespace tables
