// A template as read from its file: how a request is written and what its answer means. Made
// in create; immutable then; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document.hpp"
#include "finder.hpp"
#include "placeholder.hpp"
#include "table.hpp"

namespace template_backend {

/// [stream] or [whole].
struct section {
  bool streamed = false;
  std::uint32_t framing = 0;    // ifb_framing
  const value* path = nullptr;  // instead of the path of [request]
  finder where;
  std::int64_t tokens_each = 0;  // in an event with text that does not say it itself; 0: unknown
  bool marked_events = false;    // token-event says which events have output
  bool cumulative = false;       // each event has the whole text so far
  bool skip_empty = false;       // an event without text is none
  std::optional<std::string> end_data;
  std::optional<std::string> end_event;
  std::string error_event;
  bool has_end = false;
  std::string end_told;  // "end-data = \"[DONE]\"", for messages
};

class description {
 public:
  /// Throws ifb::failure with file and line.
  explicit description(const std::string& file);
  description(const description&) = delete;
  description& operator=(const description&) = delete;

  [[nodiscard]] const document& from() const noexcept { return document_; }
  [[nodiscard]] const std::string& method() const noexcept { return method_; }
  /// In the order of the file; values are texts.
  [[nodiscard]] const std::vector<std::pair<std::string, const value*>>& headers() const noexcept {
    return headers_;
  }
  /// nullptr: requests have no body.
  [[nodiscard]] const value* body() const noexcept { return body_; }
  /// The tables, outermost first, that extra members go to.
  [[nodiscard]] const std::vector<std::string>& extra() const noexcept { return extra_; }

  /// nullptr: the template has none.
  [[nodiscard]] const section* stream() const noexcept { return stream_ ? &*stream_ : nullptr; }
  [[nodiscard]] const section* whole() const noexcept { return whole_ ? &*whole_ : nullptr; }
  /// The path of its requests, a text that begins with /.
  [[nodiscard]] const value& path_of(const section& of) const noexcept {
    return of.path != nullptr ? *of.path : *path_;
  }

 private:
  void read_request(table request);
  section read_section(table from, bool streamed);
  const value* read_path(table& from);
  void read_headers(const value& from);
  void read_extra(table& request);
  void read_end(table& from, section& out);

  document document_;
  std::string method_;
  const value* path_ = nullptr;
  std::vector<std::pair<std::string, const value*>> headers_;
  const value* body_ = nullptr;
  std::vector<std::string> extra_;
  std::optional<section> stream_;
  std::optional<section> whole_;
};

}  // namespace template_backend
