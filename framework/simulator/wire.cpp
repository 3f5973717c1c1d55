#include "simulator/wire.hpp"

#include <array>
#include <charconv>

#include <inferbench/json_writer.hpp>

namespace inferbench::simulator {

namespace {

// There are 64 words, so that a mask turns any number into the index of a word.
constexpr std::array<std::string_view, 64> words{
    " when",  " the",  " tide",   " turns",  " each", " boat", " that", " lay",   " on",   " sand",
    " lifts", " and",  " swings", " its",    " bow",  " to",   " sea",  " then",  " men",  " who",
    " slept", " near", " old",    " nets",   " wake", " take", " up",   " oars",  " talk", " low",
    " of",    " wind", " far",    " from",   " here", " a",    " lamp", " goes",  " out",  " gulls",
    " cry",   " over", " grey",   " water",  " it",   " is",   " cold", " but",   " no",   " one",
    " says",  " so",   " bread",  " passes", " hand", " by",   " hand", " until", " all",  " have",
    " had",   " some", " at",     " last"};

std::string_view word(std::uint64_t number) { return words[number % words.size()]; }

std::size_t text_size(std::uint64_t first, std::uint64_t count) {
  std::size_t size = 0;
  for (std::uint64_t i = 0; i < count; ++i)
    size += word(first + i).size();
  return size;
}

void append_number(std::string& out, std::uint64_t value, int base = 10) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr;
  out.append(digits.data(), end);
}

std::string_view phrase(int status) {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 413: return "Content Too Large";
    case 417: return "Expectation Failed";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Error";
  }
}

std::string_view kind_of_error(int status) {
  switch (status) {
    case 404: return "NotFoundError";
    case 405: return "MethodNotAllowedError";
    case 413: return "RequestTooLargeError";
    default: return status < 500 ? "BadRequestError" : "InternalServerError";
  }
}

void append_status(std::string& out, int status, std::string_view content_type, bool keep_alive) {
  out += "HTTP/1.1 ";
  append_number(out, static_cast<std::uint64_t>(status));
  out += ' ';
  out += phrase(status);
  out += "\r\nserver: inferbench-simulator\r\ncontent-type: ";
  out += content_type;
  out += keep_alive ? "\r\n" : "\r\nconnection: close\r\n";
}

void append_identity(std::string& out, const identity& who, std::string_view object) {
  const std::string_view prefix = who.kind == api_kind::chat ? "chatcmpl-" : "cmpl-";
  out += "{\"id\":";
  ifb::append_json_string(out, std::string(prefix).append(who.id));
  out += ",\"object\":\"";
  out += object;
  out += "\",\"created\":";
  append_number(out, static_cast<std::uint64_t>(who.created));
  out += ",\"model\":";
  ifb::append_json_string(out, who.model);
  out += ",\"choices\":[";
}

void append_usage(std::string& out, const usage& used) {
  out += "\"usage\":{\"prompt_tokens\":";
  append_number(out, used.prompt_tokens);
  out += ",\"total_tokens\":";
  append_number(out, used.prompt_tokens + used.completion_tokens);
  out += ",\"completion_tokens\":";
  append_number(out, used.completion_tokens);
  out += ",\"prompt_tokens_details\":{\"cached_tokens\":";
  append_number(out, used.cached_tokens);
  out += "}}";
}

// The parts of an event before and after its text, for each kind of API.
constexpr std::string_view completion_before = "{\"index\":0,\"text\":\"";
constexpr std::string_view chat_before = "{\"index\":0,\"delta\":{\"content\":\"";
constexpr std::string_view completion_after =
    "\",\"logprobs\":null,\"finish_reason\":null,\"stop_reason\":null}]}\n\n";
constexpr std::string_view chat_after = "\"},\"logprobs\":null,\"finish_reason\":null}]}\n\n";
constexpr std::string_view completion_finish = "\",\"logprobs\":null,\"finish_reason\":\"";
constexpr std::string_view chat_finish = "\"},\"logprobs\":null,\"finish_reason\":\"";
constexpr std::string_view finish_after = "\",\"stop_reason\":null}]}\n\n";
constexpr std::string_view role_delta =
    "{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"logprobs\":null,"
    "\"finish_reason\":null}]}\n\n";
constexpr std::string_view done_data = "data: [DONE]\n\n";

// Appends the size line of a chunk with `size` bytes. The caller appends these bytes and the CR LF
// after them.
void append_size(std::string& out, std::size_t size, bool chunked) {
  if (!chunked) return;
  append_number(out, size, 16);
  out += "\r\n";
}

}  // namespace

void append_answer(std::string& out, int status, std::string_view content_type,
                   std::string_view body, bool keep_alive, std::string_view fields,
                   bool with_body) {
  append_status(out, status, content_type, keep_alive);
  out += fields;
  out += "content-length: ";
  append_number(out, body.size());
  out += "\r\n\r\n";
  if (with_body) out += body;
}

std::string error_body(int status, std::string_view message) {
  std::string out = "{\"error\":{\"message\":";
  ifb::append_json_string(out, message);
  out += ",\"type\":\"";
  out += kind_of_error(status);
  out += "\",\"param\":null,\"code\":";
  append_number(out, static_cast<std::uint64_t>(status));
  out += "}}";
  return out;
}

std::string request_id_field(std::string_view id) {
  return id.empty() ? std::string() : "x-request-id: " + std::string(id) + "\r\n";
}

void append_stream_head(std::string& out, bool keep_alive, bool chunked, std::string_view fields,
                        int status, std::string_view content_type) {
  append_status(out, status, content_type, keep_alive && chunked);
  out += fields;
  out += chunked ? "transfer-encoding: chunked\r\n\r\n" : "\r\n";
}

void append_piece(std::string& out, std::string_view piece, bool chunked) {
  append_size(out, piece.size(), chunked);
  out += piece;
  if (chunked) out += "\r\n";
}

void append_end(std::string& out, bool chunked) {
  if (chunked) out += "0\r\n\r\n";
}

void append_words(std::string& out, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i)
    out += word(first + i);
}

void append_whole(std::string& out, const identity& who, std::uint64_t first_word,
                  std::uint64_t tokens, std::string_view finish_reason, const usage& used) {
  const bool chat = who.kind == api_kind::chat;
  append_identity(out, who, chat ? "chat.completion" : "text_completion");
  out +=
      chat ? "{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"" : completion_before;
  append_words(out, first_word, tokens);
  out += chat ? chat_finish : completion_finish;
  out += finish_reason;
  out += "\",\"stop_reason\":null}],";
  append_usage(out, used);
  out += '}';
}

void event_writer::begin(const identity& who, bool chunked) {
  kind_ = who.kind;
  chunked_ = chunked;
  const bool chat = kind_ == api_kind::chat;
  common_ = "data: ";
  append_identity(common_, who, chat ? "chat.completion.chunk" : "text_completion");
  opening_ = common_;
  opening_ += chat ? chat_before : completion_before;
}

void event_writer::role(std::string& out) const {
  append_size(out, common_.size() + role_delta.size(), chunked_);
  out += common_;
  out += role_delta;
  if (chunked_) out += "\r\n";
}

void event_writer::tokens(std::string& out, std::uint64_t first_word, std::uint64_t count,
                          std::string_view finish_reason) const {
  const bool chat = kind_ == api_kind::chat;
  const std::size_t start = opening_.size() + text_size(first_word, count);
  if (finish_reason.empty()) {
    const std::string_view after = chat ? chat_after : completion_after;
    append_size(out, start + after.size(), chunked_);
    out += opening_;
    append_words(out, first_word, count);
    out += after;
  } else {
    const std::string_view after = chat ? chat_finish : completion_finish;
    append_size(out, start + after.size() + finish_reason.size() + finish_after.size(), chunked_);
    out += opening_;
    append_words(out, first_word, count);
    out += after;
    out += finish_reason;
    out += finish_after;
  }
  if (chunked_) out += "\r\n";
}

void event_writer::used(std::string& out, const usage& figures) const {
  std::string event = common_ + "],";
  append_usage(event, figures);
  event += "}\n\n";
  append_piece(out, event, chunked_);
}

void event_writer::done(std::string& out) const {
  append_piece(out, done_data, chunked_);
  append_end(out, chunked_);
}

}  // namespace inferbench::simulator
