#include "simulator/wire.hpp"

#include <array>
#include <charconv>

#include <inferbench/json_writer.hpp>

namespace inferbench::simulator {

namespace {

std::string_view phrase(int status) {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 413: return "Content Too Large";
    case 417: return "Expectation Failed";
    case 422: return "Unprocessable Entity";
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
    case 422: return "UnprocessableEntityError";
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

}  // namespace

void append_number(std::string& out, std::uint64_t value, int base) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, base).ptr;
  out.append(digits.data(), end);
}

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

std::string error_body(const refusal& why) {
  std::string out = "{\"error\":{\"message\":";
  ifb::append_json_string(out, why.message);
  out += ",\"type\":\"";
  out += kind_of_error(why.status);
  out += "\",\"param\":";
  if (why.param.empty())
    out += "null";
  else
    ifb::append_json_string(out, why.param);
  out += ",\"code\":";
  append_number(out, static_cast<std::uint64_t>(why.status));
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

void append_size(std::string& out, std::size_t size, bool chunked) {
  if (!chunked) return;
  append_number(out, size, 16);
  out += "\r\n";
}

}  // namespace inferbench::simulator
