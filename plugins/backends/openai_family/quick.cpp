#include "quick.hpp"

#include "quick_walk.hpp"

namespace openai::reading {
namespace {

/// Derives the meaning of a value from the field that the handler expects: each field has one
/// meaning.
class judge {
 public:
  explicit judge(const event_handler& collect) noexcept : collect_(collect) {}

  template <typename marking>
  void text(marking&& mark) const noexcept {
    switch (collect_.expected()) {
      case field::text: return mark(meaning::text);
      case field::content: return mark(meaning::content);
      case field::reasoning: return mark(meaning::reasoning);
      case field::finish_reason: return mark(meaning::finish_reason);
      default: return;
    }
  }
  template <typename marking>
  void number(marking&& mark) const noexcept {
    switch (collect_.expected()) {
      case field::prompt_tokens: return mark(meaning::prompt_tokens);
      case field::output_tokens: return mark(meaning::output_tokens);
      case field::cached_tokens: return mark(meaning::cached_tokens);
      case field::reasoning_tokens: return mark(meaning::reasoning_tokens);
      default: return;
    }
  }

 private:
  const event_handler& collect_;
};

}  // namespace

bool read_quickly(std::string_view data, char* spare, event_handler& collect, hole_list& holes) {
  holes.clear();
  if (data.size() <= window || data.back() != '}') return false;
  return quick_walk<event_handler, judge>(data, spare, collect, holes).read();
}

}  // namespace openai::reading
