// A connection to a database of SQLite, and its statements. For one thread at a time. Every
// function throws ifb::failure (IFB_E_IO) that names the file, what was done and SQLite's reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <sqlite3.h>

namespace reporters {

class database;

/// One statement with "?" for its values. Values are bound from left to right; run() and next()
/// execute it. Texts are borrowed until then.
class sql_statement {
 public:
  sql_statement(const database& in, std::string_view sql);

  sql_statement& bind(std::int64_t value);
  sql_statement& bind(std::uint64_t value);
  sql_statement& bind(double value);  // NaN becomes NULL
  sql_statement& bind(std::string_view text);
  sql_statement& bind_null();
  template <typename value>
  sql_statement& bind(const std::optional<value>& of) {
    return of ? bind(*of) : bind_null();
  }

  /// Executes a statement without rows, and makes it ready for new values.
  void run();
  /// Moves to the next row. Returns false after the last row; the statement is then ready for new
  /// values.
  [[nodiscard]] bool next();
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  void check(int result) const;
  void reset() noexcept;

  const database* in_;
  std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement_;
  int bound_ = 0;
};

class database {
 public:
  /// Opens the file, or creates it. Waits for other writers up to half a minute in each statement.
  explicit database(const std::filesystem::path& file);

  /// Executes statements without values.
  void execute(const std::string& sql) const;
  /// Returns the first column of the first row as a number.
  [[nodiscard]] std::int64_t number(std::string_view sql) const;
  [[nodiscard]] std::int64_t last_id() const noexcept {
    return sqlite3_last_insert_rowid(handle_.get());
  }
  /// Chooses the write-ahead log, so that readers and the writer do not wait for each other. A file
  /// system without shared memory keeps its journal.
  void use_write_ahead_log() const;

  [[nodiscard]] sqlite3* handle() const noexcept { return handle_.get(); }
  [[noreturn]] void fail(std::string_view what) const;

 private:
  std::filesystem::path file_;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> handle_;
};

/// A transaction that reserves the right to write at its beginning, so that it cannot fail half-way
/// because of another writer. It is undone unless commit() is called.
class sql_transaction {
 public:
  explicit sql_transaction(const database& in) : in_(in) { in_.execute("BEGIN IMMEDIATE"); }
  sql_transaction(const sql_transaction&) = delete;
  sql_transaction& operator=(const sql_transaction&) = delete;
  ~sql_transaction();

  void commit();

 private:
  const database& in_;
  bool open_ = true;
};

}  // namespace reporters
