// RapidJSON with a buffer of its own: texts are decoded in place, without a copy each. One
// thread at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "backends/bodies/rapidjson.hpp"

namespace openai {

/// Serves any number of texts. Allocates only for one larger than all before.
class insitu {
 public:
  /// Room for `size` bytes at data(), and for the spare bytes of rapidjson.hpp.
  void reserve(std::size_t size);
  [[nodiscard]] char* data() noexcept { return buffer_.get(); }

  /// Parses `text` with the RapidJSON handler `events`. Strings passed to it are valid until
  /// the next call. `begin` is called before the first event. Half a surrogate pair reads as
  /// U+FFFD: then `begin` is called again, and all events come once more.
  template <typename handler, typename beginning>
  rapidjson::ParseResult parse(std::string_view text, handler& events, beginning begin) {
    load(text);
    begin();
    auto result = parse_loaded(text.size(), events);
    if (result.Code() != rapidjson::kParseErrorStringUnicodeSurrogateInvalid) return result;
    load(text);
    mend_surrogates(buffer_.get(), text.size());
    begin();
    return parse_loaded(text.size(), events);
  }

 private:
  template <typename handler>
  rapidjson::ParseResult parse_loaded(std::size_t size, handler& events) {
    constexpr unsigned flags = rapidjson::kParseInsituFlag | rapidjson::kParseIterativeFlag;
    rapidjson::InsituStringStream stream(buffer_.get());
    auto result = reader_.Parse<flags>(stream, events);
    // A NUL in the data looks like its end.
    if (!result.IsError() && stream.Tell() != size)
      result.Set(rapidjson::kParseErrorDocumentRootNotSingular, stream.Tell());
    return result;
  }
  void load(std::string_view text);
  static void mend_surrogates(char* text, std::size_t size) noexcept;

  struct aligned_delete {
    void operator()(char* p) const noexcept { ::operator delete[](p, std::align_val_t{16}); }
  };
  std::unique_ptr<char[], aligned_delete> buffer_;
  std::size_t capacity_ = 0;
  rapidjson::Reader reader_;
};

/// For the user: what is wrong with `data`, and its beginning.
[[nodiscard]] std::string not_json(const rapidjson::ParseResult& result, std::string_view data);
[[nodiscard]] std::string no_object(std::string_view data);

/// The error of an event: its member `error` as JSON text, or the whole event if it has none.
[[nodiscard]] std::string error_text(std::string_view data);

}  // namespace openai
