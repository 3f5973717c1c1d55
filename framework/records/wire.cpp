#include "records/wire.hpp"

#include <array>
#include <optional>
#include <vector>

#include <protozero/varint.hpp>

#include "records/crc32c.hpp"
#include "records/fields.hpp"

namespace inferbench::records {

namespace {

/// The members of a record that are stored as packed bytes. `bytes` is std::string for writing, and
/// a view of the message for reading.
template <typename bytes>
struct packed {
  std::optional<std::uint64_t> origin;  // nullopt: equal to start_ns
  bytes gaps{};
  std::optional<bytes> late;
};

// ---- fields: number, member, and the value that is left out ----------------------------------
// Writing and reading both visit them. Their order is that of the bytes. docs/journal-format.md

void visit_fields(either<run_information> auto& run, auto&& visit) {
  visit(1, run.name);
  visit(2, run.started_ns);
  visit(3, run.started_unix_ns);
  visit(4, run.config_json);
  visit(5, run.environment_json);
}

void visit_fields(either<run_end> auto& end, auto&& visit) {
  visit(1, end.finished_unix_ns);
  visit(2, end.duration_ns);
  visit(3, end.interrupted);
  visit(4, end.planned);
  visit(5, end.facts_json);
}

template <typename bytes>
void visit_fields(either<client::lateness> auto& late, bytes& events, auto&& visit) {
  visit(1, late.unknown);
  visit(2, late.launch_ns);
  visit(3, late.sending_ns);
  visit(4, late.end_ns);
  visit(5, events);
}

void visit_fields(either<client::record> auto& record, auto& packed, auto&& visit) {
  constexpr std::int64_t unknown = -1;
  visit(1, record.sequence);
  visit(2, record.status, std::int64_t{IFB_OK});
  visit(3, record.http_status);
  visit(4, record.due_ns);
  visit(5, record.start_ns);
  visit(6, record.connected_ns);
  visit(7, record.sent_ns);
  visit(8, record.first_byte_ns);
  visit(9, record.first_text_ns);
  visit(10, record.last_text_ns);
  visit(11, record.first_answer_ns);
  visit(12, record.end_ns);
  visit(13, packed.origin);
  visit(14, packed.gaps);
  visit(15, record.sample_tokens, unknown);
  visit(16, record.wanted_tokens, unknown);
  visit(17, record.prompt_tokens, unknown);
  visit(18, record.cached_tokens, unknown);
  visit(19, record.output_tokens, unknown);
  visit(20, record.reasoning_tokens, unknown);
  visit(21, record.bytes_sent);
  visit(22, record.bytes_received);
  visit(23, record.sent_again);
  visit(24, record.id);
  visit(25, record.session);
  visit(26, record.error);
  visit(27, record.finish_reason);
  visit(28, record.text);
  visit(29, record.attributes);
  visit(30, record.tls_ns);
  visit(31, record.server);
  for (std::uint32_t i = 0; i < record.text_events.size(); ++i)
    visit(32 + i, record.text_events[i]);
  visit(36, record.turn);
  visit(37, packed.late);
}

// ---- writing -------------------------------------------------------------------------------

std::string packed_gaps(const client::stamps& stamps) {
  std::string out;
  // A gap of 2.1 to 268 ms takes four bytes, and a longer gap (up to 34 s) five bytes. A gap
  // between coalesced events takes one byte.
  out.reserve(stamps.size() * 5);
  std::uint64_t last = stamps.origin();
  stamps.for_each([&](std::uint64_t at) {
    protozero::add_varint_to_buffer(&out, at - last);
    last = at;
  });
  return out;
}

// Two numbers for each late event: the number of events between it and the previous late event, and
// its lateness in ns.
std::string packed_late_events(const std::vector<client::late_event>& events) {
  std::string out;
  std::uint32_t next = 0;
  for (const client::late_event& each : events) {
    protozero::add_varint_to_buffer(&out, each.event - next);
    protozero::add_varint_to_buffer(&out, each.ns);
    next = each.event + 1;
  }
  return out;
}

// nullopt if nothing is known about the lateness. An empty message means that the client was never
// late.
std::optional<std::string> packed_lateness(const client::lateness& late) {
  constexpr std::size_t unknown_alone = 2;  // size of the message in bytes
  const std::string events = packed_late_events(late.events);
  std::string out;
  visit_fields(late, events, field_writer(out));
  if (late.unknown && out.size() == unknown_alone) return std::nullopt;
  return out;
}

// ---- reading -------------------------------------------------------------------------------

// "flatten" is needed because g++ 12 would otherwise call the decoder of protozero for each gap.
[[gnu::flatten]] client::stamps unpacked_gaps(std::string_view gaps, std::uint64_t origin) {
  client::stamps out(origin);
  std::uint64_t stamp = origin;
  const char* const end = gaps.data() + gaps.size();
  for (const char* at = gaps.data(); at != end; out.push(stamp)) {
    const std::uint64_t gap = take_varint(at, end);
    require(gap <= UINT64_MAX - stamp);
    stamp += gap;
  }
  return out;
}

std::vector<client::late_event> unpacked_late_events(std::string_view numbers, std::size_t events) {
  std::vector<client::late_event> out;
  const char* const end = numbers.data() + numbers.size();
  const char* at = numbers.data();
  for (std::uint64_t next = 0; at != end; ++next) {
    const std::uint64_t skipped = take_varint(at, end);
    const std::uint64_t ns = take_varint(at, end);
    require(ns <= UINT32_MAX && next <= events && skipped < events - next);
    next += skipped;
    out.push_back({static_cast<std::uint32_t>(next), static_cast<std::uint32_t>(ns)});
  }
  return out;
}

client::lateness unpacked_lateness(const std::optional<std::string_view>& from,
                                   std::size_t events) {
  client::lateness out;
  out.unknown = !from;  // journals of older versions do not have this field
  std::string_view numbers;
  read_fields(from.value_or(""), [&](auto visit) { visit_fields(out, numbers, visit); });
  out.events = unpacked_late_events(numbers, events);
  return out;
}

}  // namespace

void encode(std::string& out, const run_information& run) { visit_fields(run, field_writer(out)); }

void encode(std::string& out, const run_end& end) { visit_fields(end, field_writer(out)); }

void encode(std::string& out, const client::record& record) {
  packed<std::string> parts;
  if (record.tokens.origin() != record.start_ns) parts.origin = record.tokens.origin();
  parts.gaps = packed_gaps(record.tokens);
  parts.late = packed_lateness(record.late);
  visit_fields(record, parts, field_writer(out));
}

bool decode(std::string_view from, run_information& out) {
  out = {};
  return succeeds([&] { read_fields(from, [&](auto visit) { visit_fields(out, visit); }); });
}

bool decode(std::string_view from, run_end& out) {
  out = {};
  return succeeds([&] { read_fields(from, [&](auto visit) { visit_fields(out, visit); }); });
}

bool decode(std::string_view from, client::record& out) {
  out = client::record();
  out.status = IFB_OK;
  return succeeds([&] {
    packed<std::string_view> parts;
    read_fields(from, [&](auto visit) { visit_fields(out, parts, visit); });
    out.tokens = unpacked_gaps(parts.gaps, parts.origin.value_or(out.start_ns));
    out.late = unpacked_lateness(parts.late, out.tokens.size());
  });
}

template <typename message>
bool append_frame(std::string& out, frame_kind kind, const message& what) {
  const std::size_t before = out.size();
  out.append(frame_head_bytes, '\0');
  out += static_cast<char>(kind);
  encode(out, what);
  const std::size_t size = out.size() - before - frame_head_bytes;
  if (size > most_frame_bytes) {
    out.resize(before);
    return false;
  }
  put_u32(out.data() + before, static_cast<std::uint32_t>(size));
  put_u32(out.data() + before + 4,
          frame_checksum(std::string_view(out).substr(before + frame_head_bytes)));
  return true;
}

template bool append_frame(std::string&, frame_kind, const run_information&);
template bool append_frame(std::string&, frame_kind, const client::record&);
template bool append_frame(std::string&, frame_kind, const run_end&);
template bool append_frame(std::string&, frame_kind, const observation&);

std::uint32_t frame_checksum(std::string_view payload) noexcept {
  // The checksum includes the length. Otherwise zero bytes at the end of the file, which a crash of
  // the machine can leave, would be empty frames with a correct checksum.
  std::array<char, 4> length{};
  put_u32(length.data(), static_cast<std::uint32_t>(payload.size()));
  return crc32c(payload, crc32c({length.data(), length.size()}));
}

void put_u32(char* at, std::uint32_t value) noexcept {
  for (unsigned i = 0; i < 4; ++i)
    at[i] = static_cast<char>(value >> (8 * i));
}

std::uint32_t get_u32(const char* at) noexcept {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i)
    value |= std::uint32_t{static_cast<unsigned char>(at[i])} << (8 * i);
  return value;
}

}  // namespace inferbench::records
