#include "check/batch_inspection.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "check/utf8.hpp"

namespace inferbench::check {

namespace {

// The path without the numbers of the elements.
std::string member_of(const std::string& path) {
  std::string out;
  std::ranges::copy_if(path, std::back_inserter(out),
                       [](unsigned char c) { return std::isdigit(c) == 0; });
  return out;
}

std::string in_quotes(ifb_str value) {
  constexpr std::size_t most = 60;
  return "\"" + std::string(ifb::cut_utf8(ifb::view(value), most)) + "\"";
}

}  // namespace

void batch_inspection::fail(const std::string& path, const std::string& what,
                            const std::string& remedy) {
  if (known_.insert(member_of(path) + remedy).second)
    faults_.push_back({true, path + " " + what, remedy});
}

void batch_inspection::warn(const std::string& what, const std::string& remedy) {
  if (known_.insert(what).second) faults_.push_back({false, what, remedy});
}

void batch_inspection::text(const std::string& path, ifb_str value) {
  if (value.data == nullptr && value.size != 0)
    return fail(path, fmt::format("has {} bytes at no address", value.size),
                "set size to 0 for an empty text");
  if (const auto at = first_bad_byte(ifb::view(value)))
    fail(path, fmt::format("is not UTF-8: byte {} is wrong", *at),
         "write U+FFFD for bytes that are no text (rule R1 in abi.h)");
}

void batch_inspection::reserved(const std::string& path, std::uint32_t value) {
  if (value != 0) fail(path + ".reserved", fmt::format("is {}", value), "write 0 to `reserved`");
}

bool batch_inspection::size(const std::string& path, std::uint32_t struct_size, std::size_t size) {
  if (struct_size >= size) return true;
  fail(path + ".struct_size", fmt::format("is {} instead of at least {}", struct_size, size),
       "set struct_size to the size of the struct (rule R3 in abi.h)");
  return false;
}

bool batch_inspection::list(const std::string& path, const void* first, std::uint32_t count,
                            std::uint32_t stride, std::size_t size) {
  if (count == 0) return false;
  if (first == nullptr) {
    fail(path, fmt::format("has {} elements at no address", count),
         "point to the elements, or set the count to 0");
    return false;
  }
  if (stride >= size) return true;
  fail(path, fmt::format("has stride {}, less than the {} bytes of an element", stride, size),
       "set the stride to the size of the struct (rule R5 in abi.h)");
  return false;
}

void batch_inspection::measures(const std::string& path, const ifb_measure_list& list) {
  if (!this->list(path, list.first, list.count, list.stride, sizeof(ifb_measure))) return;
  std::size_t i = 0;
  for (const ifb_measure& each : ifb::strided<ifb_measure>(list.first, list.count, list.stride))
    measure(fmt::format("{}[{}]", path, i++), each);
}

void batch_inspection::measure(const std::string& path, const ifb_measure& value) {
  if (!size(path, value.struct_size, sizeof value)) return;
  reserved(path, value.reserved);
  text(path + ".name", value.name);
  if (value.name.size == 0) fail(path + ".name", "is empty", "name each measure");
  const std::string_view unit = ifb::view(value.unit);
  if (unit != "s" && unit != "1")
    fail(path + ".unit", "is " + in_quotes(value.unit),
         "give durations in seconds with the unit \"s\", and counts with the unit \"1\"");
  if (!std::isfinite(value.value))
    fail(path + ".value", fmt::format("is {}", value.value), "leave out a measure without a value");
  else if (unit == "s" && value.value < 0)
    fail(path + ".value", fmt::format("is a duration of {} s", value.value),
         "subtract the beginning from the end");
  if (value.began_ns != 0 && value.ended_ns != 0 && value.ended_ns < value.began_ns)
    fail(path + ".ended_ns", "is before began_ns", "set both times from one clock, or both to 0");
}

}  // namespace inferbench::check
