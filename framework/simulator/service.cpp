#include "simulator/service.hpp"

#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "simulator/endpoints.hpp"

namespace inferbench::simulator {

namespace {

// The number of events between two checks of the sockets. Writing them takes about 0.3 ms.
constexpr std::size_t events_a_turn = 64;
// The most bytes in one write when coalescing: about 300 events. After a write of this size, an
// unpaced stream lets other streams continue.
constexpr std::size_t coalesced_bytes = std::size_t{64} << 10U;
constexpr std::size_t longest_request_id = 256;

// Ground truth is written in slices of about 30 us, and only if no event is due within
// `log_quiet_ns`. It is written earlier if it uses more memory than `log_memory`.
constexpr std::size_t log_slice = std::size_t{64} << 10U;
constexpr std::size_t log_memory = std::size_t{64} << 20U;
constexpr std::uint64_t log_quiet_ns = 2 * base::ns_per_ms;

}  // namespace

service::service(const options& settings, transport::event_loop& loop, base::log& log)
    : settings_(settings),
      loop_(loop),
      log_(log),
      schedule_({settings.ttft, settings.itl, settings.slowdown, settings.max_num_seqs}),
      cache_(settings.prefix_cache_blocks),
      recorded_(settings.replay.empty() ? std::vector<recorded_answer>{}
                                        : read_recorded(settings.replay)),
      due_(transport::timer::action::to<&service::on_due>(*this)),
      log_time_(transport::timer::action::to<&service::on_log_time>(*this)),
      started_unix_s_(base::unix_now() / static_cast<std::int64_t>(base::ns_per_s)) {
  if (!settings.ground_truth.empty())
    truth_ = std::make_unique<ground_truth_log>(settings.ground_truth);
  if (settings.draft_tokens != 0) counted_.drafts.resize(settings.draft_tokens + 1);
  counted_.looks_up = recorded_.empty();
  buffer_.reserve(2 * coalesced_bytes);
}

service::~service() = default;

void service::adopt(base::fd socket) {
  const auto place = static_cast<std::size_t>(socket.get());
  if (place >= connections_.size()) connections_.resize(place + 1);
  auto added = std::make_unique<connection>(
      std::move(socket), request_parser::limits{.body = settings_.max_body_bytes}, loop_, *this);
  if (!added->watch()) return;
  ++counted_.connections;
  connections_[place] = std::move(added);
}

void service::shut_down() {
  for (auto& each : connections_)
    if (each) on_over(*each);
  if (truth_ && !truth_->write_all()) log_.error(truth_->error());
}

void service::reply(connection& from, int status, std::string_view content_type,
                    std::string_view body, std::string_view fields) {
  const bool keep_alive = from.request().keep_alive;
  buffer_.clear();
  append_answer(buffer_, status, content_type, body, keep_alive, fields,
                from.request().method != "HEAD");
  from.write(buffer_);
  from.finish(keep_alive);
}

void service::refuse(connection& from, const refusal& why, std::string_view fields) {
  ++counted_.refused;
  reply(from, why.status, json_type, error_body(why.status, why.message), fields);
}

void service::on_refused(connection& from) {
  ++counted_.refused;
  const int status = from.parser().failure();
  std::string why(from.parser().reason());
  if (why[0] >= 'a' && why[0] <= 'z') why[0] = static_cast<char>(why[0] - 'a' + 'A');
  buffer_.clear();
  append_answer(buffer_, status, json_type, error_body(status, why + "."), false);
  from.write(buffer_);
  from.finish_refused();
}

void service::on_request(connection& from) {
  const http_request& request = from.request();
  const endpoint* which = find_endpoint(request.path);
  const bool helper = which != nullptr && which->reply != nullptr;
  if (!recorded_.empty() && !helper && request.method == "POST") return replay(from);
  if (which == nullptr)
    return refuse(from, {404, "There is no " + std::string(request.path) + " here."});
  const bool allowed =
      which->post ? request.method == "POST" : request.method == "GET" || request.method == "HEAD";
  if (!allowed) {
    return refuse(from, {405, std::string(request.path) + " does not take this method."},
                  which->post ? "allow: POST\r\n" : "allow: GET, HEAD\r\n");
  }
  if (which->reply == nullptr) return generate(from, *which);
  const answer plain =
      which->reply({settings_, counted_, schedule_, cache_, started_unix_s_}, request.body);
  if (plain.status != 200) ++counted_.refused;
  reply(from, plain.status, plain.content_type, plain.body);
}

stream& service::spare_stream() {
  if (spare_.empty()) return streams_.emplace_back();
  stream& taken = *spare_.back();
  spare_.pop_back();
  return taken;
}

// The client's own request id, if it sent one; otherwise a generated id.
std::string service::id_of(const connection& from) {
  const std::string_view given = from.request().field("x-request-id");
  if (!given.empty() && given.size() <= longest_request_id) return std::string(given);
  return "sim-" + std::to_string(++requests_);
}

void service::generate(connection& from, const endpoint& which) {
  asked_.kind = which.generates;
  if (const auto no = read_generation(from.request().body, asked_)) return refuse(from, *no);

  std::string id = id_of(from);
  random_stream draws(seed_of(settings_.seed, id));
  const std::uint64_t first_word = draws.next();
  answer_length length{};
  const double drawn = settings_.output_tokens.sample(draws);
  if (const auto no = plan_length(asked_, settings_.max_model_len, drawn, length))
    return refuse(from, *no);

  stream& what = prepare(from, std::move(id));
  what.draws = draws;
  what.events = (length.tokens + settings_.tokens_per_event - 1) / settings_.tokens_per_event;
  what.used = {asked_.prompt_tokens(), length.tokens,
               cache_.look_up(asked_.prompt, asked_.token_bytes)};
  what.first_word = first_word;
  what.model = asked_.model.empty() ? settings_.model : asked_.model;
  what.kind = asked_.kind;
  what.streamed = asked_.stream;
  what.include_usage = asked_.include_usage;
  what.cut = length.cut;
  if (what.streamed) what.begin_events();

  counted_.prompt_tokens += what.used.prompt_tokens;
  if (cache_.enabled()) {
    counted_.prefix_queries += what.used.prompt_tokens;
    counted_.prefix_hits += what.used.cached_tokens;
  }
  begin(what, which.path);
}

// Each piece of the recorded answer is one event, and counts as one token.
void service::replay(connection& from) {
  const recorded_answer& recorded = recorded_[next_recorded_++ % recorded_.size()];
  std::string id = id_of(from);
  const random_stream draws(seed_of(settings_.seed, id));
  stream& what = prepare(from, std::move(id));
  what.recorded = &recorded;
  what.draws = draws;
  what.events = recorded.pieces.size();
  what.used = {0, what.events, 0};
  what.kind = api_kind::completion;
  what.streamed = true;
  what.cut = false;
  begin(what, "replay");
}

/// Sets the members that every answer has; the caller sets all other members.
stream& service::prepare(connection& from, std::string id) {
  stream& what = spare_stream();
  what.to = &from;
  what.recorded = nullptr;
  what.done = 0;
  what.resumed_ns = 0;
  what.fields = from.request().field("x-request-id") == id ? request_id_field(id) : std::string();
  what.id = std::move(id);
  what.created = base::unix_now() / static_cast<std::int64_t>(base::ns_per_s);
  what.keep_alive = from.request().keep_alive;
  what.chunked = !from.request().http10;
  what.head_sent = false;
  return what;
}

void service::begin(stream& what, std::string_view path) {
  connection& to = *what.to;
  const std::uint64_t received = to.received_ns();
  if (truth_) {
    what.log = {};
    what.log.request_id = what.id;
    what.log.path = path;
    what.log.received_ns = received;
    what.log.prompt_tokens = what.used.prompt_tokens;
    what.log.events = client::stamps(received);
    what.log.written = client::stamps(received);
    what.log.planned = client::stamps(received);
  }
  to.answering = &what;
  schedule_.submit(what, received);
  rearm();

  // vLLM sends the head before the engine admits the request. This server does the same, unless the
  // first token is due immediately. In that case both are sent in one write.
  const std::uint64_t now = loop_.clock().now();
  if (what.streamed && (what.admitted == 0 || what.due > now)) {
    buffer_.clear();
    what.append_head(buffer_);
    what.log.first_byte_ns = now;
    to.write(buffer_);
  }
}

void service::rearm() {
  const std::uint64_t next = schedule_.next_due();
  if (next == UINT64_MAX)
    loop_.cancel(due_);
  else if (!due_.armed() || due_.deadline() != next)
    loop_.arm(due_, next);
}

void service::on_due(std::uint64_t) {
  for (std::size_t i = 0; i < events_a_turn; ++i) {
    const std::uint64_t now = loop_.clock().now();
    job* next = schedule_.take(now);
    if (next == nullptr) break;
    emit(static_cast<stream&>(*next), now);
  }
  rearm();
}

void service::emit(stream& what, std::uint64_t now) {
  connection& to = *what.to;
  buffer_.clear();
  if (what.streamed)
    add_events(what, now);
  else
    add_whole(what, now);
  if (!buffer_.empty()) {
    if (what.log.first_byte_ns == 0) what.log.first_byte_ns = now;
    to.write(buffer_);
    note_written(what);
  }
  if (to.broken()) return on_over(to);
  if (what.events == 0) return complete(what, now);
  if (!to.blocked()) schedule_.put(what);
}

// Fills buffer_ with one due event or, when coalescing, with all due events.
void service::add_events(stream& what, std::uint64_t now) {
  if (!what.head_sent) what.append_head(buffer_);
  for (;;) {
    count(what.append_event(buffer_, settings_.tokens_per_event));
    note_event(what, now);
    if (!schedule_.advance(what)) return what.append_end(buffer_);
    if (!settings_.coalesce || what.due > now || buffer_.size() >= coalesced_bytes) return;
  }
}

// An answer that is not streamed has the same schedule. It is sent when its last event is due.
void service::add_whole(stream& what, std::uint64_t now) {
  for (std::size_t i = 0; i < events_a_turn; ++i) {
    const std::uint64_t left = what.used.completion_tokens - what.done;
    const std::uint64_t tokens = std::min(left, settings_.tokens_per_event);
    what.done += tokens;
    count(tokens);
    if (what.events == 1) note_event(what, now);
    if (!schedule_.advance(what)) return what.append_answer(buffer_);
    if (what.due > now) return;
  }
}

void service::count(std::uint64_t tokens) {
  counted_.generation_tokens += tokens;
  counted_.count_draft(tokens);
}

void service::note_event(stream& what, std::uint64_t now) {
  ++counted_.events;
  if (what.due < what.resumed_ns)
    ++counted_.stalled;
  else if (what.paced)
    counted_.late.record(now - what.due);
  if (!truth_) return;
  what.log.events.push(now);
  what.log.planned.push(what.due);
}

// Stores when the events in the buffer were written.
void service::note_written(stream& what) {
  if (!truth_) return;
  const std::uint64_t now = loop_.clock().now();
  while (what.log.written.size() < what.log.events.size())
    what.log.written.push(now);
}

void service::on_drained(connection& from) {
  if (from.answering == nullptr || !scheduler::held(*from.answering)) return;
  from.answering->resumed_ns = loop_.clock().now();
  schedule_.put(*from.answering);
  rearm();
}

void service::complete(stream& what, std::uint64_t now) {
  connection& to = *what.to;
  const bool keep_alive = what.keep_alive && (what.chunked || !what.streamed);
  ++(what.cut ? counted_.finished_length : counted_.finished_stop);
  what.log.outcome = "finished";
  release(what, now);
  to.finish(keep_alive);
  to.resume();
  if (to.over()) on_over(to);
}

// Removes the stream from the schedule and from its connection, and logs its true times.
void service::release(stream& what, std::uint64_t now) {
  what.to->answering = nullptr;
  schedule_.remove(what, now);
  if (truth_) {
    what.log.admitted_ns = what.admitted;
    what.log.end_ns = now;
    what.log.output_tokens = what.done;
    truth_->add(std::move(what.log));
    if (!log_time_.armed()) loop_.arm(log_time_, now + log_quiet_ns);
  }
  what.log = {};
  what.admitted = 0;
  spare_.push_back(&what);
}

void service::on_over(connection& from) {
  if (from.answering != nullptr) {
    ++counted_.aborted;
    release(*from.answering, loop_.clock().now());
    rearm();
  }
  connections_[static_cast<std::size_t>(from.descriptor())].reset();
}

void service::on_log_time(std::uint64_t now) {
  const bool quiet = schedule_.next_due() > now + log_quiet_ns;
  if ((quiet || truth_->pending_bytes() > log_memory) && !truth_->write_some(log_slice)) {
    log_.error(truth_->error());
    return;
  }
  if (truth_->pending_bytes() > 0) loop_.arm(log_time_, quiet ? now : now + log_quiet_ns);
}

}  // namespace inferbench::simulator
