// Samples as items of the frames items and submit.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <inferbench/draft/batch_engine.h>
#include <inferbench/host.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/views.hpp>

namespace python_engine {

/// The JSON of one frame and the blobs to which it refers. The caller writes what is around the
/// items. Used by one thread at a time.
class item_writer {
 public:
  /// `memory` holds the text of messages.
  explicit item_writer(ifb::arena memory) noexcept : memory_(memory) {}

  [[nodiscard]] ifb::json_writer& json() noexcept { return json_; }
  [[nodiscard]] const std::string& blobs() const noexcept { return blobs_; }
  [[nodiscard]] std::size_t size() const noexcept { return json_.text().size() + blobs_.size(); }

  /// Throws failure like write(), but does not look into messages.
  static void check(const ifb_sample& sample);
  /// Throws failure for messages that write() cannot write, and with IFB_E_DATA for messages that
  /// the worker would refuse: malformed JSON, more than 64 levels, a message that is no JSON object
  /// with a role. `chat`: as for write(). `memory` holds the text of the messages. Parses the whole
  /// text, which takes milliseconds for a megabyte: not for single requests, whose latency would
  /// contain this time.
  static void check_messages(const ifb_sample& sample, bool chat, ifb::arena memory);
  /// Writes one item: the prompt as text, token ids or messages, its media, adapter, lengths and
  /// overrides. `chat`: messages come before the text that was made from them. Throws failure with
  /// IFB_E_UNSUPPORTED for a sample that the protocol cannot express: several prompts, a prompt
  /// that is a JSON object, a file, a chat without messages; with IFB_E_DATA for an output of 0
  /// tokens, for token ids that are no whole number of 4 bytes each, and for overrides that are no
  /// JSON object or whose priority is no integer.
  void write(const ifb_sample& sample, bool chat, const ifb_adapter* adapter);

 private:
  void write_prompt(const ifb_sample& sample, bool chat);
  void write_messages(const ifb_sample& sample);
  void write_media(const ifb_sample& sample);
  void write_medium(const ifb_part& part);
  void write_adapter(const ifb_adapter& adapter);
  void write_blob(std::string_view name, std::string_view bytes);

  ifb::arena memory_;
  ifb::json_writer json_;
  std::string blobs_;
};

}  // namespace python_engine
