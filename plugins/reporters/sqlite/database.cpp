#include "database.hpp"

#include <cmath>
#include <limits>

#include <inferbench/guard.hpp>

namespace reporters {
namespace {

constexpr int patience_ms = 30'000;

}  // namespace

sql_statement::sql_statement(const database& in, std::string_view sql)
    : in_(&in), statement_(nullptr, &sqlite3_finalize) {
  sqlite3_stmt* made = nullptr;
  const int result =
      sqlite3_prepare_v2(in.handle(), sql.data(), static_cast<int>(sql.size()), &made, nullptr);
  statement_.reset(made);
  check(result);
}

void sql_statement::check(int result) const {
  if (result != SQLITE_OK) in_->fail("cannot use");
}

void sql_statement::reset() noexcept {
  sqlite3_reset(statement_.get());
  bound_ = 0;
}

sql_statement& sql_statement::bind(std::int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), ++bound_, value));
  return *this;
}
sql_statement& sql_statement::bind(std::uint64_t value) {
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  return bind(static_cast<std::int64_t>(value < most ? value : most));
}
sql_statement& sql_statement::bind(double value) {
  check(sqlite3_bind_double(statement_.get(), ++bound_, value));
  return *this;
}
sql_statement& sql_statement::bind(std::string_view text) {
  // A null pointer would bind NULL.
  check(sqlite3_bind_text64(statement_.get(), ++bound_, text.empty() ? "" : text.data(),
                            text.size(), SQLITE_STATIC, SQLITE_UTF8));
  return *this;
}
sql_statement& sql_statement::bind_null() {
  check(sqlite3_bind_null(statement_.get(), ++bound_));
  return *this;
}

void sql_statement::run() {
  while (next()) {
  }
}

bool sql_statement::next() {
  const int result = sqlite3_step(statement_.get());
  if (result == SQLITE_ROW) return true;
  if (result != SQLITE_DONE) {
    try {
      in_->fail("cannot write to");
    } catch (...) {
      reset();
      throw;
    }
  }
  reset();
  return false;
}

std::int64_t sql_statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string sql_statement::text(int column) const {
  const auto* text = sqlite3_column_text(statement_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return text == nullptr ? std::string{} : std::string(reinterpret_cast<const char*>(text), size);
}

database::database(const std::filesystem::path& file)
    : file_(file), handle_(nullptr, &sqlite3_close_v2) {
  sqlite3* made = nullptr;
  // A file name that begins with "file:" is no URI here.
  const std::filesystem::path name = file.is_absolute() ? file : "." / file;
  const int result =
      sqlite3_open_v2(name.c_str(), &made,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  handle_.reset(made);
  if (result != SQLITE_OK) fail("cannot open");
  sqlite3_busy_timeout(made, patience_ms);
  sqlite3_extended_result_codes(made, 1);
}

void database::execute(const std::string& sql) const {
  if (sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    fail("cannot write to");
}

std::int64_t database::number(std::string_view sql) const {
  sql_statement asked(*this, sql);
  return asked.next() ? asked.integer(0) : 0;
}

void database::use_write_ahead_log() const {
  // While another connection changes the mode, SQLite answers "locked" at once, without waiting.
  constexpr int pause_ms = 25;
  constexpr int attempts = patience_ms / pause_ms;
  for (int i = 0; i < attempts; ++i) {
    const int result = sqlite3_exec(handle(), "PRAGMA journal_mode=WAL", nullptr, nullptr, nullptr);
    if ((result & 0xFF) != SQLITE_BUSY && (result & 0xFF) != SQLITE_LOCKED) {
      if (result != SQLITE_OK) fail("cannot write to");
      return;
    }
    sqlite3_sleep(pause_ms);
  }
  fail("cannot write to");
}

void database::fail(std::string_view what) const {
  const char* reason = handle_ ? sqlite3_errmsg(handle_.get()) : "out of memory";
  throw ifb::failure{IFB_E_IO,
                     std::string(what) + " the database " + file_.string() + ": " + reason};
}

sql_transaction::~sql_transaction() {
  if (open_) sqlite3_exec(in_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void sql_transaction::commit() {
  in_.execute("COMMIT");
  open_ = false;
}

}  // namespace reporters
