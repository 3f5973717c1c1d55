#include "response_event.hpp"

#include <cstddef>

#include "backends/bodies/json.hpp"
#include "backends/openai_family/insitu.hpp"

namespace openai {
namespace {

enum class place : std::uint8_t { nowhere, root, item, response, usage, details, incomplete };

enum class field : std::uint8_t {
  unknown,
  type,
  delta,
  arguments,
  output_index,
  item,
  item_type,
  item_name,
  item_arguments,
  error,
  response,
  usage,
  incomplete,
  reason,
  input_tokens,
  output_tokens,
  input_details,
  output_details,
  cached_tokens,
  reasoning_tokens
};

field field_of(place where, std::string_view key) noexcept {
  switch (where) {
    case place::nowhere: break;
    case place::root:
      if (key == "type") return field::type;
      if (key == "delta") return field::delta;
      if (key == "error") return field::error;
      if (key == "response") return field::response;
      if (key == "output_index") return field::output_index;
      if (key == "item") return field::item;
      if (key == "arguments") return field::arguments;
      [[fallthrough]];
    case place::response:
      if (key == "usage") return field::usage;
      if (key == "incomplete_details") return field::incomplete;
      break;
    case place::item:
      if (key == "type") return field::item_type;
      if (key == "name") return field::item_name;
      if (key == "arguments") return field::item_arguments;
      break;
    case place::usage:
      if (key == "input_tokens") return field::input_tokens;
      if (key == "output_tokens") return field::output_tokens;
      if (key == "input_tokens_details") return field::input_details;
      if (key == "output_tokens_details") return field::output_details;
      break;
    case place::details:
      if (key == "cached_tokens") return field::cached_tokens;
      if (key == "reasoning_tokens") return field::reasoning_tokens;
      break;
    case place::incomplete:
      if (key == "reason") return field::reason;
      break;
  }
  return field::unknown;
}

/// A handler for RapidJSON's events. `skipped_` is the number of open containers that are not
/// wanted.
class response_handler {
 public:
  void begin(response_event& out) {
    out = {};
    out_ = &out;
    depth_ = skipped_ = 0;
    here_ = place::nowhere;
    field_ = field::unknown;
    null = other = refused = false;
  }

  bool null = false;     // the whole event is null
  bool other = false;    // the event is neither null nor an object
  bool refused = false;  // the event reports an error

  bool Null() {
    if (depth_ == 0 && skipped_ == 0) return null = true;
    return scalar();
  }
  bool Bool(bool b) {
    if (wants(field::error) && b) refused = true;
    return scalar();
  }
  bool Int(int n) { return number(n); }
  bool Uint(unsigned n) { return number(n); }
  bool Int64(std::int64_t n) { return number(n); }
  bool Uint64(std::uint64_t n) {
    return number(n <= INT64_MAX ? static_cast<std::int64_t>(n) : INT64_MIN);
  }
  bool Double(double n) {
    return number(n >= 0 && n < 9e15 ? static_cast<std::int64_t>(n) : INT64_MIN);
  }
  bool RawNumber(const char*, rapidjson::SizeType, bool) { return scalar(); }
  bool String(const char* data, rapidjson::SizeType size, bool) {
    const std::string_view text(data, size);
    if (skipped_ == 0) {
      switch (field_) {
        case field::type: out_->type = text; break;
        case field::delta: out_->delta = text; break;
        case field::reason: out_->reason = text; break;
        case field::arguments: out_->arguments = text; break;
        case field::item_type: out_->item.type = text; break;
        case field::item_name: out_->item.name = text; break;
        case field::item_arguments: out_->item.arguments = text; break;
        case field::error: refused = refused || !text.empty(); break;
        default: break;
      }
    }
    return scalar();
  }
  bool Key(const char* data, rapidjson::SizeType size, bool) {
    if (skipped_ == 0) field_ = field_of(here_, {data, size});
    return true;
  }
  bool StartObject() {
    if (skipped_ != 0) return ++skipped_, true;
    if (here_ == place::nowhere) return enter(place::root);
    switch (field_) {
      case field::response: return enter(place::response);
      case field::item: return enter(place::item);
      case field::usage: return enter(place::usage);
      case field::incomplete: return enter(place::incomplete);
      case field::input_details:
      case field::output_details: return enter(place::details);
      default: return skip();
    }
  }
  bool EndObject(rapidjson::SizeType) { return leave(); }
  bool StartArray() {
    if (skipped_ != 0) return ++skipped_, true;
    if (depth_ == 0) other = true;
    return skip();
  }
  bool EndArray(rapidjson::SizeType) { return leave(); }

 private:
  // root, response, usage, details
  static constexpr std::size_t deepest = 4;

  [[nodiscard]] bool wants(field what) const { return skipped_ == 0 && field_ == what; }
  bool enter(place where) {
    path_[depth_++] = here_;
    here_ = where;
    return true;
  }
  bool skip() {
    if (field_ == field::error && depth_ != 0) refused = true;
    skipped_ = 1;
    return true;
  }
  bool leave() {
    if (skipped_ != 0) return --skipped_, true;
    here_ = path_[--depth_];
    return true;
  }
  bool scalar() {
    if (skipped_ == 0 && depth_ == 0) other = true;
    return true;
  }
  bool number(std::int64_t n) {
    if (skipped_ == 0) {
      const std::int64_t count = n >= 0 ? n : -1;
      switch (field_) {
        case field::error: refused = refused || n != 0; break;
        case field::output_index: out_->index = count; break;
        case field::input_tokens: out_->usage.prompt = count; break;
        case field::output_tokens: out_->usage.output = count; break;
        case field::cached_tokens: out_->usage.cached = count; break;
        case field::reasoning_tokens: out_->usage.reasoning = count; break;
        default: break;
      }
    }
    return scalar();
  }

  response_event* out_ = nullptr;
  std::array<place, deepest> path_{};  // the outer places of `here_`
  place here_ = place::nowhere;
  std::size_t depth_ = 0;
  std::size_t skipped_ = 0;
  field field_ = field::unknown;
};

/// Returns the error of the event response.failed: the member `error` of `response`, or the whole
/// event if `response` has no error.
std::string failure_text(std::string_view data) {
  std::string why;
  const auto members = bodies::object_members(data, why);
  if (!members) return bodies::excerpt(data);
  for (const auto& m : *members) {
    if (m.key != "response" || !m.value.starts_with('{')) continue;
    const std::string inner = error_text(m.value);
    if (inner != m.value) return inner;
  }
  return std::string(data);
}

}  // namespace

struct response_reader::state {
  insitu json;
  response_handler collect;
};

response_reader::response_reader() : state_(std::make_unique<state>()) {
  state_->json.reserve(1000);
}
response_reader::~response_reader() = default;

verdict response_reader::read(std::string_view data, response_event& out) {
  out = {};
  if (data.empty()) return verdict::nothing;
  response_handler& found = state_->collect;
  const auto result = state_->json.parse(data, found, [&] { found.begin(out); });
  if (result.IsError()) {
    trouble_ = not_json(result, data);
    return verdict::malformed;
  }
  if (found.other) {
    trouble_ = no_object(data);
    return verdict::malformed;
  }
  if (found.null) return verdict::nothing;
  if (found.refused) {
    trouble_ = error_text(data);
    return verdict::refused;
  }
  if (out.type == "error" || out.type == "response.failed") {
    trouble_ = failure_text(data);
    return verdict::refused;
  }
  out.delta = bodies::valid_utf8(out.delta, mended_[0]);
  out.reason = bodies::valid_utf8(out.reason, mended_[1]);
  out.item.name = bodies::valid_utf8(out.item.name, mended_[2]);
  return verdict::read;
}

}  // namespace openai
