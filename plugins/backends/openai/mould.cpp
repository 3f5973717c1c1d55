#include "mould.hpp"

#include <cstdint>
#include <cstring>

#include "cursor.hpp"

namespace openai::reading {

void mould::take(std::string_view data, const event& what) noexcept {
  if (data.size() > bytes_.size()) return;
  if (!what.tool_call.empty() || !what.finish_reason.empty()) return;
  std::string_view event::* field = nullptr;
  for (const auto each : {&event::text, &event::content, &event::reasoning}) {
    if ((what.*each).empty()) continue;
    if (field != nullptr) return;
    field = each;
  }
  if (field == nullptr) return;
  // A text that had an escape, or was mended, lies elsewhere.
  const auto text = what.*field;
  const auto before =
      reinterpret_cast<std::uintptr_t>(text.data()) - reinterpret_cast<std::uintptr_t>(data.data());
  if (before >= data.size() || before < window) return;

  std::memcpy(bytes_.data(), data.data(), data.size());
  size_ = data.size();
  before_ = before;
  after_ = size_ - before - text.size();
  rest_ = what;
  rest_.text = rest_.content = rest_.reasoning = rest_.tool_call = rest_.finish_reason = {};
  field_ = field;
}

bool mould::fits(std::string_view data, char* spare, event& out,
                 std::string_view*& text) const noexcept {
  if (before_ == 0 || data.size() <= before_ + after_) return false;
  const char* const begin = data.data() + before_;
  const char* const end = data.data() + data.size() - after_;
  if (std::memcmp(data.data(), bytes_.data(), before_) != 0) return false;
  if (std::memcmp(end, bytes_.data() + size_ - after_, after_) != 0) return false;
  std::string_view found(begin, static_cast<std::size_t>(end - begin));
  if (const char* const odd = plain_end(begin, end); odd != end) {
    // Not only up to `end`: a backslash there would escape the closing quote.
    const char* const last = data.data() + data.size() - 1;
    const auto [behind, to] = decode_text(begin, odd, last, spare);
    if (behind != end + 1) return false;
    found = {spare, static_cast<std::size_t>(to - spare)};
  }
  out = rest_;
  text = &(out.*field_);
  *text = found;
  return true;
}

}  // namespace openai::reading
