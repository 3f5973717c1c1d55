// The journal of a run: an append-only file of the records, in the order of their completion. All
// results can be computed again from it (`inferbench report`). Format: docs/journal-format.md. Only
// the collector's thread writes it.
//
// Records are buffered. They are written when the buffer has 256 KiB or the oldest record has
// waited for one second. So a crash of the process loses at most the last second (or 256 KiB). The
// file is synced only at the end of the run. So a crash of the machine loses the data that the
// kernel had not written, usually the last 30 seconds. In both cases, everything in the file that
// is not damaged can be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/clock.hpp"
#include "base/fd.hpp"
#include "base/log.hpp"
#include "client/record.hpp"
#include "records/observation.hpp"

namespace inferbench::records {

/// The first frame: facts that are known when the run begins.
struct run_information {
  std::string name;                  // the name of the run
  std::uint64_t started_ns = 0;      // when traffic began, by the host clock
  std::int64_t started_unix_ns = 0;  // the same moment, in ns since 1970
  std::string config_json;           // the plan; secrets are replaced by "(cut)"
  std::string environment_json;      // host, plugins with version and digest

  friend bool operator==(const run_information&, const run_information&) = default;
};

/// The last frame: facts that are known when the run is over. If a journal does not have it, the
/// run did not end normally.
struct run_end {
  std::int64_t finished_unix_ns = 0;
  std::uint64_t duration_ns = 0;  // duration of the measured traffic
  bool interrupted = false;       // the run was stopped before its end
  std::uint64_t planned = 0;      // number of requests in the schedule of the run
  std::string facts_json;         // facts about the client (run/end_facts.hpp): a JSON object, or
                                  // empty

  friend bool operator==(const run_end&, const run_end&) = default;
};

class journal {
 public:
  static constexpr std::size_t buffer_bytes = 256U * 1024U;
  static constexpr std::uint64_t buffer_ns = base::ns_per_s;

  /// Creates or replaces the file `path` and writes the first frame. Throws base::error if one of
  /// these fails. `clock` and `log` must outlive the journal.
  journal(const std::filesystem::path& path, const run_information& run, const base::clock& clock,
          base::log& log);
  journal(const journal&) = delete;
  journal& operator=(const journal&) = delete;
  /// Writes the buffered records. If end() was not called, the file has no last frame.
  ~journal();

  /// Adds a record. Does not throw. The first write error is logged as a warning and ends the
  /// journal at this place. The run continues, and later calls do nothing.
  void append(const client::record& record);
  /// Adds what was read from a server's metrics page, with the same promises.
  void append(const observation& what);
  /// Writes the buffer if its oldest record has waited for one second. Call this about once a
  /// second.
  void tick();
  /// Writes the last frame and waits until all data is on the disk.
  void end(const run_end& end);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  /// True if a write has failed. In that case the file is incomplete.
  [[nodiscard]] bool failed() const noexcept { return failed_; }

 private:
  void write_out();
  void give_up(const std::string& why);

  std::filesystem::path path_;
  const base::clock& clock_;
  base::log& log_;
  base::fd file_;
  std::string buffer_;
  std::uint64_t oldest_ns_ = 0;  // when the first byte was added to buffer_, by the host clock
  bool failed_ = false;
};

}  // namespace inferbench::records
