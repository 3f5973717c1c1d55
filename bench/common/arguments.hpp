// The command line and the request of every measuring client of bench/.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace inferbench::bench {

struct arguments {
  std::uint16_t port = 0;
  std::vector<std::string> addresses;  // IPv4 addresses, which the connections use in turn
  std::uint64_t streams = 64;          // connections; without a rate also requests in flight
  std::uint64_t tokens = 256;          // tokens of each answer
  std::uint64_t prompt_bytes = 32;     // bytes of the text of the prompt
  std::uint64_t image_bytes = 0;       // base64 characters of an image; above 0: chat completions
  std::uint64_t requests = 0;          // number of requests; 0: send requests for `seconds`
  std::uint64_t seconds = 5;           // time in which requests are sent
  double rate = 0;                     // requests per second, as a Poisson process; 0: closed loop
  bool json = false;   // request the usage, and search the JSON of each event for text and usage
  std::string stamps;  // file for the times of sending and of the events; empty: no file
};

inline constexpr const char* usage =
    "--port N [--address IP]... [--streams N] [--tokens N] [--prompt-bytes N] [--image-bytes N]\n"
    "  [--requests N | --seconds N] [--rate PER_SECOND] [--json] [--stamps FILE]\n";

template <typename number>
[[nodiscard]] bool read_number(std::string_view text, number& out) {
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && stop == text.data() + text.size();
}

/// Returns false if a flag is unknown, if its value is missing or malformed, if the port, the
/// streams or the tokens are 0, or if the rate is negative or not a number.
[[nodiscard]] inline bool parse(int count, char** words, arguments& out) {
  for (int i = 1; i < count; ++i) {
    const std::string_view name = words[i];
    if (name == "--json") {
      out.json = true;
      continue;
    }
    if (++i == count) return false;
    const std::string_view value = words[i];
    bool good = true;
    if (name == "--port") {
      good = read_number(value, out.port);
    } else if (name == "--address") {
      out.addresses.emplace_back(value);
    } else if (name == "--streams") {
      good = read_number(value, out.streams);
    } else if (name == "--tokens") {
      good = read_number(value, out.tokens);
    } else if (name == "--prompt-bytes") {
      good = read_number(value, out.prompt_bytes);
    } else if (name == "--image-bytes") {
      good = read_number(value, out.image_bytes);
    } else if (name == "--requests") {
      good = read_number(value, out.requests);
    } else if (name == "--seconds") {
      good = read_number(value, out.seconds);
    } else if (name == "--rate") {
      good = read_number(value, out.rate);
    } else if (name == "--stamps") {
      out.stamps = value;
    } else {
      return false;
    }
    if (!good) return false;
  }
  if (out.addresses.empty()) out.addresses.emplace_back("127.0.0.1");
  return out.port != 0 && out.streams != 0 && out.tokens != 0 && out.rate >= 0;
}

/// The whole text of an HTTP request. `id`: the value of the header x-request-id; empty: no such
/// header.
[[nodiscard]] inline std::string request_text(const arguments& given, std::string_view id = {}) {
  const bool chat = given.image_bytes != 0;
  const std::string prompt(given.prompt_bytes, 'a');
  std::string body = R"({"model":"m",)";
  if (chat)
    body += R"("messages":[{"role":"user","content":[{"type":"text","text":")" + prompt +
            R"("},{"type":"image_url","image_url":{"url":"data:image/png;base64,)" +
            std::string(given.image_bytes, 'A') + R"("}}]}],)";
  else
    body += R"("prompt":")" + prompt + R"(",)";
  body += R"("stream":true,"ignore_eos":true,"max_tokens":)" + std::to_string(given.tokens);
  if (given.json) body += ",\"stream_options\":{\"include_usage\":true}";
  body += "}";
  std::string head = std::string("POST /v1/") + (chat ? "chat/completions" : "completions") +
                     " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  if (!id.empty()) head += "x-request-id: " + std::string(id) + "\r\n";
  return head + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace inferbench::bench
