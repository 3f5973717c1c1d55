#include "shape.hpp"

#include <cstring>

#include "cursor.hpp"

namespace openai::reading {
namespace {

/// As collector does.
void put_text(event& out, meaning what, std::string_view text) noexcept {
  switch (what) {
    case meaning::text: out.text = text; break;
    case meaning::content: out.content = text; break;
    case meaning::reasoning:
      if (out.reasoning.empty()) out.reasoning = text;
      break;
    case meaning::finish_reason: out.finish_reason = text; break;
    default: break;
  }
}

void put_number(event& out, meaning what, const whole_number& n) noexcept {
  const std::int64_t count = n.negative && n.size != 0 ? -1 : static_cast<std::int64_t>(n.size);
  switch (what) {
    case meaning::prompt_tokens: out.usage.prompt = count; break;
    case meaning::output_tokens: out.usage.output = count; break;
    case meaning::cached_tokens: out.usage.cached = count; break;
    case meaning::reasoning_tokens: out.usage.reasoning = count; break;
    default: break;
  }
}

bool is_number(meaning what) noexcept {
  return what == meaning::other_number || what >= meaning::prompt_tokens;
}

}  // namespace

bool shape::take(std::string_view data, const event& what, const draft& holes) noexcept {
  if (data.size() > bytes_.size() || data.size() <= window) return false;
  if (!holes.complete() || !what.tool_call.empty()) return false;
  std::memcpy(bytes_.data(), data.data(), data.size());
  size_ = data.size();
  all_.size = wanted_.size = 0;
  for (std::size_t i = 0; i < holes.size(); ++i) {
    const hole one{static_cast<std::uint16_t>(holes[i].begin - data.data()),
                   static_cast<std::uint16_t>(holes[i].end - data.data()), holes[i].what};
    all_.of[all_.size++] = one;
    if (one.what > meaning::other_number) wanted_.of[wanted_.size++] = one;
  }
  rest_ = what;
  rest_.text = rest_.content = rest_.reasoning = rest_.tool_call = rest_.finish_reason = {};
  return true;
}

bool shape::fits(std::string_view data, char* spare, event& out) noexcept {
  // A cursor relies on the brace, which an event that was cut may lack.
  if (size_ == 0 || data.size() <= window || data.back() != '}') return false;
  if (!whole_.worth_it()) {
    whole_.failed();
    return fits(data, all_, spare, out, nullptr);
  }
  if (fits(data, wanted_, spare, out, nullptr)) {
    whole_.succeeded();
    return true;
  }
  draft seen;
  if (!fits(data, all_, spare, out, &seen)) return false;
  whole_.failed();
  take(data, rest_, seen);
  return true;
}

bool shape::fits(std::string_view data, const list& open, char* spare, event& out,
                 draft* seen) const noexcept {
  const char* at = data.data();
  const char* const last = at + data.size() - 1;
  const char* known = bytes_.data();
  out = rest_;
  for (std::size_t i = 0; i < open.size; ++i) {
    const auto [begin, end, what] = open.of[i];
    const auto before = static_cast<std::size_t>(bytes_.data() + begin - known);
    if (static_cast<std::size_t>(last - at) < before || std::memcmp(at, known, before) != 0)
      return false;
    at += before;
    known = bytes_.data() + end;
    const char* const from = at;
    if (is_number(what)) {
      cursor here(at, last);
      whole_number n;
      if (!here.whole(n)) return false;
      at = here.at();
      put_number(out, what, n);
    } else if (at = plain_end(at, last); *at == '"') {
      put_text(out, what, {from, static_cast<std::size_t>(at - from)});
    } else {
      const auto [behind, to] = decode_text(from, at, last, spare);
      if (behind == nullptr) return false;
      put_text(out, what, {spare, static_cast<std::size_t>(to - spare)});
      spare = to;
      at = behind - 1;
    }
    if (seen != nullptr) seen->add(from, at, what);
  }
  const auto left = static_cast<std::size_t>(bytes_.data() + size_ - known);
  return static_cast<std::size_t>(last + 1 - at) == left && std::memcmp(at, known, left) == 0;
}

bool shapes::fit(std::string_view data, char* spare, event& out) noexcept {
  if (any_.worth_it()) {
    const std::size_t likely = next_[last_];
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t one = (likely + i) % count;
      if (!known_[one].fits(data, spare, out)) continue;
      next_[last_] = one;
      last_ = one;
      any_.succeeded();
      return true;
    }
  }
  any_.failed();
  return false;
}

void shapes::take(std::string_view data, const event& what, const draft& holes) noexcept {
  if (!any_.worth_it() || !known_[oldest_].take(data, what, holes)) return;
  next_[last_] = oldest_;
  last_ = oldest_;
  oldest_ = (oldest_ + 1) % count;
}

}  // namespace openai::reading
