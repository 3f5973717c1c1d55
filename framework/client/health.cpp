#include "client/health.hpp"

namespace inferbench::client {

void server_use::add(const server_use& other) noexcept {
  requests += other.requests;
  connects += other.connects;
  opened_ahead += other.opened_ahead;
  reuses += other.reuses;
  closed_idle += other.closed_idle;
  not_reusable += other.not_reusable;
  sent_again += other.sent_again;
  retransmits += other.retransmits;
  small_buffers += other.small_buffers;
}

}  // namespace inferbench::client
