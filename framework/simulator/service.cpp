#include "simulator/service.hpp"

#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "simulator/endpoints.hpp"
#include "simulator/pooling_request.hpp"
#include "simulator/transcription_request.hpp"
#include "simulator/wire.hpp"

namespace inferbench::simulator {

namespace {

constexpr std::size_t longest_request_id = 256;

/// Whether the media of the request with this id are checked. The choice does not depend on the
/// other numbers that are drawn for the request.
bool chosen(const options& settings, std::string_view id) {
  constexpr std::uint64_t purpose = 0x6D65646961;  // "media"
  return random_stream(seed_of(settings.seed ^ purpose, id)).uniform() < settings.check_media;
}

}  // namespace

service::service(const options& settings, transport::event_loop& loop, base::log& log,
                 media_inspector inspect)
    : settings_(settings),
      loop_(loop),
      log_(log),
      schedule_({settings.ttft, settings.itl, settings.slowdown, settings.max_num_seqs}),
      cache_(settings.prefix_cache_blocks),
      recorded_(settings.replay.empty() ? std::vector<recorded_answer>{}
                                        : read_recorded(settings.replay)),
      wrong_(settings.wrong_structure),
      due_(transport::timer::action::to<&service::on_due>(*this)),
      log_time_(transport::timer::action::to<&service::on_log_time>(*this)),
      started_unix_s_(base::unix_now() / static_cast<std::int64_t>(base::ns_per_s)) {
  if (!settings.ground_truth.empty())
    truth_ = std::make_unique<ground_truth_log>(settings.ground_truth);
  if (settings.check_media > 0)
    checker_ = std::make_unique<media_checker>(
        media_checker::settings{.facts = settings.media_facts}, std::move(inspect), log);
  if (settings.draft_tokens != 0) counted_.drafts.resize(settings.draft_tokens + 1);
  counted_.looks_up = recorded_.empty();
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
  if (truth_ && truth_->error().empty() && !truth_->write_all()) log_.error(truth_->error());
  if (checker_) checker_->finish();
}

bool service::files_complete() const noexcept {
  return (!truth_ || truth_->error().empty()) && (!checker_ || checker_->facts_complete());
}

media_totals service::media() const {
  media_totals out = checker_ ? checker_->totals() : media_totals{};
  out.not_chosen = counted_.media.not_chosen;
  return out;
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
  reply(from, why.status, json_type, error_body(why), fields);
}

void service::on_refused(connection& from) {
  ++counted_.refused;
  const int status = from.parser().failure();
  std::string why(from.parser().reason());
  if (status == 413)
    why += "; the limit is " + std::to_string(settings_.max_body_bytes) +
           " bytes, see --max-body-bytes";
  if (why[0] >= 'a' && why[0] <= 'z') why[0] = static_cast<char>(why[0] - 'a' + 'A');
  buffer_.clear();
  append_answer(buffer_, status, json_type, error_body({status, why + "."}), false);
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
  if (which->reply == nullptr)
    return pools(which->kind) ? pool(from, *which) : generate(from, *which);
  counted_.media = media();
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
  const http_request& request = from.request();
  const std::string_view type = request.field("content-type");
  asked_.kind = which.kind;
  auto no =
      hears(which.kind) ? read_transcription(type, request.body, asked_) : check_json_type(type);
  if (!no && !hears(which.kind)) no = read_generation(request.body, asked_);
  if (no) return refuse(from, *no);

  std::string id = id_of(from);
  random_stream draws(seed_of(settings_.seed, id));
  const std::uint64_t first_word = draws.next();
  answer_length length{};
  const double drawn = settings_.output_tokens.sample(draws);
  no = plan_length(asked_, settings_.max_model_len, drawn, length);
  if (no) return refuse(from, *no);

  std::string tool;
  std::optional<token_pieces> fixed = asked_.call.name.empty()
                                          ? structured(asked_.structure, length.limit)
                                          : called(asked_.call, length.limit, tool);
  if (fixed) {
    const std::uint64_t needed = fixed->ends.size();
    length = {std::min(needed, length.limit), length.limit, needed >= length.limit};
  }
  stream& what = prepare(from, which.kind, std::move(id));
  if (fixed) what.fixed = std::move(*fixed);
  what.tool = std::move(tool);
  what.draws = draws;
  what.events = (length.tokens + settings_.tokens_per_event - 1) / settings_.tokens_per_event;
  // The encoder's tokens of a sound are not in the prefix cache.
  const std::uint64_t looked_up = hears(which.kind) ? 0 : asked_.text_tokens();
  const std::uint64_t hits = looked_up == 0 ? 0 : cache_.look_up(asked_.prompt, asked_.token_bytes);
  what.used = {asked_.prompt_tokens(), length.tokens, hits};
  what.first_word = first_word;
  what.limit = length.limit;
  what.model = asked_.model.empty() ? settings_.model : asked_.model;
  what.sound_seconds = asked_.sound_seconds;
  what.streamed = asked_.stream;
  what.include_usage = asked_.include_usage;
  what.continuous_usage = asked_.continuous_usage;
  what.cut = length.cut;
  if (what.streamed) what.begin_events();
  count_prompt(what.used, looked_up);
  begin(what, which.path);
  check_media(from, which, std::move(asked_.media));
}

// The text of an answer that must have a structure, right or wrong; nullopt: ordinary words.
std::optional<token_pieces> service::structured(const demanded_structure& asked,
                                                std::uint64_t limit) {
  if (asked.kind == structure_kind::none) return std::nullopt;
  if (!asked.right) {
    ++counted_.structures.unsupported;
    return std::nullopt;
  }
  const wrong_answers::kind kind = wrong_.next();
  const std::optional<std::string>* text = &asked.right;
  if (kind != wrong_answers::kind::right)
    text = kind == wrong_answers::kind::refused && asked.refused ? &asked.refused : &asked.cut;
  const bool right = text == &asked.right || !*text;
  token_pieces out = pieces_of(right ? *asked.right : **text);
  count_structure(right, out.ends.size(), limit);
  return out;
}

// The arguments of the call that is the answer, and the name of the tool; nullopt: ordinary words.
std::optional<token_pieces> service::called(const demanded_call& asked, std::uint64_t limit,
                                            std::string& tool) {
  if (!asked.arguments) {
    ++counted_.structures.unsupported;
    return std::nullopt;
  }
  const wrong_answers::kind kind = wrong_.next();
  const bool right = kind == wrong_answers::kind::right;
  const bool refused = kind == wrong_answers::kind::refused && asked.refused;
  token_pieces out = pieces_of_call(refused ? *asked.refused : *asked.arguments);
  tool = right || refused ? asked.name : asked.unknown_name;
  count_structure(right, out.ends.size(), limit);
  return out;
}

void service::count_structure(bool right, std::uint64_t tokens, std::uint64_t limit) {
  ++(!right           ? counted_.structures.wrong
     : tokens > limit ? counted_.structures.limited
                      : counted_.structures.right);
}

// An answer without generated text has one event, which is due when a first token would be due.
void service::pool(connection& from, const endpoint& which) {
  pooling_request asked;
  asked.kind = which.kind;
  auto no = check_json_type(from.request().field("content-type"));
  if (!no)
    no = read_pooling(from.request().body, {settings_.max_model_len, settings_.embedding_size},
                      asked);
  if (no) return refuse(from, *no);

  std::string id = id_of(from);
  random_stream draws(seed_of(settings_.seed, id));
  stream& what = prepare(from, which.kind, std::move(id));
  what.pooled.first_value = draws.next();
  what.pooled.vectors = asked.inputs.size();
  what.pooled.dimensions = asked.dimensions;
  what.pooled.form = asked.form;
  what.pooled.top = asked.top;
  what.pooled.from_plugin = asked.for_plugin;
  what.pooled.documents = std::move(asked.documents);
  what.draws = draws;
  what.events = 1;
  what.used = {asked.prompt_tokens(), 0, 0};
  for (const std::string& input : asked.inputs)
    what.used.cached_tokens += cache_.look_up(input, asked.token_bytes);
  what.model = asked.model.empty() ? settings_.model : asked.model;
  what.streamed = false;
  what.cut = false;
  count_prompt(what.used, what.used.prompt_tokens);
  begin(what, which.path);
  check_media(from, which, std::move(asked.media));
}

// Called when the head of the answer has been sent: everything that is left to do here is to move
// the body.
void service::check_media(connection& from, const endpoint& which,
                          std::vector<sent_medium>&& media) {
  if (media.empty()) return;
  const std::string& id = from.answering->id;
  if (!checker_ || !chosen(settings_, id)) {
    counted_.media.not_chosen += media.size();
    return;
  }
  checker_->submit({from.take_body(), id, which.path, std::move(media)});
}

void service::count_prompt(const usage& used, std::uint64_t looked_up) {
  counted_.prompt_tokens += used.prompt_tokens;
  if (!cache_.enabled()) return;
  counted_.prefix_queries += looked_up;
  counted_.prefix_hits += used.cached_tokens;
}

// Each piece of the recorded answer is one event, and counts as one token.
void service::replay(connection& from) {
  const recorded_answer& recorded = recorded_[next_recorded_++ % recorded_.size()];
  std::string id = id_of(from);
  const random_stream draws(seed_of(settings_.seed, id));
  stream& what = prepare(from, api_kind::completion, std::move(id));
  what.recorded = &recorded;
  what.draws = draws;
  what.events = recorded.pieces.size();
  what.used = {0, what.events, 0};
  what.streamed = true;
  what.cut = false;
  begin(what, "replay");
}

/// Sets the members that every answer uses; the caller sets the others that this kind of answer
/// uses. Further members keep the values of an earlier answer.
stream& service::prepare(connection& from, api_kind kind, std::string id) {
  stream& what = spare_stream();
  what.to = &from;
  what.kind = kind;
  what.recorded = nullptr;
  what.fixed = {};
  what.tool.clear();
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
    what.log.streamed = what.streamed;
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

}  // namespace inferbench::simulator
