#include "json_types.hpp"

#include "database.hpp"

namespace tables {

namespace {

/// The type in SQL, built from the types that a value contains.
class type_text {
 public:
  explicit type_text(const duckdb::functions& api) : api_(api) {}

  [[nodiscard]] bool needs_cast() const noexcept { return cast_; }

  [[nodiscard]] std::string of(duckdb::logical_type type) {
    switch (api_.get_type_id(type)) {
      case duckdb::type_boolean: return "BOOLEAN";
      case duckdb::type_tinyint: return "TINYINT";
      case duckdb::type_smallint: return "SMALLINT";
      case duckdb::type_integer: return "INTEGER";
      case duckdb::type_bigint: return "BIGINT";
      case duckdb::type_utinyint: return "UTINYINT";
      case duckdb::type_usmallint: return "USMALLINT";
      case duckdb::type_uinteger: return "UINTEGER";
      case duckdb::type_ubigint: return "UBIGINT";
      case duckdb::type_float: return "FLOAT";
      case duckdb::type_double: return "DOUBLE";
      case duckdb::type_varchar: return "VARCHAR";
      case duckdb::type_blob: return "BLOB";
      case duckdb::type_hugeint:
      case duckdb::type_uhugeint:
      case duckdb::type_decimal: return changed("DOUBLE");
      case duckdb::type_list: return of_child(api_.list_type_child_type(type)) + "[]";
      case duckdb::type_array: return changed(of_child(api_.array_type_child_type(type)) + "[]");
      // The keys are cast to text: they are the names of a JSON object.
      case duckdb::type_map:
        return changed("MAP(VARCHAR, " + of_child(api_.map_type_value_type(type)) + ")");
      case duckdb::type_struct: return of_struct(type);
      default: return changed("VARCHAR");
    }
  }

 private:
  std::string changed(std::string text) {
    cast_ = true;
    return text;
  }
  std::string of_child(duckdb::logical_type type) {
    std::string out = of(type);
    api_.destroy_logical_type(&type);
    return out;
  }
  std::string of_struct(duckdb::logical_type type) {
    std::string out;
    const auto count = api_.struct_type_child_count(type);
    for (duckdb::index i = 0; i < count; ++i) {
      char* const name = api_.struct_type_child_name(type, i);
      out += (out.empty() ? "" : ", ") + sql_name(name) + " " +
             of_child(api_.struct_type_child_type(type, i));
      api_.free(name);
    }
    return "STRUCT(" + out + ")";
  }

  const duckdb::functions& api_;
  bool cast_ = false;
};

}  // namespace

std::string json_type(const duckdb::functions& api, duckdb::logical_type type) {
  type_text text(api);
  std::string out = text.of(type);
  return text.needs_cast() ? out : std::string{};
}

// NOLINTNEXTLINE(misc-no-recursion): types are nested a few levels deep
std::string byte_count(const duckdb::functions& api, duckdb::logical_type type,
                       const std::string& value) {
  switch (api.get_type_id(type)) {
    case duckdb::type_varchar: return "coalesce(strlen(" + value + "), 0)";
    case duckdb::type_blob: return "coalesce(octet_length(" + value + "), 0)";
    case duckdb::type_struct: break;
    default: return {};
  }
  std::string out;
  const auto count = api.struct_type_child_count(type);
  for (duckdb::index i = 0; i < count; ++i) {
    char* const name = api.struct_type_child_name(type, i);
    duckdb::logical_type member = api.struct_type_child_type(type, i);
    const std::string bytes =
        byte_count(api, member, "struct_extract(" + value + ", " + sql_text(name) + ")");
    if (!bytes.empty()) out += (out.empty() ? "" : " + ") + bytes;
    api.destroy_logical_type(&member);
    api.free(name);
  }
  return out;
}

}  // namespace tables
