#include "event.hpp"

#include <array>
#include <cstring>
#include <new>

#include "collector.hpp"
#include "json.hpp"
#include "quick.hpp"
#include "rapidjson.hpp"
#include "shape.hpp"

namespace openai {
namespace {

/// Replaces halves of surrogate pairs in `text` by \uFFFD, in place. Servers that
/// count text in UTF-16 units (those written in JavaScript) send a character
/// outside the basic plane as two events.
void mend_surrogates(char* text, std::size_t size) noexcept {
  const auto unit = [&](std::size_t at) -> unsigned {  // the \uXXXX there, or 0
    if (at + 6 > size || text[at] != '\\' || text[at + 1] != 'u') return 0;
    unsigned code = 0;
    for (std::size_t i = at + 2; i < at + 6; ++i) {
      const char c = text[i];
      const char lower = static_cast<char>(c | 0x20);
      if (c >= '0' && c <= '9')
        code = code << 4U | static_cast<unsigned>(c - '0');
      else if (lower >= 'a' && lower <= 'f')
        code = code << 4U | static_cast<unsigned>(lower - 'a' + 10);
      else
        return 0;
    }
    return code;
  };
  const auto high = [](unsigned code) { return code >= 0xD800 && code <= 0xDBFF; };
  const auto low = [](unsigned code) { return code >= 0xDC00 && code <= 0xDFFF; };
  for (std::size_t i = 0; i + 1 < size; ++i) {
    if (text[i] != '\\') continue;
    const unsigned code = unit(i);
    if (high(code) && low(unit(i + 6)))
      i += 11;
    else if (high(code) || low(code))
      std::memcpy(text + i + 2, "FFFD", 4), i += 5;
    else
      ++i;  // steps over the character that is escaped
  }
}

/// The error that an event of verdict refused carries.
std::string error_text(std::string_view data) {
  std::string why;
  const auto members = object_members(data, why);
  if (!members) return excerpt(data);
  const member* error = nullptr;
  for (const auto& m : *members) {
    if (m.key == "error") error = &m;  // of two, the later one counts
  }
  return error != nullptr && error->value != "null" ? error->value : std::string(data);
}

constexpr std::size_t spare = 32;  // bytes behind an event: rapidjson.hpp says why

struct aligned_delete {
  void operator()(char* p) const noexcept { ::operator delete[](p, std::align_val_t{16}); }
};

}  // namespace

struct event_reader::state {
  std::unique_ptr<char[], aligned_delete> buffer;
  std::size_t capacity = 0;
  std::string calls;
  std::array<std::string, 5> mended;
  reading::collector collect{calls};
  reading::draft holes;
  reading::shapes known;
  rapidjson::Reader reader;
};

// The first event must find its memory ready: its time is the one that counts most.
event_reader::event_reader() : state_(std::make_unique<state>()) { reserve(1000); }
event_reader::~event_reader() = default;

void event_reader::reserve(std::size_t size) {
  const std::size_t needed = size + spare;
  if (state_->capacity >= needed) return;
  const std::size_t capacity = (needed + needed / 2 + 15) / 16 * 16;
  state_->buffer.reset(static_cast<char*>(::operator new[](capacity, std::align_val_t{16})));
  state_->capacity = capacity;
}

void event_reader::load(std::string_view data) {
  reserve(data.size());
  std::memcpy(state_->buffer.get(), data.data(), data.size());
  std::memset(state_->buffer.get() + data.size(), 0, spare);
}

void event_reader::begin(event& out) {
  out = {};
  state_->calls.clear();
  state_->collect.begin(out);
}

verdict event_reader::read(std::string_view data, event& out) {
  data = trim(data);
  if (data.empty()) {
    out = {};
    return verdict::nothing;
  }
  reserve(data.size());
  if (state_->known.fit(data, state_->buffer.get(), out)) {
    mend(out);
    return verdict::read;
  }
  const auto quick = read_quickly(data, out);
  if (!quick) return read_fully(data, out);
  if (*quick == verdict::read) state_->known.take(data, out, state_->holes);
  return *quick;
}

std::optional<verdict> event_reader::read_quickly(std::string_view data, event& out) {
  reserve(data.size());
  begin(out);
  if (!reading::read_quickly(data, state_->buffer.get(), state_->collect, state_->holes))
    return std::nullopt;
  return finish(data, out);
}

verdict event_reader::read_fully(std::string_view data, event& out) {
  constexpr unsigned flags = rapidjson::kParseInsituFlag | rapidjson::kParseIterativeFlag;
  const auto parse = [&] {
    begin(out);
    rapidjson::InsituStringStream stream(state_->buffer.get());
    auto result = state_->reader.Parse<flags>(stream, state_->collect);
    // A NUL in the data looks like its end.
    if (!result.IsError() && stream.Tell() != data.size())
      result.Set(rapidjson::kParseErrorDocumentRootNotSingular, stream.Tell());
    return result;
  };
  load(data);
  auto result = parse();
  if (result.Code() == rapidjson::kParseErrorStringUnicodeSurrogateInvalid) {
    load(data);
    mend_surrogates(state_->buffer.get(), data.size());
    result = parse();
  }
  if (!result.IsError() && state_->collect.other) {
    trouble_ = "the server sent JSON that is no object: " + excerpt(data);
    return verdict::malformed;
  }
  if (result.IsError()) {
    trouble_ = "the server sent something that is not JSON (at byte " +
               std::to_string(result.Offset() + 1) + ": " +
               rapidjson::GetParseError_En(result.Code()) + "): " + excerpt(data);
    return verdict::malformed;
  }
  if (state_->collect.null) return verdict::nothing;
  return finish(data, out);
}

verdict event_reader::finish(std::string_view data, event& out) {
  if (state_->collect.refused) {
    trouble_ = error_text(data);
    return verdict::refused;
  }
  out.tool_call = state_->calls;
  mend(out);
  return verdict::read;
}

void event_reader::mend(event& out) {
  std::string* mended = state_->mended.data();
  for (std::string_view* text :
       {&out.text, &out.content, &out.reasoning, &out.tool_call, &out.finish_reason}) {
    if (!text->empty()) *text = valid_utf8(*text, *mended);  // most are
    ++mended;
  }
}

}  // namespace openai
