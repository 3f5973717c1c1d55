// A template as read from its file: how a request is written, and how its answer is read. Created
// once per instance. Immutable after construction; any thread.
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

/// The table [stream] or [whole] of the file.
struct section {
  bool streamed = false;
  std::uint32_t framing = 0;    // ifb_framing
  const value* path = nullptr;  // replaces the path of [request]; nullptr: no replacement
  finder where;
  // tokens in an event with text, if the event has no count; 0: unknown
  std::int64_t tokens_each = 0;
  bool marked_events = false;  // token-event decides which events have output
  bool cumulative = false;     // each event contains the whole text so far
  bool skip_empty = false;     // an event without text does not count as a token event
  std::optional<std::string> end_data;
  std::optional<std::string> end_event;
  std::string error_event;
  bool has_end = false;
  std::string end_told;  // the end mark in messages: "end-data = \"[DONE]\""
};

class description {
 public:
  /// Throws ifb::failure with file and line.
  explicit description(const std::string& file);
  description(const description&) = delete;
  description& operator=(const description&) = delete;

  [[nodiscard]] const document& from() const noexcept { return document_; }
  [[nodiscard]] const std::string& method() const noexcept { return method_; }
  /// The headers in the order of the file; their values are texts.
  [[nodiscard]] const std::vector<std::pair<std::string, const value*>>& headers() const noexcept {
    return headers_;
  }
  /// nullptr: requests do not have a body.
  [[nodiscard]] const value* body() const noexcept { return body_; }
  /// The names of the nested tables, outermost first, to which extra members are added.
  [[nodiscard]] const std::vector<std::string>& extra() const noexcept { return extra_; }

  /// nullptr: the template does not have the section.
  [[nodiscard]] const section* stream() const noexcept { return stream_ ? &*stream_ : nullptr; }
  [[nodiscard]] const section* whole() const noexcept { return whole_ ? &*whole_ : nullptr; }
  /// The path of the section's requests, a text that begins with /.
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
