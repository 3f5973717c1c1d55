// Writes the same record as frames of a journal, or reads it, many times. instructions.py runs this
// program to count the instructions per record.
//
//   cost_records write|read THOUSANDS
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

#include "records/wire.hpp"

namespace {

using namespace inferbench;

constexpr std::uint64_t events = 128;

/// The record of a typical streamed answer: events 10 ms apart, nothing late.
client::record streamed() {
  client::record out;
  out.sequence = 4711;
  out.status = IFB_OK;
  out.http_status = 200;
  out.due_ns = 1'000'000'000'000;
  out.start_ns = out.due_ns + 20'000;
  out.connected_ns = out.start_ns + 10'000;
  out.sent_ns = out.connected_ns + 5'000;
  out.first_byte_ns = out.sent_ns + 50'000'000;
  out.first_text_ns = out.first_byte_ns;
  out.first_answer_ns = out.first_byte_ns;
  out.tokens = client::stamps(out.start_ns);
  for (std::uint64_t i = 0; i < events; ++i)
    out.tokens.push(out.first_text_ns + i * 10'000'000);
  out.last_text_ns = out.tokens.back();
  out.end_ns = out.last_text_ns + 100'000;
  out.sample_tokens = 1024;
  out.wanted_tokens = events;
  out.prompt_tokens = 1024;
  out.output_tokens = events;
  out.text_events = {events, 0, 0, 0};
  out.bytes_sent = 5'000;
  out.bytes_received = 30'000;
  out.id = "bench-12345678-4711";
  out.finish_reason = "length";
  out.text = std::string(4 * events, 'x');
  return out;
}

bool write(std::size_t count) {
  const client::record record = streamed();
  std::string buffer;
  for (std::size_t i = 0; i < count; ++i) {
    if (!records::append_frame(buffer, records::frame_kind::record, record)) return false;
    if (buffer.size() >= records::journal::buffer_bytes) buffer.clear();
  }
  return true;
}

bool read(std::size_t count) {
  std::string message;
  records::encode(message, streamed());
  client::record record;
  for (std::size_t i = 0; i < count; ++i)
    if (!records::decode(message, record) || record.tokens.size() != events) return false;
  return true;
}

}  // namespace

int main(int count, char** words) {
  std::size_t thousands = 0;
  if (count == 3) std::from_chars(words[2], words[2] + std::strlen(words[2]), thousands);
  const std::string_view which = count == 3 ? words[1] : "";
  if (thousands == 0 || (which != "write" && which != "read")) {
    std::fprintf(stderr, "usage: cost_records write|read THOUSANDS\n");
    return 2;
  }
  return (which == "write" ? write(thousands * 1'000) : read(thousands * 1'000)) ? 0 : 1;
}
