// The journal of a run: an append-only file of records as they complete, from which everything
// after the client can be computed again (`inferbench report`). Format: docs/journal-format.md.
// Written by the collector's thread alone.
//
// Records are gathered and written when 256 KiB are full or the oldest record has waited for one
// second. So a crash of the process loses at most the last second (or 256 KiB). The file is
// synced at its end only, so a crash of the machine loses what the kernel had not written, as a
// rule the last 30 seconds. Either way everything in the file that is not damaged can be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "base/clock.hpp"
#include "base/fd.hpp"
#include "base/log.hpp"
#include "client/record.hpp"

namespace inferbench::records {

/// The first frame: facts that are known when the run begins.
struct run_information {
  std::string name;                  // of the run
  std::uint64_t started_ns = 0;      // host clock, when traffic began
  std::int64_t started_unix_ns = 0;  // the same moment, since 1970
  std::string config_json;           // the plan; secrets are replaced by "(cut)"
  std::string environment_json;      // host, plugins with version and digest

  friend bool operator==(const run_information&, const run_information&) = default;
};

/// The last frame: facts that are known when the run is over. A journal without it is the
/// journal of a run that died.
struct run_end {
  std::int64_t finished_unix_ns = 0;
  std::uint64_t duration_ns = 0;  // of the measured traffic
  bool interrupted = false;       // stopped before its end
  std::uint64_t planned = 0;      // requests that the run was to send
  std::string facts_json;         // about the client (run/end_facts.hpp): an object, or empty

  friend bool operator==(const run_end&, const run_end&) = default;
};

class journal {
 public:
  static constexpr std::size_t buffer_bytes = 256U * 1024U;
  static constexpr std::uint64_t buffer_ns = base::ns_per_s;

  /// Creates or replaces `path` and writes the first frame; throws base::error
  /// when either fails. `clock` and `log` must outlive the journal.
  journal(const std::filesystem::path& path, const run_information& run, const base::clock& clock,
          base::log& log);
  journal(const journal&) = delete;
  journal& operator=(const journal&) = delete;
  /// Writes the buffered records. Without end() the file lacks its last frame.
  ~journal();

  /// Throws nothing. The first write error is logged as a warning and ends the journal where
  /// it is; the run goes on, and later calls do nothing.
  void append(const client::record& record);
  /// Call this at least about once a second: no record then waits longer than that.
  void tick();
  /// Writes the last frame and waits until the disk has everything.
  void end(const run_end& end);

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  /// A write failed: the file ends early.
  [[nodiscard]] bool failed() const noexcept { return failed_; }

 private:
  void write_out();
  void give_up(const std::string& why);

  std::filesystem::path path_;
  const base::clock& clock_;
  base::log& log_;
  base::fd file_;
  std::string buffer_;
  std::uint64_t oldest_ns_ = 0;  // when the first byte of buffer_ came
  bool failed_ = false;
};

}  // namespace inferbench::records
