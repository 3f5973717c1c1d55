// RapidJSON with its own buffer: texts are decoded in place, so that they are not copied one by
// one. To be used by one thread at a time.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "backends/bodies/rapidjson.hpp"

namespace openai {

/// Serves any number of texts. Allocates only for a text that is larger than all earlier texts.
class insitu {
 public:
  /// Makes room for `size` bytes at data(), and for the spare bytes that rapidjson.hpp requires.
  void reserve(std::size_t size);
  [[nodiscard]] char* data() noexcept { return buffer_.get(); }

  /// Parses `text` with the RapidJSON handler `events`. The strings that the handler receives are
  /// valid until the next call. `begin` is called before the first event. Half a surrogate pair
  /// becomes U+FFFD: in that case `begin` is called again, and all events are repeated.
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
    // RapidJSON takes a NUL in the data for the end of the data.
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

/// Return an error message for the user: the fault in `data`, and the beginning of `data`.
[[nodiscard]] std::string not_json(const rapidjson::ParseResult& result, std::string_view data);
[[nodiscard]] std::string no_object(std::string_view data);

/// Returns the error of an event: its member `error` as JSON text, or the whole event if it does
/// not have this member.
[[nodiscard]] std::string error_text(std::string_view data);

}  // namespace openai
