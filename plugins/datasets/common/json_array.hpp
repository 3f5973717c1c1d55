// A file that holds one JSON array, element by element: one pass finds the place of
// each element, which is parsed when it is asked for. No more than one element is in
// memory at a time. For our plugins only: the header includes RapidJSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <rapidjson/document.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <inferbench/json_reader.hpp>

#include "text_file.hpp"

namespace files {

/// Python's json takes NaN and Infinity too; nesting costs heap, not stack.
inline constexpr unsigned json_flags = rapidjson::kParseStopWhenDoneFlag |
                                       rapidjson::kParseIterativeFlag |
                                       rapidjson::kParseNanAndInfFlag;

/// JSON text for RapidJSON in which half a surrogate pair reads as U+FFFD. Python's json
/// takes it; RapidJSON would give up the file for the sake of one row.
class json_stream : public rapidjson::MemoryStream {
 public:
  explicit json_stream(std::string_view text) : MemoryStream(text.data(), text.size()) {}

  [[nodiscard]] Ch Peek() const { return half_ == 0 ? MemoryStream::Peek() : "FFFD"[4 - half_]; }
  Ch Take() {
    if (half_ > 0) {
      const Ch mended = Peek();
      --half_;
      MemoryStream::Take();
      return mended;
    }
    const Ch taken = MemoryStream::Take();
    if (taken == 'u' && src_ - begin_ > 1 && src_[-2] == '\\') see_unit();
    return taken;
  }

 private:
  void see_unit();

  bool low_ = false;   // the next unit belongs to the one before it
  unsigned half_ = 0;  // digits of half a pair that are still to be taken
};

/// Walks over the elements of the array in `file`. Throws ifb::failure (IFB_E_DATA,
/// option "path", "PATH:LINE:COLUMN: ...") for anything but one well-formed array.
class array_walk {
 public:
  explicit array_walk(const text_file& file);

  /// Moves to the next element and hands its events to `handler`, a RapidJSON
  /// handler that may end the parse by returning false. Returns the element's offset, or
  /// nothing after the last.
  template <typename handler>
  [[nodiscard]] std::optional<std::size_t> next(handler& events) {
    if (!to_element()) return std::nullopt;
    const std::size_t begin = at_;
    json_stream stream(file_->text().substr(at_));
    const rapidjson::ParseResult result = reader_.Parse<json_flags>(stream, events);
    if (result.IsError()) malformed(at_ + result.Offset(), result.Code());
    at_ += stream.Tell();
    return begin;
  }

  /// Elements begun so far.
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::size_t offset() const noexcept { return at_; }

 private:
  bool to_element();
  void skip_blanks();
  [[noreturn]] void malformed(std::size_t offset, rapidjson::ParseErrorCode code) const;
  [[noreturn]] void refuse(std::size_t offset, const std::string& what) const;

  const text_file* file_;
  rapidjson::Reader reader_;
  std::size_t at_ = 0;
  std::uint64_t count_ = 0;
};

/// RapidJSON's words for an error, as a part of a sentence: "missing a comma ...".
[[nodiscard]] std::string said_of(rapidjson::ParseErrorCode code);

/// The element that begins at `offset`, which an array_walk found. False when its
/// bytes are not UTF-8. Throws ifb::failure (IFB_E_DATA) when it no longer parses.
[[nodiscard]] bool parse_element(const text_file& file, std::size_t offset,
                                 rapidjson::Document& out);

using ifb::find;  // a member of an object

/// The text of a string; nullopt for other types and for null.
[[nodiscard]] std::optional<std::string_view> string_of(const rapidjson::Value* value);

/// Whether Python's `if x:` takes it as false: absent, null, false, 0, "", [] and {}.
[[nodiscard]] bool is_blank(const rapidjson::Value* value);

}  // namespace files
