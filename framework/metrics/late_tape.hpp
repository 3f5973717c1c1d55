// How late the stamps of stream events may be. The tape of the gaps has the same order. Each event
// that may be late costs 8 bytes; an event that is on time costs nothing. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "client/record.hpp"
#include "metrics/chunks.hpp"

namespace inferbench::metrics {

/// The lateness of one record's stamps, event by event. Entries that are out of order are skipped;
/// only a damaged journal has such entries. The record must outlive the reader.
class late_reader {
 public:
  explicit late_reader(const client::record& of) {
    if (!of.late.unknown) left_ = of.late.events;
  }

  /// The lateness of the next event, ns.
  std::uint32_t next() {
    const std::size_t event = event_++;
    while (!left_.empty() && left_.front().event < event)
      left_ = left_.subspan(1);
    return !left_.empty() && left_.front().event == event ? left_.front().ns : 0;
  }

 private:
  std::span<const client::late_event> left_;
  std::size_t event_ = 0;
};

class late_tape {
  /// `ns` is the lateness of one event. `skipped` is the number of events before it that are on
  /// time, since the previous entry.
  struct entry {
    std::uint32_t skipped;
    std::uint32_t ns;
  };
  using entries = chunks<entry, 512>;

 public:
  /// Appends the events of one request.
  void append(const client::record& of) {
    if (of.late.events.empty() || of.late.unknown) {
      on_time_ += of.tokens.size();
      return;
    }
    late_reader late(of);
    for (std::size_t i = of.tokens.size(); i > 0; --i)
      push(late.next());
  }

  [[nodiscard]] bool empty() const noexcept { return entries_.size() == 0; }
  [[nodiscard]] std::size_t bytes() const noexcept { return empty() ? 0 : entries_.bytes(); }

  /// Reads a tape from its beginning. Must not be used after an event is appended.
  class reader {
   public:
    explicit reader(const late_tape& from) : next_(from.entries_) { take(); }

    /// The lateness of the next event, in ns. Continues with the next request after the last event
    /// of a request. 0 after the last event of the tape.
    std::uint32_t next() {
      if (skipped_-- != 0) return 0;
      const std::uint32_t ns = ns_;
      take();
      return ns;
    }

   private:
    void take() {
      if (const entry* e = next_.next()) {
        skipped_ = e->skipped;
        ns_ = e->ns;
      } else {
        skipped_ = UINT64_MAX;
      }
    }

    entries::reader next_;
    std::uint64_t skipped_ = 0;
    std::uint32_t ns_ = 0;
  };

 private:
  void push(std::uint32_t ns) {
    if (ns == 0) {
      ++on_time_;
      return;
    }
    // `skipped` has only 32 bits. If more events are on time, further entries are added. An entry
    // of 0 ns also represents an event that is on time.
    for (; on_time_ > UINT32_MAX; on_time_ -= std::uint64_t{UINT32_MAX} + 1)
      entries_.push_back({UINT32_MAX, 0});
    entries_.push_back({static_cast<std::uint32_t>(on_time_), ns});
    on_time_ = 0;
  }

  entries entries_;
  std::uint64_t on_time_ = 0;  // number of events on time since the last entry
};

}  // namespace inferbench::metrics
