#include "single_requests.hpp"

namespace python_engine {

namespace {

constexpr std::size_t text_header = 12;
constexpr std::size_t text_event_size = 12;

}  // namespace

std::uint64_t single_requests::reserve() {
  const std::lock_guard lock(mutex_);
  if (next_ > UINT32_MAX)
    throw ifb::failure{IFB_E_UNSUPPORTED, "a worker takes at most 4294967296 requests"};
  reserved_.insert(next_);
  return next_++;
}

void single_requests::add(std::uint64_t request, ifb::engine_output out) {
  const std::lock_guard lock(mutex_);
  if (reserved_.erase(request) == 0) throw ifb::failure{IFB_E_CANCELLED, "cancelled"};
  if (ended_) throw ifb::failure{IFB_E_IO, "the worker has ended"};
  unsent_.insert(request);
  open_.emplace(request, single_request{out});
}

bool single_requests::sent(std::uint64_t request) noexcept {
  const std::lock_guard lock(mutex_);
  unsent_.erase(request);
  const auto found = open_.find(request);
  return found == open_.end() ? forgotten_.contains(request) : found->second.cancelled;
}

bool single_requests::cancel(std::uint64_t request) noexcept {
  const std::lock_guard lock(mutex_);
  const auto found = open_.find(request);
  if (found == open_.end()) {
    reserved_.erase(request);
    return false;
  }
  found->second.cancelled = true;
  // An abort that arrives before its submit has no effect, so the sender of the submit sends it.
  return !unsent_.contains(request);
}

void single_requests::set_worker(const worker& loaded) {
  const std::lock_guard lock(mutex_);
  clock_ = loaded.clock();
  worker_ = &loaded;
}

bool single_requests::take(const frame& in) {
  if (in.kind == frame_kind::text)
    take_text(in);
  else if (in.kind == frame_kind::finished)
    take_finished(in);
  else
    return false;
  return true;
}

single_requests::single_request* single_requests::find(const frame& in, std::uint64_t request,
                                                       const std::string& field) {
  const std::lock_guard lock(mutex_);
  const auto found = open_.find(request);
  if (found != open_.end()) return &found->second;
  if (forgotten_.contains(request)) return nullptr;
  throw violation(in, field + ": " + std::to_string(request) + ", and there is no such request");
}

void single_requests::take_text(const frame& in) {
  if (in.payload.size() < text_header) throw violation(in, "the payload has less than 12 bytes");
  const std::uint64_t count = read_number(in.payload, 8, 4);
  if (count == 0 || count > (in.payload.size() - text_header) / text_event_size)
    throw violation(in, "number of events: " + std::to_string(count) + " in a payload of " +
                            std::to_string(in.payload.size()) + " bytes");
  std::uint64_t time = 0;
  {
    const std::lock_guard lock(mutex_);
    time = clock_.to_host(read_number(in.payload, 0, 8));
  }
  // A time after the arrival, which only a wrong clock has, would give a wrong latency.
  if (time > in.arrived_ns) time = in.arrived_ns;
  std::string_view texts =
      std::string_view(in.payload).substr(text_header + text_event_size * count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t at = text_header + text_event_size * i;
    const std::string place = "events[" + std::to_string(i) + "]";
    const auto tokens = static_cast<std::uint32_t>(read_number(in.payload, at + 6, 2));
    const std::uint64_t length = read_number(in.payload, at + 8, 4);
    if (length > texts.size())
      throw violation(in, place + ".length: " + std::to_string(length) + ", and " +
                              std::to_string(texts.size()) + " bytes of text are left");
    if (single_request* request = find(in, read_number(in.payload, at, 4), place + ".request")) {
      request->has_output = true;
      request->out.token_at(time, texts.substr(0, length), tokens, IFB_CHANNEL_ANSWER,
                            static_cast<std::uint32_t>(read_number(in.payload, at + 4, 2)));
    }
    texts.remove_prefix(length);
  }
  if (!texts.empty())
    throw violation(in, std::to_string(texts.size()) + " bytes of text belong to no event");
}

/// nullopt: the request was cancelled before.
std::optional<single_requests::single_request> single_requests::remove(const frame& in,
                                                                       std::uint64_t request) {
  if (find(in, request, "request") == nullptr) {
    const std::lock_guard lock(mutex_);
    forgotten_.erase(request);
    return std::nullopt;
  }
  const std::lock_guard lock(mutex_);
  auto taken = open_.extract(request);
  return taken.mapped();
}

void single_requests::take_finished(const frame& in) {
  const ifb::json_document document = read_payload(in);
  const json_place root(in, document);
  const auto number = static_cast<std::uint64_t>(root.member("request").integer(0));
  const json_place from = root.member("result");
  const result_message result = read_result(from);
  const std::optional<single_request> request = remove(in, number);
  if (!request) return;
  const ifb::engine_output& out = request->out;
  if (!result.error.empty() || result.outputs.empty()) {
    out.error(IFB_E_REMOTE, result.error.empty() ? std::string_view("the engine returned no output")
                                                 : result.error);
    return;
  }
  std::int64_t tokens = 0;
  for (std::size_t i = 0; i < result.outputs.size(); ++i) {
    const output_message& each = result.outputs[i];
    tokens = tokens < 0 || each.tokens < 0 ? -1 : tokens + each.tokens;
    // An engine without events has one for the whole output.
    if (!request->has_output)
      out.token(each.text,
                static_cast<std::uint32_t>(std::clamp<std::int64_t>(each.tokens, 0, UINT32_MAX)),
                IFB_CHANNEL_ANSWER, static_cast<std::uint32_t>(i));
  }
  out.usage({.prompt = result.prompt_tokens, .output = tokens});
  out.done(result.outputs.front().finish_reason);
}

void single_requests::on_wake() noexcept {
  std::vector<single_request> ending;
  {
    const std::lock_guard lock(mutex_);
    for (auto at = open_.begin(); at != open_.end();) {
      if (!at->second.cancelled) {
        ++at;
        continue;
      }
      ending.push_back(at->second);
      forgotten_.insert(at->first);
      at = open_.erase(at);
    }
  }
  for (const single_request& each : ending)
    each.out.error(IFB_E_CANCELLED, "cancelled");
}

void single_requests::on_end() noexcept {
  std::map<std::uint64_t, single_request> ending;
  const worker* of = nullptr;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    ending.swap(open_);
    of = worker_;
  }
  if (ending.empty()) return;
  ifb_error why = IFB_ERROR_INIT;
  const ifb_status known = ifb::guard(&why, [&] {
    if (of != nullptr) throw of->end_reason();
  });
  if (known == IFB_OK) ifb::fill(&why, IFB_E_IO, "the worker has ended");
  for (const auto& [number, each] : ending)
    if (each.cancelled)
      each.out.error(IFB_E_CANCELLED, "cancelled");
    else
      each.out.error(why.code, why.message);
}

}  // namespace python_engine
