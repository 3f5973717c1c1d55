#include "client/fleet.hpp"

#include "client/engine_flight.hpp"

namespace inferbench::client {

fleet::fleet(const backend& shared, transport::event_loop& loop, flight_owner& owner)
    : shared_(shared), loop_(loop), owner_(owner), heads_(shared) {
  if (shared_.engine) {
    port_.emplace(shared_, loop_, owner_);
    if (shared_.engine->ops.blocks()) threads_.emplace();
    return;
  }
  for (const transport::endpoint* server : shared_.servers)
    pools_.push_back(std::make_unique<transport::connection_pool>(loop_, *server));
  rests_.emplace(loop_);
  large_.emplace(loop_);
}

std::unique_ptr<flight> fleet::make() {
  if (port_)
    return std::make_unique<engine_flight>(shared_, *port_, threads_ ? &*threads_ : nullptr, loop_,
                                           owner_);
  return std::make_unique<http_flight>(shared_, flight_parts{heads_, pools_, *rests_, *large_},
                                       loop_, owner_);
}

void fleet::close() {
  large_.reset();
  rests_.reset();
  pools_.clear();
  threads_.reset();
  collect();
}

}  // namespace inferbench::client
