// A file of the hub brought into the cache.
#pragma once

#include <string>

#include <inferbench/host.hpp>

#include "cache.hpp"
#include "environment.hpp"
#include "remote.hpp"

namespace hub {

/// Makes the blob of `file`, unless it is there, and the snapshot's link to it. Resumes an earlier
/// attempt, checks the size and, if the hub states it, SHA-256; a wrong file is deleted before it
/// is visible. One process at a time does it for one blob. `name`: the repository's, for messages.
/// Throws ifb::failure.
void download(ifb::host host, const environment& settings, const cache& into, remote& from,
              const std::string& name, const std::string& file, const file_facts& facts);

}  // namespace hub
