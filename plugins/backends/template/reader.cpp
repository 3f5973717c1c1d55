#include "reader.hpp"

#include "common/cursor.hpp"
#include "common/insitu.hpp"
#include "common/json.hpp"
#include "matcher.hpp"
#include "recall.hpp"

namespace templates {
namespace {

using openai::reading::cursor;
using openai::reading::draft;
using openai::reading::meaning;
using openai::reading::whole_number;

/// The usual message in one pass over its own bytes, as common/quick.hpp. False: it is malformed
/// or unusual, and RapidJSON has to read it.
class quick_reader {
 public:
  quick_reader(std::string_view data, char* spare, matcher& follow, draft& holes) noexcept
      : at_(data.data(), data.data() + data.size() - 1),
        spare_(spare),
        follow_(follow),
        holes_(holes) {}

  /// After read(): the holes are where the next message of this form may differ.
  [[nodiscard]] bool plain() const noexcept { return plain_; }

  bool read() {
    if (at_.peek() != '{') return false;
    follow_.StartObject();
    if (follow_.skipping()) return false;
    bool more = first('}');  // a value comes, in an object with its key before it
    for (;;) {
      if (more) {
        if (!follow_.in_list() && !key()) return false;
        if (!value(more)) return false;
      } else if (at_.peek() == ',') {
        at_.next();
        more = true;
      } else {
        if (at_.peek() != (follow_.in_list() ? ']' : '}')) return false;
        if (follow_.in_list())
          follow_.EndArray(0);
        else
          follow_.EndObject(0);
        if (at_.at_last() || follow_.ended()) return at_.at_last() && follow_.ended();
        at_.next();
      }
    }
  }

 private:
  /// `more`: of a container that is wanted, the first key or value has been reached; everything
  /// else is behind the cursor.
  bool value(bool& more) {
    more = false;
    bool good = false;
    if (!follow_.wanted()) {
      good = skip();
      follow_.step_over();
    } else {
      switch (at_.peek()) {
        case '{':
          follow_.StartObject();
          if (!follow_.skipping()) return more = first('}'), true;
          good = at_.skip() && follow_.EndObject(0);
          break;
        case '[':
          follow_.StartArray();
          if (!follow_.skipping()) return more = first(']'), true;
          good = at_.skip() && follow_.EndArray(0);
          break;
        case '"': good = text(); break;
        case 'n': good = at_.literal("null") && follow_.Null(); break;
        case 't': good = at_.literal("true") && follow_.Bool(true); break;
        case 'f': good = at_.literal("false") && follow_.Bool(false); break;
        default: good = number();
      }
    }
    at_.blanks();
    return good;
  }
  /// Into a container; whether it has a member.
  bool first(char close) {
    at_.next();
    return at_.peek() != close;
  }
  bool skip() {
    const char* const begin = at_.at();
    if (*begin == '"') {
      if (!at_.skip_text()) return false;
      holes_.add(begin + 1, at_.at() - 1, meaning::other_text);
      return true;
    }
    cursor behind = at_;
    if (whole_number n; *begin != '{' && behind.whole(n)) {
      at_ = behind;
      holes_.add(begin, at_.at(), meaning::other_number);
      return true;
    }
    return at_.skip();
  }
  bool text() {
    const char* const begin = at_.at() + 1;
    std::string_view found;
    if (!at_.text(found, spare_)) return false;
    mark_text(begin);
    return follow_.String(found.data(), static_cast<rapidjson::SizeType>(found.size()), false);
  }
  bool key() {
    std::string_view found;
    return at_.text(found, spare_) &&
           follow_.Key(found.data(), static_cast<rapidjson::SizeType>(found.size()), false) &&
           at_.colon();
  }
  bool number() {
    const char* const begin = at_.at();
    whole_number n;
    if (!at_.whole(n)) return false;
    mark_number(begin);
    const auto size = static_cast<std::int64_t>(n.size);  // of at most 18 digits
    return follow_.Int64(n.negative ? -size : size);
  }

  // What has just been read, as a hole, unless its value decides about more than itself: then the
  // next message has to have the same. A part that is found twice is settled by rank, and one
  // value for two parts by both: such a message is no model for others.
  void mark_text(const char* begin) {
    switch (part_here()) {
      case part::error: return;
      case part::text: return once(begin, at_.at() - 1, part::text, meaning::text);
      case part::reasoning: return once(begin, at_.at() - 1, part::reasoning, meaning::reasoning);
      case part::finish_reason:
        return once(begin, at_.at() - 1, part::finish_reason, meaning::finish_reason);
      default: holes_.add(begin, at_.at() - 1, meaning::other_text);
    }
  }
  void mark_number(const char* begin) {
    const char* const end = at_.at();
    switch (const part what = part_here()) {
      case part::error:
      case part::tokens:
      case part::choice: return;
      case part::prompt_tokens: return once(begin, end, what, meaning::prompt_tokens);
      case part::cached_tokens: return once(begin, end, what, meaning::cached_tokens);
      case part::output_tokens: return once(begin, end, what, meaning::output_tokens);
      case part::reasoning_tokens: return once(begin, end, what, meaning::reasoning_tokens);
      default: holes_.add(begin, end, meaning::other_number);
    }
  }
  part part_here() {
    const auto& uses = follow_.upcoming().uses;
    if (uses.size() == 1) return uses.front().what;
    // None: something below it is wanted, and this value is not.
    plain_ = plain_ && uses.empty();
    return part::token_event;
  }
  void once(const char* begin, const char* end, part what, meaning as) {
    const std::uint32_t bit = 1U << static_cast<unsigned>(what);
    plain_ = plain_ && (seen_ & bit) == 0;
    seen_ |= bit;
    holes_.add(begin, end, as);
  }

  cursor at_;
  char* spare_;
  matcher& follow_;
  draft& holes_;
  std::uint32_t seen_ = 0;  // a bit for each part
  bool plain_ = true;
};

}  // namespace

struct reader::state {
  openai::insitu json;
  matcher follow;
  draft holes;
  recall known;
  std::uint64_t known_of = 0;  // the id of a finder
};

// The first message must find its memory ready: its time is the one that counts most.
reader::reader() : state_(std::make_unique<state>()) { state_->json.reserve(1000); }
reader::~reader() = default;

openai::verdict reader::read(const finder& where, std::string_view data, said& out) {
  out = {};
  if (data.empty()) return openai::verdict::nothing;
  matcher& follow = state_->follow;
  state_->json.reserve(data.size());
  if (state_->known_of != where.id()) {
    state_->known = {};
    state_->known_of = where.id();
  }
  if (state_->known.fit(data, state_->json.data(), out)) {
    mend(out);
    return openai::verdict::read;
  }
  if (data.size() > openai::reading::window && data.back() == '}') {
    follow.begin(where, out);
    state_->holes.clear();
    quick_reader quick(data, state_->json.data(), follow, state_->holes);
    if (quick.read()) {
      if (quick.plain() && !follow.refused) state_->known.take(data, out, state_->holes);
      return finish(data, out);
    }
  }
  const auto result = state_->json.parse(data, follow, [&] { follow.begin(where, out); });
  if (result.IsError()) {
    trouble_ = openai::not_json(result, data);
    return openai::verdict::malformed;
  }
  if (follow.other) {
    trouble_ = "the server sent JSON of another form than the template describes: " +
               openai::excerpt(data);
    return openai::verdict::malformed;
  }
  return follow.null ? openai::verdict::nothing : finish(data, out);
}

openai::verdict reader::finish(std::string_view data, said& out) {
  if (state_->follow.refused) {
    const std::string_view error = state_->follow.error();
    trouble_ = openai::valid_utf8(error.empty() ? data : error, mended_[0]);
    return openai::verdict::refused;
  }
  mend(out);
  return openai::verdict::read;
}

void reader::mend(said& out) {
  std::string* mended = mended_.data();
  for (std::string_view* text : {&out.text, &out.reasoning, &out.finish_reason}) {
    if (!text->empty()) *text = openai::valid_utf8(*text, *mended);  // most are
    ++mended;
  }
}

std::string_view reader::behind(std::string_view text, std::size_t size) {
  return openai::valid_utf8(text.substr(size), mended_[3]);
}

}  // namespace templates
