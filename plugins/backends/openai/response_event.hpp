// One event of a streamed response, read by RapidJSON in a single pass.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "backends/openai_family/event.hpp"

namespace openai {

/// An element of the output, as far as it is a call of a tool.
struct response_item {
  std::string_view type;
  std::string_view name;
  std::string_view arguments;
};

/// The content of an event. A text that the event lacks is empty; a count that it lacks is -1.
struct response_event {
  std::string_view type;
  std::string_view delta;
  std::string_view reason;     // response.incomplete_details.reason
  std::int64_t index = -1;     // output_index: the number of the item to which the event belongs
  std::string_view arguments;  // of a call, in an event without an item
  response_item item;          // the event's item
  openai::usage usage;         // found in the response, or in the event beside the response
};

/// Same ownership and threads as event_reader.
class response_reader {
 public:
  response_reader();
  response_reader(const response_reader&) = delete;
  response_reader& operator=(const response_reader&) = delete;
  ~response_reader();

  /// Views in `out` are valid until the next call. Invalid UTF-8 in a delta, a reason or the name
  /// of an item, and half a surrogate pair, become U+FFFD. `data` must not begin or end with white
  /// space.
  [[nodiscard]] verdict read(std::string_view data, response_event& out);

  /// After the verdict malformed: the fault and the beginning of the data. After the verdict
  /// refused: the server's error as JSON text.
  [[nodiscard]] const std::string& trouble() const noexcept { return trouble_; }

 private:
  struct state;
  std::unique_ptr<state> state_;
  std::array<std::string, 3> mended_;
  std::string trouble_;
};

}  // namespace openai
