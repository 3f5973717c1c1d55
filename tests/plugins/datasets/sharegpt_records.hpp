// Records of ShareGPT, and the dataset sharegpt with --sharegpt-multi-turn.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/abi.h>

#include "plugins/datasets/conversation_rows.hpp"
#include "plugins/datasets/tokenizers.hpp"

namespace support {

/// The dataset sharegpt of a file, whose rows are complete conversations. One token is one byte.
struct multi_turn_bench {
  explicit multi_turn_bench(const std::string& path, settings given = {}) {
    box.host.services[IFB_SERVICE_TOKENIZER] = &support::byte_tokenizer;
    given["path"] = path;
    given["multi-turn"] = 1;
    EXPECT_EQ(box.create(given), IFB_OK) << box.message();
  }
  /// The messages of the row, or "skipped" and the reason.
  std::vector<said> row(std::uint64_t i) {
    if (box.info.rows == 0) {
      EXPECT_EQ(box.prepare(10), IFB_OK) << box.message();
    }
    if (box.read(i) != IFB_OK) return {{"skipped", box.message(), -1}};
    return messages_of(box.sample);
  }
  dataset_box box{"sharegpt"};
};

/// The speaker and the text of each turn.
using turns = std::vector<std::pair<std::string, std::string>>;

/// A record of a file of ShareGPT. `more`: further members, with a comma after each.
inline std::string record(const turns& all, const std::string& more = "") {
  std::string out = "{" + more + R"("conversations": [)";
  const char* comma = "";
  for (const auto& [from, value] : all) {
    out += std::string(comma) + R"({"from": ")" + from + R"(", "value": ")" + value + "\"}";
    comma = ", ";
  }
  return out + "]}";
}

/// The row of multi_turn_bench that was skipped for this reason.
inline said skipped(const std::string& why) { return {"skipped", why, -1}; }

}  // namespace support
