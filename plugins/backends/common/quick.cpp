#include "quick.hpp"

#include "cursor.hpp"

namespace openai::reading {
namespace {

class quick_reader {
 public:
  quick_reader(std::string_view data, char* spare, collector& collect, draft& holes) noexcept
      : at_(data.data(), data.data() + data.size() - 1),
        spare_(spare),
        collect_(collect),
        holes_(holes) {}

  bool read() {
    if (at_.peek() != '{') return false;
    collect_.StartObject();
    bool more = first('}');  // a value comes, in an object with its key before it
    for (;;) {
      if (more) {
        if (!collect_.in_list() && !key()) return false;
        if (!value(more)) return false;
      } else if (at_.peek() == ',') {
        at_.next();
        more = true;
      } else {
        if (at_.peek() != (collect_.in_list() ? ']' : '}')) return false;
        collect_.EndObject(0);  // EndArray() is the same
        if (at_.at_last() || collect_.ended()) return at_.at_last() && collect_.ended();
        at_.next();
      }
    }
  }

 private:
  /// `more`: of a container that is wanted, the first key or value has been reached;
  /// everything else is behind the cursor.
  bool value(bool& more) {
    more = false;
    bool good = false;
    if (!collect_.wanted()) {
      good = skip();
    } else {
      switch (at_.peek()) {
        case '{':
          collect_.StartObject();
          if (!collect_.skipping()) return more = first('}'), true;
          good = skip_started();
          break;
        case '[':
          collect_.StartArray();
          if (!collect_.skipping()) return more = first(']'), true;
          good = skip_started();
          break;
        case '"': good = text(); break;
        case 'n': good = at_.literal("null") && collect_.Null(); break;
        case 't': good = at_.literal("true") && collect_.Bool(true); break;
        case 'f': good = at_.literal("false") && collect_.Bool(false); break;
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
  bool skip_started() { return at_.skip() && collect_.EndObject(0); }
  bool text() {
    const char* const begin = at_.at() + 1;
    std::string_view found;
    if (!at_.text(found, spare_)) return false;
    switch (collect_.expected()) {
      case field::text: mark(begin, meaning::text); break;
      case field::content: mark(begin, meaning::content); break;
      case field::reasoning: mark(begin, meaning::reasoning); break;
      case field::finish_reason: mark(begin, meaning::finish_reason); break;
      default: break;
    }
    return collect_.String(found.data(), static_cast<rapidjson::SizeType>(found.size()), false);
  }
  /// A string's text, which has just been read.
  void mark(const char* begin, meaning what) { holes_.add(begin, at_.at() - 1, what); }
  bool key() {
    std::string_view found;
    return at_.text(found, spare_) &&
           collect_.Key(found.data(), static_cast<rapidjson::SizeType>(found.size()), false) &&
           at_.colon();
  }
  bool number() {
    const char* const begin = at_.at();
    whole_number n;
    if (!at_.whole(n)) return false;
    switch (collect_.expected()) {
      case field::prompt_tokens: holes_.add(begin, at_.at(), meaning::prompt_tokens); break;
      case field::output_tokens: holes_.add(begin, at_.at(), meaning::output_tokens); break;
      case field::cached_tokens: holes_.add(begin, at_.at(), meaning::cached_tokens); break;
      case field::reasoning_tokens: holes_.add(begin, at_.at(), meaning::reasoning_tokens); break;
      default: break;
    }
    // As RapidJSON sorts them.
    if (n.negative) return collect_.Int64(-static_cast<std::int64_t>(n.size));
    return n.size <= UINT32_MAX ? collect_.Uint(static_cast<unsigned>(n.size))
                                : collect_.Uint64(n.size);
  }

  cursor at_;
  char* spare_;
  collector& collect_;
  draft& holes_;
};

}  // namespace

bool read_quickly(std::string_view data, char* spare, collector& collect, draft& holes) {
  holes.clear();
  if (data.size() <= window || data.back() != '}') return false;
  return quick_reader(data, spare, collect, holes).read();
}

}  // namespace openai::reading
