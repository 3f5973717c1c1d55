// The health figures of a worker, and its warnings about silent requests.
#include <algorithm>

#include <fmt/format.h>

#include "client/worker.hpp"

namespace inferbench::client {

namespace {

// Number of silences that are reported individually; further silences are only counted.
constexpr std::uint64_t most_named = 10;

}  // namespace

void worker::note_health() noexcept {
  health_.turns = loop_.turns();
  health_.full_batches = loop_.full_batches();
  health_.standstills = loop_.standstills();
  health_.longest_standstill_ns = loop_.longest_standstill();
  for (std::size_t i = 0; i < health_.servers.size(); ++i) {
    const transport::connection_counters& c = fleet_.pools()[i]->counters();
    server_use& use = health_.servers[i];
    use.connects = c.connects;
    use.opened_ahead = c.opened_ahead;
    use.reuses = c.reuses;
    use.closed_idle = c.closed_idle;
    use.not_reusable = c.not_reusable;
    use.retransmits = c.retransmits;
    use.small_buffers = c.small_buffers;
  }
}

void worker::on_heard(std::size_t bytes, std::uint64_t stamp) noexcept {
  health_.receive_queue.add(bytes);
  // If the stamp equals the loop's stamp, the kernel gave no stamp, for example because the socket
  // is a unix socket.
  if (loop_.wants_kernel_stamps() && stamp != loop_.stamp())
    health_.kernel_to_client.add(loop_.stamp() - std::min(stamp, loop_.stamp()));
}

void worker::on_stalled(const flight& f, const silence& so_far) {
  if (++health_.stalled > most_named || !settings_.warn) return;
  settings_.warn(fmt::format(
      "{} has been silent for {:.3g} s, {}{}", f.name(), static_cast<double>(so_far.ns) / 1e9,
      so_far.begun ? fmt::format("after {} event{}", so_far.events, so_far.events == 1 ? "" : "s")
                   : std::string("before the first byte of its answer"),
      health_.stalled == most_named ? "; further silences are only counted" : ""));
}

}  // namespace inferbench::client
