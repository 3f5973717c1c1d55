// The messages Observation and ObservedSeries of docs/journal-format.md.
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

#include "records/wire.hpp"

namespace inferbench::records {

namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::pbf_writer;

// The two lowest bits of a key; the number of the series is above them.
constexpr std::uint64_t fresh_bit = 1;
constexpr std::uint64_t counter_bit = 2;
constexpr unsigned key_bits = 2;

struct no_observation : protozero::exception {};

void must_hold(bool good) {
  if (!good) throw no_observation();
}

// ---- writing -------------------------------------------------------------------------------

void put(pbf_writer& out, std::uint32_t field, const std::string& text) {
  if (!text.empty()) out.add_bytes(field, text);
}

void put(pbf_writer& out, std::uint32_t field, std::uint64_t number) {
  if (number != 0) out.add_uint64(field, number);
}

void put(pbf_writer& out, std::uint32_t field, const observed_series& one) {
  std::string message;
  pbf_writer members(message);
  put(members, 1, one.index);
  put(members, 2, one.name);
  put(members, 3, one.metric);
  put(members, 4, one.unit);
  put(members, 5, std::uint64_t{one.counter});
  put(members, 6, one.combined);
  for (const auto& [name, value] : one.labels) {
    std::string pair;
    pbf_writer label(pair);
    put(label, 1, name);
    put(label, 2, value);
    members.add_message(7, pair);
  }
  out.add_message(field, message);
}

std::uint64_t key_of(const observed_value& one) {
  return (std::uint64_t{one.series} << key_bits) | (one.counter ? counter_bit : 0) |
         (one.fresh ? fresh_bit : 0);
}

// ---- reading -------------------------------------------------------------------------------

std::uint64_t number_of(pbf_reader& in) {
  must_hold(in.wire_type() == pbf_wire_type::varint);
  return in.get_uint64();
}

std::uint32_t small_number_of(pbf_reader& in) {
  const std::uint64_t out = number_of(in);
  must_hold(out <= std::numeric_limits<std::uint32_t>::max());
  return static_cast<std::uint32_t>(out);
}

std::string_view bytes_of(pbf_reader& in) {
  must_hold(in.wire_type() == pbf_wire_type::length_delimited);
  return in.get_view();
}

std::pair<std::string, std::string> label_of(std::string_view message) {
  std::pair<std::string, std::string> out;
  for (pbf_reader in(message); in.next();) {
    if (in.tag() == 1)
      out.first = bytes_of(in);
    else if (in.tag() == 2)
      out.second = bytes_of(in);
    else
      in.skip();
  }
  return out;
}

observed_series series_of(std::string_view message) {
  observed_series out;
  for (pbf_reader in(message); in.next();) {
    switch (in.tag()) {
      case 1: out.index = small_number_of(in); break;
      case 2: out.name = bytes_of(in); break;
      case 3: out.metric = bytes_of(in); break;
      case 4: out.unit = bytes_of(in); break;
      case 5: out.counter = number_of(in) != 0; break;
      case 6: out.combined = bytes_of(in); break;
      case 7: out.labels.push_back(label_of(bytes_of(in))); break;
      default: in.skip();
    }
  }
  return out;
}

observed_value key_from(std::uint64_t key) {
  must_hold(key >> key_bits <= std::numeric_limits<std::uint32_t>::max());
  observed_value out;
  out.series = static_cast<std::uint32_t>(key >> key_bits);
  out.counter = (key & counter_bit) != 0;
  out.fresh = (key & fresh_bit) != 0;
  return out;
}

void read_keys(pbf_reader& in, std::vector<observed_value>& out) {
  must_hold(in.wire_type() == pbf_wire_type::length_delimited);
  for (const std::uint64_t key : in.get_packed_uint64())
    out.push_back(key_from(key));
}

void read_values(pbf_reader& in, std::vector<double>& out) {
  must_hold(in.wire_type() == pbf_wire_type::length_delimited);
  const auto values = in.get_packed_double();
  out.insert(out.end(), values.begin(), values.end());
}

void read_observation(std::string_view from, observation& out) {
  std::vector<double> values;
  for (pbf_reader in(from); in.next();) {
    switch (in.tag()) {
      case 1: out.source = small_number_of(in); break;
      case 2: out.at_ns = number_of(in); break;
      case 3: out.error = bytes_of(in); break;
      case 4: out.url = bytes_of(in); break;
      case 5: out.server = bytes_of(in); break;
      case 6: out.interval_ns = number_of(in); break;
      case 7: out.left_out = small_number_of(in); break;
      case 8: out.series.push_back(series_of(bytes_of(in))); break;
      case 9: read_keys(in, out.values); break;
      case 10: read_values(in, values); break;
      default: in.skip();
    }
  }
  must_hold(values.size() == out.values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    out.values[i].value = values[i];
}

}  // namespace

void encode(std::string& out, const observation& what) {
  pbf_writer members(out);
  put(members, 1, what.source);
  put(members, 2, what.at_ns);
  put(members, 3, what.error);
  put(members, 4, what.url);
  put(members, 5, what.server);
  put(members, 6, what.interval_ns);
  put(members, 7, what.left_out);
  for (const observed_series& one : what.series)
    put(members, 8, one);
  if (what.values.empty()) return;
  std::vector<std::uint64_t> keys;
  std::vector<double> values;
  for (const observed_value& one : what.values) {
    keys.push_back(key_of(one));
    values.push_back(one.value);
  }
  members.add_packed_uint64(9, keys.begin(), keys.end());
  members.add_packed_double(10, values.begin(), values.end());
}

bool decode(std::string_view from, observation& out) {
  out = {};
  try {
    read_observation(from, out);
    return true;
  } catch (const protozero::exception&) {
    return false;
  }
}

}  // namespace inferbench::records
