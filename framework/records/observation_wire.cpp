// The messages Observation and ObservedSeries of docs/journal-format.md.
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <protozero/iterators.hpp>
#include <protozero/pbf_writer.hpp>

#include "records/fields.hpp"
#include "records/wire.hpp"

namespace inferbench::records {

// ---- fields: number and member, in the order of the bytes ----------------------------------

// Not in the anonymous namespace: field_writer and value_of find this function through the
// namespace of observed_series.
void visit_fields(either<observed_series> auto& one, auto&& visit) {
  visit(1, one.index);
  visit(2, one.name);
  visit(3, one.metric);
  visit(4, one.unit);
  visit(5, one.counter);
  visit(6, one.combined);
  visit(7, one.labels);
}

namespace {

// Without the packed lists, 9 and 10.
void visit_fields(either<observation> auto& what, auto&& visit) {
  visit(1, what.source);
  visit(2, what.at_ns);
  visit(3, what.error);
  visit(4, what.url);
  visit(5, what.server);
  visit(6, what.interval_ns);
  visit(7, what.left_out);
  visit(8, what.series);
}

constexpr std::uint32_t keys_field = 9;
constexpr std::uint32_t values_field = 10;

// The two lowest bits of a key; the number of the series is above them.
constexpr std::uint64_t fresh_bit = 1;
constexpr std::uint64_t counter_bit = 2;
constexpr unsigned key_bits = 2;

std::uint64_t key_of(const observed_value& one) {
  return (std::uint64_t{one.series} << key_bits) | (one.counter ? counter_bit : 0) |
         (one.fresh ? fresh_bit : 0);
}

observed_value key_from(std::uint64_t key) {
  require(key >> key_bits <= std::numeric_limits<std::uint32_t>::max());
  observed_value out;
  out.series = static_cast<std::uint32_t>(key >> key_bits);
  out.counter = (key & counter_bit) != 0;
  out.fresh = (key & fresh_bit) != 0;
  return out;
}

void read_keys(std::string_view packed_keys, std::vector<observed_value>& out) {
  const char* const end = packed_keys.data() + packed_keys.size();
  for (const char* at = packed_keys.data(); at != end;)
    out.push_back(key_from(take_varint(at, end)));
}

void read_values(std::string_view packed_values, std::vector<double>& out) {
  using iterator = protozero::const_fixed_iterator<double>;
  require(packed_values.size() % sizeof(double) == 0);
  const char* const begin = packed_values.data();
  out.insert(out.end(), iterator(begin), iterator(begin + packed_values.size()));
}

void read_observation(std::string_view from, observation& out) {
  std::vector<std::string_view> packed_keys;
  std::vector<std::string_view> packed_values;
  read_fields(from, [&](auto visit) {
    visit_fields(out, visit);
    visit(keys_field, packed_keys);
    visit(values_field, packed_values);
  });
  for (const std::string_view part : packed_keys)
    read_keys(part, out.values);
  std::vector<double> values;
  for (const std::string_view part : packed_values)
    read_values(part, values);
  require(values.size() == out.values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    out.values[i].value = values[i];
}

}  // namespace

void encode(std::string& out, const observation& what) {
  visit_fields(what, field_writer(out));
  if (what.values.empty()) return;
  std::vector<std::uint64_t> keys;
  std::vector<double> values;
  for (const observed_value& one : what.values) {
    keys.push_back(key_of(one));
    values.push_back(one.value);
  }
  protozero::pbf_writer lists(out);
  lists.add_packed_uint64(keys_field, keys.begin(), keys.end());
  lists.add_packed_double(values_field, values.begin(), values.end());
}

bool decode(std::string_view from, observation& out) {
  out = {};
  return succeeds([&] { read_observation(from, out); });
}

}  // namespace inferbench::records
