// A file of the hub brought into the cache.
#pragma once

#include <string>

#include <inferbench/host.hpp>

#include "cache.hpp"
#include "environment.hpp"
#include "remote.hpp"

namespace hub {

/// Makes the blob of `file`, unless it is there, and the snapshot's link to it. Takes up what an
/// earlier attempt left, checks size and, where the hub tells it, SHA-256; what is wrong is thrown
/// away and never seen by anybody. One process at a time does it for one blob. `name` is that of
/// the repository, for messages. Throws ifb::failure.
void download(ifb::host host, const environment& settings, const cache& into, remote& from,
              const std::string& name, const std::string& file, const file_facts& facts);

}  // namespace hub
