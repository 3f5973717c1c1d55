#include "duckdb_library.hpp"

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

#include <dlfcn.h>

#include <inferbench/guard.hpp>

namespace tables {

namespace fs = std::filesystem;

namespace {

constexpr const char* variable = "INFERBENCH_DUCKDB";
#ifdef __APPLE__
constexpr const char* library_name = "libduckdb.dylib";
#else
constexpr const char* library_name = "libduckdb.so";
#endif

/// Fills a pointer of the table; stores the name of a function that the library does not have.
template <typename function>
void resolve(void* library, const char* name, function*& into, std::string& missing) {
  into = reinterpret_cast<function*>(::dlsym(library, name));
  if (into == nullptr && missing.empty()) missing = name;
}

std::string resolve_all(void* library, duckdb::functions& out) {
  std::string missing;
#define TABLES_RESOLVE(name) resolve(library, "duckdb_" #name, out.name, missing)
  TABLES_RESOLVE(library_version);
  TABLES_RESOLVE(create_config);
  TABLES_RESOLVE(set_config);
  TABLES_RESOLVE(destroy_config);
  TABLES_RESOLVE(open_ext);
  TABLES_RESOLVE(close);
  TABLES_RESOLVE(connect);
  TABLES_RESOLVE(disconnect);
  TABLES_RESOLVE(free);
  TABLES_RESOLVE(prepare);
  TABLES_RESOLVE(prepare_error);
  TABLES_RESOLVE(destroy_prepare);
  TABLES_RESOLVE(pending_prepared);
  TABLES_RESOLVE(pending_execute_task);
  TABLES_RESOLVE(pending_error);
  TABLES_RESOLVE(execute_pending);
  TABLES_RESOLVE(destroy_pending);
  TABLES_RESOLVE(column_count);
  TABLES_RESOLVE(column_name);
  TABLES_RESOLVE(column_logical_type);
  TABLES_RESOLVE(result_error);
  TABLES_RESOLVE(destroy_result);
  TABLES_RESOLVE(fetch_chunk);
  TABLES_RESOLVE(destroy_data_chunk);
  TABLES_RESOLVE(data_chunk_get_size);
  TABLES_RESOLVE(data_chunk_get_vector);
  TABLES_RESOLVE(vector_get_column_type);
  TABLES_RESOLVE(vector_get_data);
  TABLES_RESOLVE(vector_get_validity);
  TABLES_RESOLVE(list_vector_get_child);
  TABLES_RESOLVE(struct_vector_get_child);
  TABLES_RESOLVE(get_type_id);
  TABLES_RESOLVE(list_type_child_type);
  TABLES_RESOLVE(array_type_child_type);
  TABLES_RESOLVE(map_type_value_type);
  TABLES_RESOLVE(struct_type_child_count);
  TABLES_RESOLVE(struct_type_child_name);
  TABLES_RESOLVE(struct_type_child_type);
  TABLES_RESOLVE(destroy_logical_type);
#undef TABLES_RESOLVE
  return missing;
}

[[noreturn]] void refuse(const std::string& why, const std::string& folder) {
  throw ifb::failure(IFB_E_CONFIG,
                     "Parquet and CSV files are read with DuckDB's library, and " + why +
                         "; download the C/C++ library for this system from DuckDB's site "
                         "(duckdb.org), and " +
                         (folder.empty() ? "" : "put it into " + folder + ", or ") + "set " +
                         variable + " to the path of its " + library_name,
                     "path");
}

/// The path of the plugin's library, which contains this code.
fs::path own_file() {
  Dl_info found{};
  if (::dladdr(reinterpret_cast<const void*>(&own_file), &found) == 0) return {};
  return found.dli_fname;
}

}  // namespace

std::vector<std::string> duckdb_candidates(const hub::variables& lookup, const fs::path& plugin) {
  std::error_code ignored;
  const char* const set = lookup(variable);
  if (set != nullptr && *set != '\0') {
    const fs::path given = hub::expand_home(set, lookup);
    return {fs::is_directory(given, ignored) ? (given / library_name).string() : given.string()};
  }
  const fs::path all = fs::absolute(plugin, ignored).parent_path().parent_path().parent_path();
  return {(all / library_name).string(), (all.parent_path() / library_name).string(), library_name};
}

const duckdb::functions& load_duckdb(const std::vector<std::string>& candidates) {
  // Pointers in the tables stay valid, because no library is unloaded.
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<duckdb::functions>> loaded;
  const std::lock_guard lock(mutex);
  const std::string folder =
      candidates.size() > 1 ? fs::path(candidates.front()).parent_path().string() : "";
  std::string trouble;
  for (const std::string& file : candidates) {
    if (const auto at = loaded.find(file); at != loaded.end()) return *at->second;
    std::error_code ignored;
    const bool bare = file.find('/') == std::string::npos;
    if (!bare && !fs::exists(file, ignored)) {
      if (candidates.size() == 1)
        trouble = file + ", the value of " + variable + ", does not exist";
      continue;
    }
    void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      const char* const said = ::dlerror();
      if (!bare) trouble = said == nullptr ? file + " cannot be loaded" : said;
      continue;
    }
    auto table = std::make_unique<duckdb::functions>();
    const std::string missing = resolve_all(library, *table);
    if (!missing.empty())
      refuse(std::string(file).append(" has no function ").append(missing) +
                 ": version 1.2 or later is needed",
             folder);
    return *loaded.emplace(file, std::move(table)).first->second;
  }
  refuse(trouble.empty() ? "it is not installed" : trouble, folder);
}

const duckdb::functions& duckdb_of_process() {
  const auto lookup = [](const char* name) -> const char* { return std::getenv(name); };
  return load_duckdb(duckdb_candidates(lookup, own_file()));
}

}  // namespace tables
