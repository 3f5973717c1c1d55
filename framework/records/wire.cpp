#include "records/wire.hpp"

#include <array>
#include <utility>
#include <vector>

#include "records/crc32c.hpp"

namespace inferbench::records {

namespace {

enum wire_type : std::uint32_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

// ---- writing -----------------------------------------------------------------

void put_varint(std::string& out, std::uint64_t value) {
  std::array<char, 10> text{};
  std::size_t size = 0;
  while (value >= 0x80) {
    text[size++] = static_cast<char>((value & 0x7FU) | 0x80U);
    value >>= 7U;
  }
  text[size++] = static_cast<char>(value);
  out.append(text.data(), size);
}

void put_tag(std::string& out, std::uint32_t field, wire_type type) {
  put_varint(out, field << 3U | type);
}

// Signed numbers of small magnitude stay short.
constexpr std::uint64_t zigzag(std::int64_t value) noexcept {
  return (static_cast<std::uint64_t>(value) << 1U) ^ (value < 0 ? ~std::uint64_t{0} : 0);
}
constexpr std::int64_t unzigzag(std::uint64_t value) noexcept {
  return static_cast<std::int64_t>((value >> 1U) ^ ((value & 1U) != 0 ? ~std::uint64_t{0} : 0));
}

void put(std::string& out, std::uint32_t field, std::uint64_t value, std::uint64_t absent = 0) {
  if (value == absent) return;
  put_tag(out, field, varint);
  put_varint(out, value);
}

void put_signed(std::string& out, std::uint32_t field, std::int64_t value, std::int64_t absent) {
  if (value == absent) return;
  put_tag(out, field, varint);
  put_varint(out, zigzag(value));
}

void put(std::string& out, std::uint32_t field, std::string_view text) {
  if (text.empty()) return;
  put_tag(out, field, bytes);
  put_varint(out, text.size());
  out += text;
}

// ---- reading -----------------------------------------------------------------

class reader {
 public:
  explicit reader(std::string_view in) noexcept : in_(in) {}

  /// False at the end or at damage: failed() tells.
  [[nodiscard]] bool next() noexcept {
    if (in_.empty() || failed_) return false;
    const std::uint64_t tag = take_varint();
    field_ = tag >> 3U;
    switch (tag & 7U) {
      case varint:
        type_ = varint;
        number_ = take_varint();
        break;
      case fixed64: type_ = fixed64, text_ = take(8); break;
      case fixed32: type_ = fixed32, text_ = take(4); break;
      case bytes: type_ = bytes, text_ = take(take_varint()); break;
      default: failed_ = true;
    }
    return !failed_;
  }

  [[nodiscard]] std::uint64_t field() const noexcept { return field_; }
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  [[nodiscard]] bool at_end() const noexcept { return in_.empty(); }

  // The value of this field; of another type than asked for is damage.
  void get(std::uint64_t& out) noexcept {
    if (type_ != varint)
      failed_ = true;
    else
      out = number_;
  }
  void get(std::int64_t& out) noexcept {
    std::uint64_t raw = 0;
    get(raw);
    if (!failed_) out = unzigzag(raw);
  }
  template <typename narrow>
  void get_within(narrow& out, std::uint64_t most) noexcept {
    std::uint64_t raw = 0;
    get(raw);
    if (raw > most) failed_ = true;
    if (!failed_) out = static_cast<narrow>(raw);
  }
  void get(std::int32_t& out) noexcept {
    std::int64_t raw = 0;
    get(raw);
    if (!std::in_range<std::int32_t>(raw)) failed_ = true;
    if (!failed_) out = static_cast<std::int32_t>(raw);
  }
  void get(std::string_view& out) noexcept {
    if (type_ != bytes)
      failed_ = true;
    else
      out = text_;
  }
  void get(std::string& out) {
    std::string_view raw;
    get(raw);
    if (!failed_) out = raw;
  }

  [[nodiscard]] std::uint64_t take_varint() noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !in_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(in_.front());
      in_.remove_prefix(1);
      if (shift == 63 && byte > 1) break;  // the 65th bit
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    failed_ = true;
    return 0;
  }

 private:
  [[nodiscard]] std::string_view take(std::uint64_t size) noexcept {
    if (failed_ || size > in_.size()) {
      failed_ = true;
      return {};
    }
    const std::string_view out = in_.substr(0, static_cast<std::size_t>(size));
    in_.remove_prefix(out.size());
    return out;
  }

  std::string_view in_;
  std::uint64_t field_ = 0;
  std::uint64_t number_ = 0;
  std::string_view text_;
  wire_type type_ = varint;
  bool failed_ = false;
};

void put_stamps(std::string& out, std::uint32_t field, const client::stamps& stamps) {
  if (stamps.empty()) return;
  // Packed: gaps of 16 to 268 ms take four bytes, coalesced events one.
  std::string packed;
  packed.reserve(stamps.size() * 5);
  std::uint64_t last = stamps.origin();
  stamps.for_each([&](std::uint64_t at) {
    put_varint(packed, at - last);
    last = at;
  });
  put(out, field, packed);
}

bool get_stamps(std::string_view packed, std::uint64_t origin, client::stamps& out) {
  out = client::stamps(origin);
  std::uint64_t at = origin;
  for (reader in(packed); !in.at_end();) {
    const std::uint64_t gap = in.take_varint();
    if (in.failed() || at + gap < at) return false;
    at += gap;
    out.push(at);
  }
  return true;
}

// Left out where nothing is known. The late events packed: of each how many events lie between it
// and the one before, and its lateness in ns.
void put_lateness(std::string& out, std::uint32_t field, const client::lateness& late) {
  constexpr std::size_t unknown_alone = 2;  // bytes
  std::string inner;
  put(inner, 1, late.unknown ? 1 : 0);
  put(inner, 2, late.launch_ns);
  put(inner, 3, late.sending_ns);
  put(inner, 4, late.end_ns);
  std::string packed;
  std::uint32_t next = 0;
  for (const client::late_event& one : late.events) {
    put_varint(packed, one.event - next);
    put_varint(packed, one.ns);
    next = one.event + 1;
  }
  put(inner, 5, packed);
  if (late.unknown && inner.size() == unknown_alone) return;
  put_tag(out, field, bytes);
  put_varint(out, inner.size());
  out += inner;
}

bool get_late_events(std::string_view packed, std::size_t events,
                     std::vector<client::late_event>& out) {
  out.clear();
  std::uint64_t next = 0;
  for (reader in(packed); !in.at_end();) {
    const std::uint64_t skipped = in.take_varint();
    const std::uint64_t ns = in.take_varint();
    if (in.failed() || ns > UINT32_MAX || next > events || skipped >= events - next) return false;
    next += skipped;
    out.push_back({static_cast<std::uint32_t>(next++), static_cast<std::uint32_t>(ns)});
  }
  return true;
}

bool get_lateness(std::string_view from, std::size_t events, client::lateness& out) {
  std::string_view packed;
  reader in(from);
  while (in.next()) {
    switch (in.field()) {
      case 1: in.get_within(out.unknown, 1); break;
      case 2: in.get(out.launch_ns); break;
      case 3: in.get(out.sending_ns); break;
      case 4: in.get(out.end_ns); break;
      case 5: in.get(packed); break;
      default: break;
    }
  }
  return !in.failed() && get_late_events(packed, events, out.events);
}

void put_pair(std::string& out, std::uint32_t field,
              const std::pair<std::string, std::string>& pair) {
  std::string inner;
  put(inner, 1, pair.first);
  put(inner, 2, pair.second);
  put_tag(out, field, bytes);
  put_varint(out, inner.size());
  out += inner;
}

bool get_pair(std::string_view from, std::pair<std::string, std::string>& out) {
  reader in(from);
  while (in.next()) {
    if (in.field() == 1) in.get(out.first);
    if (in.field() == 2) in.get(out.second);
  }
  return !in.failed();
}

}  // namespace

void encode(std::string& out, const run_information& run) {
  put(out, 1, run.name);
  put(out, 2, run.started_ns);
  put_signed(out, 3, run.started_unix_ns, 0);
  put(out, 4, run.config_json);
  put(out, 5, run.environment_json);
}

bool decode(std::string_view from, run_information& out) {
  out = {};
  reader in(from);
  while (in.next()) {
    switch (in.field()) {
      case 1: in.get(out.name); break;
      case 2: in.get(out.started_ns); break;
      case 3: in.get(out.started_unix_ns); break;
      case 4: in.get(out.config_json); break;
      case 5: in.get(out.environment_json); break;
      default: break;
    }
  }
  return !in.failed();
}

void encode(std::string& out, const run_end& end) {
  put_signed(out, 1, end.finished_unix_ns, 0);
  put(out, 2, end.duration_ns);
  put(out, 3, end.interrupted ? 1 : 0);
  put(out, 4, end.planned);
  put(out, 5, end.facts_json);
}

bool decode(std::string_view from, run_end& out) {
  out = {};
  reader in(from);
  while (in.next()) {
    switch (in.field()) {
      case 1: in.get(out.finished_unix_ns); break;
      case 2: in.get(out.duration_ns); break;
      case 3: in.get_within(out.interrupted, 1); break;
      case 4: in.get(out.planned); break;
      case 5: in.get(out.facts_json); break;
      default: break;
    }
  }
  return !in.failed();
}

void encode(std::string& out, const client::record& record) {
  put(out, 1, record.sequence);
  put_signed(out, 2, record.status, IFB_OK);
  put(out, 3, record.http_status);
  put(out, 4, record.due_ns);
  put(out, 5, record.start_ns);
  put(out, 6, record.connected_ns);
  put(out, 7, record.sent_ns);
  put(out, 8, record.first_byte_ns);
  put(out, 9, record.first_text_ns);
  put(out, 10, record.last_text_ns);
  put(out, 11, record.first_answer_ns);
  put(out, 12, record.end_ns);
  put(out, 13, record.tokens.origin(), record.start_ns);
  put_stamps(out, 14, record.tokens);
  put_signed(out, 15, record.sample_tokens, -1);
  put_signed(out, 16, record.wanted_tokens, -1);
  put_signed(out, 17, record.prompt_tokens, -1);
  put_signed(out, 18, record.cached_tokens, -1);
  put_signed(out, 19, record.output_tokens, -1);
  put_signed(out, 20, record.reasoning_tokens, -1);
  put(out, 21, record.bytes_sent);
  put(out, 22, record.bytes_received);
  put(out, 23, record.sent_again ? 1 : 0);
  put(out, 24, record.id);
  put(out, 25, record.session);
  put(out, 26, record.error);
  put(out, 27, record.finish_reason);
  put(out, 28, record.text);
  for (const auto& attribute : record.attributes)
    put_pair(out, 29, attribute);
  put(out, 30, record.tls_ns);
  put(out, 31, record.server);
  for (std::uint32_t i = 0; i < record.text_events.size(); ++i)
    put(out, 32 + i, record.text_events[i]);
  put(out, 36, record.turn);
  put_lateness(out, 37, record.late);
}

bool decode(std::string_view from, client::record& out) {
  out = client::record();
  out.status = IFB_OK;
  std::string_view packed;
  std::string_view late;
  out.late.unknown = true;  // journals of before say nothing of it
  std::uint64_t origin = 0;
  bool has_origin = false;
  reader in(from);
  while (in.next()) {
    switch (in.field()) {
      case 1: in.get(out.sequence); break;
      case 2: in.get(out.status); break;
      case 3: in.get_within(out.http_status, UINT32_MAX); break;
      case 4: in.get(out.due_ns); break;
      case 5: in.get(out.start_ns); break;
      case 6: in.get(out.connected_ns); break;
      case 7: in.get(out.sent_ns); break;
      case 8: in.get(out.first_byte_ns); break;
      case 9: in.get(out.first_text_ns); break;
      case 10: in.get(out.last_text_ns); break;
      case 11: in.get(out.first_answer_ns); break;
      case 12: in.get(out.end_ns); break;
      case 13:
        in.get(origin);
        has_origin = true;
        break;
      case 14: in.get(packed); break;
      case 15: in.get(out.sample_tokens); break;
      case 16: in.get(out.wanted_tokens); break;
      case 17: in.get(out.prompt_tokens); break;
      case 18: in.get(out.cached_tokens); break;
      case 19: in.get(out.output_tokens); break;
      case 20: in.get(out.reasoning_tokens); break;
      case 21: in.get(out.bytes_sent); break;
      case 22: in.get(out.bytes_received); break;
      case 23: in.get_within(out.sent_again, 1); break;
      case 24: in.get(out.id); break;
      case 25: in.get(out.session); break;
      case 26: in.get(out.error); break;
      case 27: in.get(out.finish_reason); break;
      case 28: in.get(out.text); break;
      case 29: {
        std::string_view inner;
        in.get(inner);
        if (!in.failed() && !get_pair(inner, out.attributes.emplace_back())) return false;
        break;
      }
      case 30: in.get(out.tls_ns); break;
      case 31: in.get_within(out.server, UINT32_MAX); break;
      case 32:
      case 33:
      case 34:
      case 35: in.get_within(out.text_events[in.field() - 32], UINT32_MAX); break;
      case 36: in.get_within(out.turn, UINT32_MAX); break;
      case 37:
        in.get(late);
        out.late.unknown = false;
        break;
      default: break;
    }
  }
  return !in.failed() && get_stamps(packed, has_origin ? origin : out.start_ns, out.tokens) &&
         get_lateness(late, out.tokens.size(), out.late);
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

std::uint32_t frame_checksum(std::string_view payload) noexcept {
  // The length is summed too: else a tail of zeroes, which a crash of the machine
  // can leave, would read as empty frames with the right checksum.
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
