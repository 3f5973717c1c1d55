// The rows of NousResearch/json-mode-eval, or of a copy of it: {"prompt": [{"role", "content"},
// ...], "schema": "a JSON schema", "completion": "the right answer"}.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/host.hpp>

#include "datasets/tables/rows.hpp"
#include "xgrammar_features.hpp"

namespace structured {

struct evaluation_message {
  std::string role;
  std::string json;  // the whole message, with all of its members
};

struct evaluation_row {
  std::vector<evaluation_message> messages;  // not empty; the first has the prefix
  std::string conversation;                  // all messages without the prefix, as a JSON list
  std::string contents;                      // their contents without the prefix, one a line
  std::string schema;                        // JSON text, spelled as in the data set
  std::optional<std::string> completion;     // the right answer
  std::string place;                         // for messages: "FILE:17" or "FILE, row 17"
};

/// The rows that can be used, in the order of the data set. After construction any thread, also
/// several threads at the same time.
class evaluation_rows {
 public:
  /// Reads all rows. `path` is a file, a folder or an id of the hub; if it is empty, the data set
  /// is that of the hub. Rows whose schema has a feature that xgrammar does not support (`rules`)
  /// are left out, and a line of the log tells their number. Rows that are malformed are left out
  /// with a warning. Throws ifb::failure: the errors of tables::rows, IFB_E_DATA (option "path") if
  /// no row is left, and IFB_E_CANCELLED.
  evaluation_rows(ifb::host host, const std::string& path, xgrammar_rules rules);

  /// Reads the sample of row `row` of a run; after the last row of the data set the first row
  /// follows. `prefix` is put in front of the content of the first message. Throws ifb::failure if
  /// a file has changed.
  [[nodiscard]] evaluation_row read(std::uint64_t row, std::string_view prefix) const;

 private:
  struct count_of_rows {
    std::uint64_t unsupported = 0;
    std::uint64_t malformed = 0;
    std::string first_fault;  // place and reason of the first malformed row
  };

  void look_through(ifb::host host, xgrammar_rules rules);
  void report(ifb::host host, const count_of_rows& left_out) const;

  std::string title_;
  std::unique_ptr<tables::rows> rows_;
  std::vector<std::uint64_t> usable_;  // positions
};

}  // namespace structured
