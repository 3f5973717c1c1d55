#include "transport/read_history.hpp"

#include <utility>

#include <linux/sockios.h>
#include <sys/ioctl.h>

#include "transport/tcp_facts.hpp"

namespace inferbench::transport {

// True if there were as many segments as reads since the previous count. If segments are unread,
// the count would include them. In that case the result is unknown and the previous count is kept.
bool read_history::came_at_once(int socket) noexcept {
  const auto facts = tcp_facts_of(socket);
  int waiting = 0;
  if (!facts || ::ioctl(socket, SIOCINQ, &waiting) != 0 || waiting != 0) return false;
  const std::uint32_t ahead = facts->data_segments_in - reads_;
  return std::exchange(segments_ahead_, ahead) == ahead && !held_back_ && by_kernel_;
}

// The end of a TLS stream may come in the same read as data. The end of a plain connection is
// always read after its data. If epoll reported the socket, the socket was not quiet at that time.
std::uint64_t read_history::end_late(const event_loop& loop, std::uint64_t stamp) const noexcept {
  if (turn_ == loop.stamp()) return spread_;
  const std::uint64_t newest = by_kernel_ ? read_at_ : read_at_ - std::min(read_at_, spread_);
  const std::uint64_t since = turn_ > loop.quiet_at() ? newest : std::max(loop.quiet_at(), newest);
  return stamp - std::min(stamp, since);
}

}  // namespace inferbench::transport
