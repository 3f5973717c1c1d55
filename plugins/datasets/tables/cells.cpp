#include "cells.hpp"

#include <cmath>

namespace tables {

namespace {

void put_text(const duckdb::text& text, ifb::json_value& out,
              ifb::json_document::AllocatorType& memory) {
  out.SetString(text.data(), text.length, memory);
}

void put_number(double number, ifb::json_value& out) {
  if (std::isfinite(number))
    out.SetDouble(number);
  else
    out.SetNull();
}

}  // namespace

cell_reader::cell_reader(const duckdb::functions& api, duckdb::vector vector)
    : data_(api.vector_get_data(vector)), validity_(api.vector_get_validity(vector)) {
  duckdb::logical_type type = api.vector_get_column_type(vector);
  type_ = api.get_type_id(type);
  if (type_ == duckdb::type_list || type_ == duckdb::type_map) {
    inside_.emplace_back(api, api.list_vector_get_child(vector));
  } else if (type_ == duckdb::type_struct) {
    const auto count = api.struct_type_child_count(type);
    for (duckdb::index i = 0; i < count; ++i) {
      inside_.emplace_back(api, api.struct_vector_get_child(vector, i));
      char* const name = api.struct_type_child_name(type, i);
      names_.emplace_back(name);
      api.free(name);
    }
  }
  api.destroy_logical_type(&type);
}

std::uint64_t cell_reader::bytes(std::uint64_t row) const {
  if (is_null(row)) return 0;
  std::uint64_t out = 0;
  switch (type_) {
    case duckdb::type_varchar:
    case duckdb::type_blob: return at<duckdb::text>(row).length;
    case duckdb::type_list:
    case duckdb::type_map: {
      const auto [offset, length] = at<duckdb::list_entry>(row);
      for (std::uint64_t i = 0; i < length; ++i)
        out += inside_[0].bytes(offset + i);
      return out;
    }
    case duckdb::type_struct:
      for (const cell_reader& member : inside_)
        out += member.bytes(row);
      return out;
    default: return 0;
  }
}

void cell_reader::put(std::uint64_t row, ifb::json_value& out,
                      ifb::json_document::AllocatorType& memory) const {
  if (is_null(row)) {
    out.SetNull();
    return;
  }
  switch (type_) {
    case duckdb::type_boolean: out.SetBool(at<std::uint8_t>(row) != 0); return;
    case duckdb::type_tinyint: out.SetInt(at<std::int8_t>(row)); return;
    case duckdb::type_smallint: out.SetInt(at<std::int16_t>(row)); return;
    case duckdb::type_integer: out.SetInt(at<std::int32_t>(row)); return;
    case duckdb::type_bigint: out.SetInt64(at<std::int64_t>(row)); return;
    case duckdb::type_utinyint: out.SetUint(at<std::uint8_t>(row)); return;
    case duckdb::type_usmallint: out.SetUint(at<std::uint16_t>(row)); return;
    case duckdb::type_uinteger: out.SetUint(at<std::uint32_t>(row)); return;
    case duckdb::type_ubigint: out.SetUint64(at<std::uint64_t>(row)); return;
    case duckdb::type_float: put_number(at<float>(row), out); return;
    case duckdb::type_double: put_number(at<double>(row), out); return;
    case duckdb::type_list: put_list(row, out, memory); return;
    case duckdb::type_map: put_map(row, out, memory); return;
    case duckdb::type_struct: put_struct(row, out, memory); return;
    default: put_text(at<duckdb::text>(row), out, memory); return;
  }
}

void cell_reader::put_list(std::uint64_t row, ifb::json_value& out,
                           ifb::json_document::AllocatorType& memory) const {
  const auto [offset, length] = at<duckdb::list_entry>(row);
  out.SetArray();
  out.Reserve(static_cast<rapidjson::SizeType>(length), memory);
  for (std::uint64_t i = 0; i < length; ++i) {
    ifb::json_value element;
    inside_[0].put(offset + i, element, memory);
    out.PushBack(element, memory);
  }
}

// A map is a list of structs with the members key and value.
void cell_reader::put_map(std::uint64_t row, ifb::json_value& out,
                          ifb::json_document::AllocatorType& memory) const {
  const auto [offset, length] = at<duckdb::list_entry>(row);
  const std::vector<cell_reader>& entry = inside_[0].inside_;
  out.SetObject();
  for (std::uint64_t i = 0; i < length; ++i) {
    ifb::json_value key;
    ifb::json_value value;
    entry[0].put(offset + i, key, memory);
    entry[1].put(offset + i, value, memory);
    out.AddMember(key, value, memory);
  }
}

void cell_reader::put_struct(std::uint64_t row, ifb::json_value& out,
                             ifb::json_document::AllocatorType& memory) const {
  out.SetObject();
  for (std::size_t i = 0; i < inside_.size(); ++i) {
    ifb::json_value value;
    inside_[i].put(row, value, memory);
    ifb::json_value key(names_[i], memory);
    out.AddMember(key, value, memory);
  }
}

}  // namespace tables
