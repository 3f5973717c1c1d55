#include "reader.hpp"

#include "backends/bodies/json.hpp"
#include "backends/openai_family/insitu.hpp"
#include "backends/openai_family/quick_walk.hpp"
#include "backends/openai_family/shape.hpp"
#include "matcher.hpp"

namespace template_backend {
namespace {

using openai::reading::meaning;

/// Marks the value that was read last as a hole, unless its value affects the meaning of other
/// values. A message cannot be a model for others in two cases: a part was found twice, so that the
/// rank decides, or one value serves two parts.
class judge {
 public:
  explicit judge(const matcher& follow) noexcept : follow_(follow) {}

  /// Returns whether the message may be a model for other messages.
  [[nodiscard]] bool plain() const noexcept { return plain_; }

  template <typename marking>
  void text(marking&& mark) noexcept {
    switch (part_here()) {
      case part::error: return;
      case part::text: return mark(once(part::text, meaning::text));
      case part::reasoning: return mark(once(part::reasoning, meaning::reasoning));
      case part::finish_reason: return mark(once(part::finish_reason, meaning::finish_reason));
      default: return mark(meaning::other_text);
    }
  }
  template <typename marking>
  void number(marking&& mark) noexcept {
    switch (const part what = part_here()) {
      case part::error:
      case part::tokens:
      case part::choice: return;
      case part::prompt_tokens: return mark(once(what, meaning::prompt_tokens));
      case part::cached_tokens: return mark(once(what, meaning::cached_tokens));
      case part::output_tokens: return mark(once(what, meaning::output_tokens));
      case part::reasoning_tokens: return mark(once(what, meaning::reasoning_tokens));
      default: return mark(meaning::other_number);
    }
  }

 private:
  part part_here() noexcept {
    const auto& uses = follow_.upcoming().uses;
    if (uses.size() == 1) return uses.front().what;
    // If there is no use, a path continues below this place, and a scalar has nothing below it.
    plain_ = plain_ && uses.empty();
    return part::token_event;
  }
  meaning once(part what, meaning as) noexcept {
    const std::uint32_t bit = 1U << static_cast<unsigned>(what);
    plain_ = plain_ && (seen_ & bit) == 0;
    seen_ |= bit;
    return as;
  }

  const matcher& follow_;
  std::uint32_t seen_ = 0;  // one bit for each part
  bool plain_ = true;
};

}  // namespace

struct reader::state {
  openai::insitu json;
  matcher follow;
  openai::reading::hole_list holes;
  openai::reading::shapes<event> known;
  std::uint64_t known_of = 0;  // the id of the finder to which `known` belongs
};

// The memory is reserved now, so that the first message does not wait for it: the time stamp of the
// first message is the most important.
reader::reader() : state_(std::make_unique<state>()) { state_->json.reserve(1000); }
reader::~reader() = default;

openai::verdict reader::read(const finder& where, std::string_view data, event& out) {
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
    openai::reading::quick_walk<matcher, judge> quick(data, state_->json.data(), follow,
                                                      state_->holes);
    if (quick.read()) {
      if (quick.judged().plain() && !follow.refused) state_->known.take(data, out, state_->holes);
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
               bodies::excerpt(data);
    return openai::verdict::malformed;
  }
  return follow.null ? openai::verdict::nothing : finish(data, out);
}

openai::verdict reader::finish(std::string_view data, event& out) {
  if (state_->follow.refused) {
    const std::string_view error = state_->follow.error();
    trouble_ = bodies::valid_utf8(error.empty() ? data : error, mended_[0]);
    return openai::verdict::refused;
  }
  mend(out);
  return openai::verdict::read;
}

void reader::mend(event& out) {
  std::string* mended = mended_.data();
  for (std::string_view* text : {&out.text, &out.reasoning, &out.finish_reason}) {
    if (!text->empty()) *text = bodies::valid_utf8(*text, *mended);  // usually without a copy
    ++mended;
  }
}

std::string_view reader::behind(std::string_view text, std::size_t size) {
  return bodies::valid_utf8(text.substr(size), mended_[3]);
}

}  // namespace template_backend
