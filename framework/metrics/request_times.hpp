// The times of one request that figures are computed from, and how late each of them may be because
// of the client itself. The rows of table.cpp turn them into latencies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "client/record.hpp"
#include "metrics/latency.hpp"

namespace inferbench::metrics {

/// The arrivals of an answer that figures start or end at. A new one is added here, and times_of()
/// sets its stamp; it costs 12 bytes for each request of an exact summary.
enum class arrival : std::uint8_t {
  first,         // stream event; of an answer without any, the start
  last,          // stream event, likewise; of a pooling request the end of the answer
  first_text,    // event with text
  first_answer,  // text of the answer channel
  count          // no arrival: how many there are
};
inline constexpr auto arrivals = static_cast<std::size_t>(arrival::count);

/// The kind of a run's requests.
struct request_kind {
  bool pooling = false;
  bool paced = false;  // context::paced(); otherwise nothing was due at a time of its own
};

/// One request that was sent. Stamps are ns of the host clock. The arrivals of a request that
/// failed are not known.
struct request_times {
  static constexpr std::uint64_t none = UINT64_MAX;  // a stamp of something that did not happen
  /// A lateness that is too large for its place: any part of the time.
  static constexpr std::uint32_t more = UINT32_MAX;

  std::uint64_t sequence = 0;
  std::uint64_t due = 0, start = 0, end = 0;
  std::uint64_t sent = none;
  std::array<std::uint64_t, arrivals> arrived = nothing();
  /// The most that each stamp can be too late.
  std::array<std::uint32_t, arrivals> late = {};
  /// client::lateness: of the start, 0 if the run is not paced, and of the first byte.
  std::uint32_t late_launch = 0, late_sending = 0;
  std::uint32_t input = 0, output = 0;  // tokens; of successes alone, like the rest
  std::uint32_t events = 0;             // of the stream; none of a pooling request
  bool ok = false;
  bool unknown = false;  // the lateness of its arrivals is not known

  [[nodiscard]] std::uint64_t at(arrival which) const noexcept {
    return arrived[static_cast<std::size_t>(which)];
  }
  [[nodiscard]] bool has(arrival which) const noexcept { return at(which) != none; }

  // Latencies for the rows of the table; nullopt if one of the two stamps is missing.
  [[nodiscard]] std::optional<latency> from_start(arrival to) const noexcept;
  [[nodiscard]] std::optional<latency> from_due(arrival to) const noexcept;
  /// One of `parts` equal parts of the time between two arrivals.
  [[nodiscard]] std::optional<latency> part(arrival from, arrival to,
                                            std::uint64_t parts) const noexcept;
  /// From due to start, of successes.
  [[nodiscard]] std::optional<latency> waited() const noexcept;
  /// From due to the first byte. The client's own delay, so that it has no limits.
  [[nodiscard]] std::optional<latency> sent_after_due() const noexcept;

 private:
  static constexpr std::array<std::uint64_t, arrivals> nothing() noexcept {
    std::array<std::uint64_t, arrivals> out{};
    out.fill(none);
    return out;
  }
};

[[nodiscard]] request_times times_of(const client::record& record, const request_kind& kind);

}  // namespace inferbench::metrics
