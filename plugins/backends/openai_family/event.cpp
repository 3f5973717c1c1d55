#include "event.hpp"

#include <array>
#include <vector>

#include <inferbench/text.hpp>

#include "backends/bodies/json.hpp"
#include "event_handler.hpp"
#include "insitu.hpp"
#include "quick.hpp"
#include "shape.hpp"

namespace openai {

struct event_reader::state {
  insitu json;
  std::string calls;
  std::vector<call_part> parts;
  std::array<std::string, 5> mended;
  event_handler collect{calls, parts};
  reading::hole_list holes;
  reading::shapes<event> known;
};

// The memory is reserved now, so that the first event does not wait for it: the time stamp of the
// first event is the most important.
event_reader::event_reader() : state_(std::make_unique<state>()) { state_->json.reserve(1000); }
event_reader::~event_reader() = default;

void event_reader::begin(event& out) {
  out = {};
  state_->calls.clear();
  state_->parts.clear();
  state_->collect.begin(out);
}

verdict event_reader::read(std::string_view data, event& out) {
  data = ifb::trim(data);
  if (data.empty()) {
    out = {};
    return verdict::nothing;
  }
  state_->json.reserve(data.size());
  if (state_->known.fit(data, state_->json.data(), out)) {
    mend(out);
    return verdict::read;
  }
  const auto quick = read_quickly(data, out);
  if (!quick) return read_fully(data, out);
  // Two kinds of events have no shape. Names and arguments of tool calls are joined, so the joined
  // text does not occur in the event. With several choices the texts of one choice count, and in
  // the next event the texts of another choice may count.
  if (*quick == verdict::read && out.tool_call.empty() && !out.several)
    state_->known.take(data, out, state_->holes);
  return *quick;
}

std::optional<verdict> event_reader::read_quickly(std::string_view data, event& out) {
  state_->json.reserve(data.size());
  begin(out);
  if (!reading::read_quickly(data, state_->json.data(), state_->collect, state_->holes))
    return std::nullopt;
  return finish(data, out);
}

verdict event_reader::read_fully(std::string_view data, event& out) {
  const auto result = state_->json.parse(data, state_->collect, [&] { begin(out); });
  if (!result.IsError() && state_->collect.other) {
    trouble_ = no_object(data);
    return verdict::malformed;
  }
  if (result.IsError()) {
    trouble_ = not_json(result, data);
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

std::span<const call_part> event_reader::calls() const noexcept { return state_->parts; }

void event_reader::mend(event& out) {
  std::string* mended = state_->mended.data();
  for (std::string_view* text :
       {&out.text, &out.content, &out.reasoning, &out.tool_call, &out.finish_reason}) {
    if (!text->empty()) *text = bodies::valid_utf8(*text, *mended);  // usually without a copy
    ++mended;
  }
}

}  // namespace openai
