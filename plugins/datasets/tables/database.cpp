#include "database.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include <inferbench/text.hpp>

#include "json_types.hpp"
#include "limits.hpp"

namespace tables {

namespace {

std::string quoted_with(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    out += c;
    if (c == quote) out += c;
  }
  return out + quote;
}

/// Messages about CSV files have a first line with the place, the text "Original Line: ...", which
/// may have many lines, then the reason, and then "Possible fixes:" or "Possible Solution:".
std::string_view reason_in_csv(std::string_view rest) {
  if (!rest.starts_with("Original Line: ")) return rest.substr(0, rest.find('\n'));
  rest = ifb::trim(rest.substr(0, rest.find("\nPossible ")));
  if (rest.ends_with('.')) rest.remove_suffix(1);
  return rest.substr(rest.rfind('\n') + 1);
}

/// DuckDB's messages go on with hints about settings, which a user of a plugin cannot change.
std::string first_line(const char* message) {
  const std::string_view text = message == nullptr ? "no reason was given" : message;
  const auto end = std::min(text.find('\n'), text.size());
  std::string out(text.substr(0, end));
  if (out.find("CSV Error") != out.npos || out.find("when sniffing") != out.npos)
    out.append(": ").append(reason_in_csv(text.substr(std::min(end + 1, text.size()))));
  return std::string(ifb::cut_utf8(out, 400));
}

[[noreturn]] void fail(const std::string& why) {
  throw query_failure(why, why.starts_with("Out of Memory"));
}

std::string memory_limit(int megabytes) {
  return "SET memory_limit = '" + std::to_string(megabytes) + "MB'";
}

/// A statement and its execution, which are destroyed together.
struct prepared {
  const duckdb::functions& api;
  duckdb::statement statement = nullptr;
  duckdb::execution execution = nullptr;

  prepared(const duckdb::functions& functions, duckdb::connection on, const std::string& sql)
      : api(functions) {
    if (api.prepare(on, sql.c_str(), &statement) == duckdb::success) return;
    const std::string why = first_line(api.prepare_error(statement));
    api.destroy_prepare(&statement);
    fail(why);
  }
  prepared(const prepared&) = delete;
  prepared& operator=(const prepared&) = delete;
  ~prepared() {
    if (execution != nullptr) api.destroy_pending(&execution);
    api.destroy_prepare(&statement);
  }
};

}  // namespace

std::string sql_text(std::string_view text) { return quoted_with(text, '\''); }
std::string sql_name(std::string_view name) { return quoted_with(name, '"'); }

query_result::~query_result() {
  if (chunk_ != nullptr) api_->destroy_data_chunk(&chunk_);
  if (result_.content != nullptr) api_->destroy_result(&result_);
}

std::uint64_t query_result::next() {
  if (chunk_ != nullptr) api_->destroy_data_chunk(&chunk_);
  chunk_ = api_->fetch_chunk(result_);
  return chunk_ == nullptr ? 0 : api_->data_chunk_get_size(chunk_);
}

std::vector<query_column> query_result::columns() {
  std::vector<query_column> out;
  const auto count = api_->column_count(&result_);
  for (duckdb::index i = 0; i < count; ++i) {
    duckdb::logical_type type = api_->column_logical_type(&result_, i);
    const std::string name = api_->column_name(&result_, i);
    out.push_back({name, json_type(*api_, type), byte_count(*api_, type, sql_name(name))});
    api_->destroy_logical_type(&type);
  }
  return out;
}

database::database(const duckdb::functions& api, ifb::host host) : database(host, &api) {
  duckdb::settings settings = nullptr;
  api.create_config(&settings);
  constexpr std::array<std::pair<const char*, const char*>, 4> fixed{{
      {"autoinstall_known_extensions", "false"},
      {"autoload_known_extensions", "false"},
      {"threads", "1"},
      {"temp_directory", ""},  // otherwise DuckDB writes into the current folder
  }};
  for (const auto& [name, value] : fixed)
    api.set_config(settings, name, value);
  char* trouble = nullptr;
  const bool opened = api.open_ext(nullptr, &database_, settings, &trouble) == duckdb::success;
  api.destroy_config(&settings);
  if (!opened || api.connect(database_, &connection_) != duckdb::success) {
    const std::string why = first_line(trouble);
    if (trouble != nullptr) api.free(trouble);
    throw ifb::failure(IFB_E_INTERNAL, "DuckDB cannot start: " + why, "path");
  }
  query(memory_limit(usual_memory_mb));
  query("SET parquet_metadata_cache = true");
  query("SET TimeZone = 'UTC'");
  try {
    query("SET enable_external_file_cache = false");
  } catch (const query_failure&) {
    // Versions before 1.3 have neither the setting nor the cache.
  }
}

database::~database() {
  if (connection_ != nullptr) api_->disconnect(&connection_);
  if (database_ != nullptr) api_->close(&database_);
}

void database::confine(std::span<const std::string> files) {
  std::string list;
  for (const std::string& file : files)
    list += (list.empty() ? "" : ", ") + sql_text(file);
  query("SET allowed_paths = [" + list + "]");
  query("SET enable_external_access = false");
}

query_result database::query(const std::string& sql) {
  const duckdb::functions& api = *api_;
  prepared work(api, connection_, sql);
  auto state = api.pending_prepared(work.statement, &work.execution) == duckdb::success
                   ? duckdb::not_ready
                   : duckdb::execution_failed;
  // Tasks are short, so a run that is being stopped does not wait for the whole query.
  while (state == duckdb::not_ready || state == duckdb::no_tasks) {
    if (host_.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped while reading a file");
    state = api.pending_execute_task(work.execution);
  }
  if (state == duckdb::execution_failed) fail(first_line(api.pending_error(work.execution)));
  duckdb::result result{};
  if (api.execute_pending(work.execution, &result) == duckdb::success) return {api, result};
  const std::string why = first_line(api.result_error(&result));
  api.destroy_result(&result);
  fail(why);
}

bool database::raise_memory_limit(const std::string& why) {
  if (std::exchange(raised_, true)) return false;
  host_.warn(why + " needs more than " + std::to_string(usual_memory_mb) +
             " MB of memory to be read; up to " + std::to_string(most_memory_mb) + " MB are used");
  query(memory_limit(most_memory_mb));
  return true;
}

}  // namespace tables
