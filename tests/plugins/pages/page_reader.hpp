// Reads the data out of a page as docs/page-data.md describes it. It shares no code with the
// library that writes pages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>
#include <zlib.h>

namespace inferbench::pages_test {

/// The content of the script element with this id. Throws std::runtime_error if the page does not
/// have exactly one.
inline std::string element_of(const std::string& page, const std::string& id) {
  const std::string mark = " id=\"" + id + "\">";
  const auto at = page.find(mark);
  if (at == std::string::npos || page.find(mark, at + 1) != std::string::npos)
    throw std::runtime_error("not one element " + id);
  const auto begin = at + mark.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

inline std::string from_base64(std::string_view text) {
  const std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  unsigned known = 0;
  for (const char c : text.substr(0, text.find('='))) {
    const auto digit = digits.find(c);
    if (digit == std::string_view::npos) throw std::runtime_error("not base64");
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    known += 6;
    if (known < 8) continue;
    known -= 8;
    out += static_cast<char>(bits >> known);
  }
  return out;
}

inline std::string inflated(const std::string& packed) {
  std::string out;
  z_stream zlib{};
  if (::inflateInit(&zlib) != Z_OK) throw std::runtime_error("zlib");
  std::string input = packed;
  zlib.next_in = reinterpret_cast<Bytef*>(input.data());
  zlib.avail_in = static_cast<uInt>(input.size());
  int state = Z_OK;
  while (state == Z_OK) {
    char block[65536];
    zlib.next_out = reinterpret_cast<Bytef*>(block);
    zlib.avail_out = sizeof block;
    state = ::inflate(&zlib, Z_NO_FLUSH);
    out.append(block, sizeof block - zlib.avail_out);
  }
  ::inflateEnd(&zlib);
  if (state != Z_STREAM_END) throw std::runtime_error("not a whole zlib stream");
  return out;
}

constexpr std::int64_t absent = -1;

/// The requests of a run: the values of each column, times in us, and the gaps of the rows that
/// have them.
struct read_rows {
  std::size_t count = 0;
  std::map<std::string, std::vector<std::int64_t>> columns;  // `absent` for a missing value
  std::map<std::size_t, std::vector<std::uint64_t>> gaps;    // by the row, in us

  std::int64_t at(const std::string& column, std::size_t row) const {
    return columns.at(column).at(row);
  }
};

inline std::int64_t signed_of(std::uint64_t code) {
  const auto half = static_cast<std::int64_t>(code / 2);
  return code % 2 == 0 ? half : -half - 1;
}

/// Decodes the bytes of a run. `about`: the member `rows` of the run.
inline read_rows rows_from(const rapidjson::Value& about, const std::string& bytes) {
  std::size_t at = 0;
  const auto number = [&] {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes.at(at++));
      value |= std::uint64_t{byte & 127U} << shift;
      if (byte < 128) return value;
    }
  };
  read_rows out;
  out.count = about["count"].GetUint64();
  for (const auto& column : about["columns"].GetArray()) {
    const std::string type = column["type"].GetString();
    std::vector<std::int64_t>& values = out.columns[column["name"].GetString()];
    const std::vector<std::int64_t>* const other =
        column.HasMember("relative") ? &out.columns.at(column["relative"].GetString()) : nullptr;
    const auto from_code = [&](std::uint64_t code, std::size_t row) {
      if (other == nullptr) return static_cast<std::int64_t>(code);
      return std::max<std::int64_t>(other->at(row), 0) + signed_of(code);
    };
    std::int64_t before = 0;
    for (std::size_t i = 0; i < out.count; ++i) {
      const std::uint64_t code = number();
      if (type == "delta")
        values.push_back(before += signed_of(code));
      else if (type == "optional")
        values.push_back(code == 0 ? absent : from_code(code - 1, i));
      else
        values.push_back(from_code(code, i));
    }
  }
  const auto& gaps = about["gaps"];
  const std::string kind = gaps["kind"].GetString();
  const auto list = [&](std::size_t row) {
    std::vector<std::uint64_t>& to = out.gaps[row];
    for (std::uint64_t n = number(); n > 0; --n)
      to.push_back(number());
  };
  if (kind == "all")
    for (std::size_t row = 0; row < out.count; ++row)
      list(row);
  if (kind == "some")
    for (const auto& row : gaps["rows"].GetArray())
      list(row.GetUint64());
  if (at != bytes.size()) throw std::runtime_error("bytes are left over");
  return out;
}

/// The JSON of a page.
inline rapidjson::Document report_of(const std::string& page) {
  rapidjson::Document out;
  if (out.Parse(element_of(page, "report").c_str()).HasParseError())
    throw std::runtime_error("the report is not JSON");
  return out;
}
inline read_rows rows_of(const std::string& page, std::size_t run = 0) {
  const rapidjson::Document report = report_of(page);
  const auto& about = report["runs"][static_cast<rapidjson::SizeType>(run)]["rows"];
  return rows_from(about, inflated(from_base64(element_of(page, about["id"].GetString()))));
}

}  // namespace inferbench::pages_test
