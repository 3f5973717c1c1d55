// The fields of the messages in a journal's frames, for the sources that encode and decode them. A
// function visit_fields(message, visit) of each message calls visit(number, member) for each field,
// in the order of the bytes; writing and reading both use it. Only wire.cpp and
// observation_wire.cpp include this header, because protozero makes it heavy. No I/O.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>

namespace inferbench::records {

using attribute = std::pair<std::string, std::string>;

template <typename type, typename message>
concept either = std::same_as<std::remove_const_t<type>, message>;

void visit_fields(either<attribute> auto& pair, auto&& visit) {
  visit(1, pair.first);
  visit(2, pair.second);
}

// ---- writing -------------------------------------------------------------------------------

/// Appends each visited field to a string, which must outlive the writer. A field whose value is
/// `absent`, empty or nullopt is left out. The elements of a vector are messages with visit_fields.
class field_writer {
 public:
  explicit field_writer(std::string& out) : out_(out) {}

  void operator()(std::uint32_t field, std::unsigned_integral auto value) {
    if (value != 0) out_.add_uint64(field, value);
  }
  void operator()(std::uint32_t field, std::signed_integral auto value, std::int64_t absent = 0) {
    if (value != absent) out_.add_sint64(field, value);
  }
  void operator()(std::uint32_t field, const std::string& text) {
    if (!text.empty()) out_.add_bytes(field, text);
  }
  void operator()(std::uint32_t field, const std::optional<std::uint64_t>& value) {
    if (value) out_.add_uint64(field, *value);
  }
  void operator()(std::uint32_t field, const std::optional<std::string>& message) {
    if (message) out_.add_message(field, *message);
  }
  template <typename message>
  void operator()(std::uint32_t field, const std::vector<message>& elements) {
    for (const message& each : elements) {
      std::string bytes;
      visit_fields(each, field_writer(bytes));
      out_.add_message(field, bytes);
    }
  }

 private:
  protozero::pbf_writer out_;
};

// ---- reading -------------------------------------------------------------------------------

/// Thrown if the bytes are not a message of the expected type. succeeds() catches it, and the
/// exceptions of protozero.
struct no_message : protozero::exception {};

/// Throws no_message if not `good`.
inline void require(bool good) {
  if (!good) throw no_message();
}

/// Bits of a varint above the 64th are damage. protozero would drop them.
inline void require_64_bits(const char* begin, const char* end) {
  require(end - begin < protozero::max_varint_length || end[-1] <= 1);
}

/// Reads the varint at `at`, which moves behind it. Throws if it does not end before `end`, or has
/// more than 64 bits.
inline std::uint64_t take_varint(const char*& at, const char* end) {
  const char* const begin = at;
  const std::uint64_t out = protozero::decode_varint(&at, end);
  require_64_bits(begin, at);
  return out;
}

/// Reads the value of the current field of `in`. A value of another type or out of range is damage.
/// The string_views that it gives are parts of the message.
class value_of {
 public:
  explicit value_of(protozero::pbf_reader& in) : in_(in) {}

  void operator()(std::uint64_t& out) const {
    require(in_.wire_type() == protozero::pbf_wire_type::varint);
    const char* const begin = in_.data().data();
    out = in_.get_uint64();
    require_64_bits(begin, in_.data().data());
  }
  void operator()(std::unsigned_integral auto& out) const {
    using narrow = std::remove_reference_t<decltype(out)>;
    std::uint64_t raw = 0;
    (*this)(raw);
    require(raw <= std::numeric_limits<narrow>::max());
    out = static_cast<narrow>(raw);
  }
  void operator()(std::signed_integral auto& out) const {
    using narrow = std::remove_reference_t<decltype(out)>;
    std::uint64_t raw = 0;
    (*this)(raw);
    const std::int64_t value = protozero::decode_zigzag64(raw);
    require(std::in_range<narrow>(value));
    out = static_cast<narrow>(value);
  }
  void operator()(std::string_view& out) const {
    require(in_.wire_type() == protozero::pbf_wire_type::length_delimited);
    // protozero reads only 32 bits of a length, so the whole length is checked here.
    const char* at = in_.data().data();
    const char* const end = at + in_.length();
    require(protozero::decode_varint(&at, end) <= static_cast<std::uint64_t>(end - at));
    out = in_.get_view();
  }
  void operator()(std::string& out) const {
    std::string_view text;
    (*this)(text);
    out = text;
  }
  template <typename value>
  void operator()(std::optional<value>& out) const {
    (*this)(out.emplace());
  }
  // The parts of a packed list. Protocol Buffers allow a list to be written in several parts.
  void operator()(std::vector<std::string_view>& out) const { (*this)(out.emplace_back()); }
  template <typename message>
  void operator()(std::vector<message>& out) const;

 private:
  protozero::pbf_reader& in_;
};

/// Reads the fields of `from` that `visit_all` visits, and skips other fields. `visit_all` calls
/// visit_fields. field_writer writes fields in the order of the visit, so one visit reads all
/// fields. If another writer used another order, more visits are needed.
template <typename visitor>
void read_fields(std::string_view from, const visitor& visit_all) {
  protozero::pbf_reader in(from);
  for (bool more = in.next(); more;) {
    bool known = false;
    visit_all([&](std::uint32_t field, auto& member, std::int64_t = 0) {
      for (; more && in.tag() == field; more = in.next()) {
        value_of{in}(member);
        known = true;
      }
    });
    if (known) continue;
    in.skip();
    more = in.next();
  }
}

template <typename message>
void value_of::operator()(std::vector<message>& out) const {
  std::string_view bytes;
  (*this)(bytes);
  message& element = out.emplace_back();
  read_fields(bytes, [&](auto visit) { visit_fields(element, visit); });
}

/// Runs `read`. Returns false if `read` throws because the bytes are damaged.
template <typename reading>
bool succeeds(const reading& read) {
  try {
    read();
    return true;
  } catch (const protozero::exception&) {
    return false;
  }
}

}  // namespace inferbench::records
