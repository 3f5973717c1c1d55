// A file that contains one JSON array, element by element. One pass finds the offset of each
// element; an element is parsed only when it is needed. No more than one element is in memory at a
// time. Only for plugins of this repository: the header includes RapidJSON.
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

/// Python's json also accepts NaN and Infinity. Nesting uses the heap and not the stack.
inline constexpr unsigned json_flags = rapidjson::kParseStopWhenDoneFlag |
                                       rapidjson::kParseIterativeFlag |
                                       rapidjson::kParseNanAndInfFlag;

/// JSON text for RapidJSON in which half a surrogate pair becomes U+FFFD. Python's json accepts
/// such a half; RapidJSON would refuse the whole file because of one row.
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

  bool low_ = false;   // the next unit belongs to the previous unit
  unsigned half_ = 0;  // remaining digits of half a surrogate pair
};

/// Walks over the elements of the array in `file`. Throws ifb::failure (IFB_E_DATA, option "path",
/// "PATH:LINE:COLUMN: ...") if the file is not exactly one well-formed array.
class array_walk {
 public:
  explicit array_walk(const text_file& file);

  /// Moves to the next element and passes its events to `events`, a RapidJSON handler. The handler
  /// may end the parse by returning false. Returns the element's offset, or nullopt after the last
  /// element.
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

  /// Returns the number of elements that have begun.
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

/// Returns RapidJSON's description of an error, as a part of a sentence: "missing a comma ...".
[[nodiscard]] std::string said_of(rapidjson::ParseErrorCode code);

/// Parses the element at `offset`, which an array_walk returned. Returns false if the bytes of the
/// element are not UTF-8. Throws ifb::failure (IFB_E_DATA) if the element can no longer be parsed.
[[nodiscard]] bool parse_element(const text_file& file, std::size_t offset,
                                 rapidjson::Document& out);

using ifb::find;  // finds a member of an object

/// Returns the text of a string; nullopt for other types and for null.
[[nodiscard]] std::optional<std::string_view> string_of(const rapidjson::Value* value);

/// Returns whether Python's `if x:` treats the value as false: absent, null, false, 0, "", [] and
/// {}.
[[nodiscard]] bool is_blank(const rapidjson::Value* value);

}  // namespace files
