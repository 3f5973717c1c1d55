// A file of conversations: a JSON array of {"id": "...", "messages": [{"role", "content"}, ...]}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <inferbench/host.hpp>

#include "datasets/common/text_file.hpp"
#include "source.hpp"

namespace conversations {

/// Keeps 24 bytes a conversation and 4 a message; a conversation is read when it is asked for. Only
/// the conversation with a text that is not UTF-8 is unusable.
class conversation_file final : public source {
 public:
  /// Checks every message. Throws ifb::failure (IFB_E_DATA, option "path") for the first that
  /// breaks a rule: ids differ; a message has a role and a content, both texts, and nothing else;
  /// after an optional system message come user and assistant in turn. `most_turns` 0: all.
  conversation_file(ifb::host host, std::unique_ptr<files::text_file> file,
                    ifb::service::tokenizer tokenizer, std::size_t most_turns);

  [[nodiscard]] std::size_t size() const override { return rows_.size(); }
  [[nodiscard]] std::size_t turns(std::size_t i) const override { return rows_[i].turns; }
  [[nodiscard]] conversation make(std::size_t i) override;

 private:
  struct row {
    std::uint64_t offset = 0;
    std::uint64_t first = 0;  // of its counts
    std::uint32_t messages = 0;
    std::uint32_t turns = 0;  // without the system message
  };

  std::unique_ptr<files::text_file> file_;
  ifb::service::tokenizer tokenizer_;
  std::vector<row> rows_;
  std::vector<std::uint32_t> counts_;  // of the messages; `unknown` until one is made
};

}  // namespace conversations
