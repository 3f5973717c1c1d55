// The times of one request from which figures are computed, and how late each time may be because
// of the client itself. The rows of table.cpp turn these times into latencies.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "client/record.hpp"
#include "metrics/latency.hpp"

namespace inferbench::metrics {

/// A number of tokens, inputs or the like of one request, between 0 and 2^32 - 1. A larger number
/// is an error of the server or the codec. Sums of limited numbers fit into 64 bits.
[[nodiscard]] std::uint32_t limited_count(std::int64_t value) noexcept;

/// The moments in an answer at which figures start or end. To add an arrival, add it here and let
/// times_of() set its stamp. Each arrival costs 12 bytes for each request of an exact summary.
enum class arrival : std::uint8_t {
  first,         // first stream event; the start if the answer has no event
  last,          // last stream event; the start if the answer has no event; the end of the answer
                 // for a pooling request
  first_text,    // first event with text
  first_answer,  // first text of the answer channel
  count          // not an arrival: the number of arrivals
};
inline constexpr auto arrivals = static_cast<std::size_t>(arrival::count);

/// The kind of a run's requests.
struct request_kind {
  bool pooling = false;
  bool paced = false;  // context::paced(); if false, requests had no due times of their own
};

/// One request that was sent. Stamps are ns of the host clock. A failed request has no arrivals.
struct request_times {
  static constexpr std::uint64_t none = UINT64_MAX;  // the stamp of an event that did not happen
  /// A lateness that does not fit in 32 bits: the whole time may be caused by the client.
  static constexpr std::uint32_t more = UINT32_MAX;

  std::uint64_t sequence = 0;
  std::uint64_t due = 0, start = 0, end = 0;
  std::uint64_t sent = none;
  std::array<std::uint64_t, arrivals> arrived = nothing();
  /// The largest possible lateness of each stamp, ns.
  std::array<std::uint32_t, arrivals> late = {};
  /// From client::lateness, in ns. `late_launch` is the lateness of the start, 0 if the run is not
  /// paced; `late_sending` is the lateness of sending.
  std::uint32_t late_launch = 0, late_sending = 0;
  std::uint32_t input = 0, output = 0;  // tokens; only of successful requests, like all members
                                        // below
  std::uint32_t events = 0;             // stream events; 0 for a pooling request
  bool ok = false;
  bool unknown = false;  // the lateness of the arrivals is not known
  /// The turn of the conversation, from 1, also of a failed request; 0: the request has no session.
  /// A turn above 65535 counts as 65535.
  std::uint16_t turn = 0;

  [[nodiscard]] std::uint64_t at(arrival which) const noexcept {
    return arrived[static_cast<std::size_t>(which)];
  }
  [[nodiscard]] bool has(arrival which) const noexcept { return at(which) != none; }

  // Latencies for the rows of the table. nullopt if one of the two stamps is missing.
  [[nodiscard]] std::optional<latency> from_start(arrival to) const noexcept;
  [[nodiscard]] std::optional<latency> from_due(arrival to) const noexcept;
  /// The time between two arrivals, divided by `parts`.
  [[nodiscard]] std::optional<latency> part(arrival from, arrival to,
                                            std::uint64_t parts) const noexcept;
  /// From due to start; nullopt if the request failed.
  [[nodiscard]] std::optional<latency> waited() const noexcept;
  /// From due to the first byte. This is the client's own delay, so too_long and too_short are 0.
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
