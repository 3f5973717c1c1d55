#include "schema.hpp"

#include <string>

#include <inferbench/guard.hpp>

namespace reporters {
namespace {

/// PRAGMA application_id: the bytes "ifb1".
constexpr int application = 0x69666231;

constexpr const char* tables = R"sql(
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  started_unix_ns INTEGER NOT NULL,
  started TEXT NOT NULL,
  finished_unix_ns INTEGER,
  finished TEXT,
  state TEXT NOT NULL CHECK (state IN ('unfinished', 'finished', 'interrupted')),
  label TEXT,
  backend TEXT,
  model TEXT,
  tokenizer TEXT,
  task TEXT,
  num_prompts INTEGER,
  request_rate REAL,
  max_concurrency INTEGER,
  host TEXT,
  version TEXT,
  verdict TEXT,
  command TEXT,
  config TEXT NOT NULL,
  environment TEXT NOT NULL,
  UNIQUE (name, started_unix_ns)
);
CREATE TABLE metrics (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  unit TEXT NOT NULL,
  value REAL,
  count INTEGER,
  minimum REAL,
  maximum REAL,
  deviation REAL,
  median REAL,
  title TEXT NOT NULL,
  help TEXT NOT NULL,
  PRIMARY KEY (run_id, name)
) WITHOUT ROWID;
CREATE TABLE quantiles (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  percentile REAL NOT NULL,
  value REAL,
  bound REAL,
  PRIMARY KEY (run_id, name, percentile)
) WITHOUT ROWID;
CREATE TABLE goals (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  goal TEXT NOT NULL,
  value REAL,
  passed INTEGER NOT NULL,
  certain INTEGER NOT NULL,
  count REAL,
  effective_count REAL,
  reason TEXT,
  PRIMARY KEY (run_id, number)
) WITHOUT ROWID;
CREATE TABLE facts (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (run_id, name)
) WITHOUT ROWID;
CREATE TABLE requests (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  id TEXT,
  session TEXT,
  turn INTEGER,
  server INTEGER NOT NULL,
  status TEXT NOT NULL,
  http_status INTEGER NOT NULL,
  due_ms REAL,
  start_ms REAL,
  tls_ms REAL,
  connected_ms REAL,
  sent_ms REAL,
  first_byte_ms REAL,
  first_token_ms REAL,
  first_text_ms REAL,
  first_answer_ms REAL,
  last_token_ms REAL,
  last_text_ms REAL,
  end_ms REAL,
  ttft_ms REAL,
  tpot_ms REAL,
  e2el_ms REAL,
  client_queue_time_ms REAL,
  longest_gap_ms REAL,
  events INTEGER NOT NULL,
  sample_tokens INTEGER,
  input_tokens INTEGER,
  output_tokens INTEGER,
  wanted_tokens INTEGER,
  cached_tokens INTEGER,
  reasoning_tokens INTEGER,
  bytes_sent INTEGER NOT NULL,
  bytes_received INTEGER NOT NULL,
  finish_reason TEXT,
  error TEXT,
  attributes TEXT,
  text TEXT,
  PRIMARY KEY (run_id, sequence)
) WITHOUT ROWID;
CREATE TABLE gaps (
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  number INTEGER NOT NULL,
  gap_ms REAL NOT NULL,
  PRIMARY KEY (run_id, sequence, number)
) WITHOUT ROWID;
CREATE TABLE tables (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  started_unix_ns INTEGER NOT NULL,
  command TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('unfinished', 'finished', 'interrupted')),
  facts TEXT NOT NULL,
  UNIQUE (name, started_unix_ns)
);
CREATE TABLE axes (
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  unit TEXT,
  title TEXT,
  PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
CREATE TABLE table_runs (
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  run_id INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  point INTEGER NOT NULL,
  label TEXT,
  source TEXT,
  PRIMARY KEY (table_id, number)
) WITHOUT ROWID;
CREATE TABLE points (
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  point INTEGER NOT NULL,
  runs INTEGER NOT NULL,
  facts TEXT NOT NULL,
  PRIMARY KEY (table_id, point)
) WITHOUT ROWID;
CREATE TABLE point_axes (
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  point INTEGER NOT NULL,
  axis TEXT NOT NULL,
  value,
  PRIMARY KEY (table_id, point, axis)
) WITHOUT ROWID;
CREATE TABLE intervals (
  table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
  point INTEGER NOT NULL,
  run INTEGER NOT NULL,
  name TEXT NOT NULL,
  statistic TEXT NOT NULL,
  unit TEXT NOT NULL,
  value REAL,
  low REAL,
  high REAL,
  confidence REAL,
  observations INTEGER NOT NULL,
  PRIMARY KEY (table_id, point, run, name, statistic)
) WITHOUT ROWID;
)sql";

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
  throw ifb::failure{IFB_E_CONFIG, file.string() + " " + why, "file"};
}

}  // namespace

void prepare_schema(const database& in, const std::filesystem::path& file) {
  sql_transaction change(in);
  const std::int64_t version = in.number("PRAGMA user_version");
  const std::int64_t owner = in.number("PRAGMA application_id");
  const bool empty = in.number("SELECT count(*) FROM sqlite_schema") == 0;
  if (owner != application && !(empty && owner == 0 && version == 0))
    refuse(file, "is the database of another program; name another file");
  if (version > schema_version)
    refuse(file, "has tables of version " + std::to_string(version) +
                     ", and this version of inferbench knows them up to " +
                     std::to_string(schema_version) + "; use a newer inferbench, or another file");
  if (empty) {
    in.execute(tables);
    in.execute("PRAGMA application_id = " + std::to_string(application));
    in.execute("PRAGMA user_version = " + std::to_string(schema_version));
  }
  change.commit();
}

}  // namespace reporters
