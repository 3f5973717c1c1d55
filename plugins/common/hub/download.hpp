// Downloads a file of the hub into the cache.
#pragma once

#include <string>

#include <inferbench/host.hpp>

#include "cache.hpp"
#include "environment.hpp"
#include "remote.hpp"

namespace hub {

/// Creates the blob of `file`, unless it exists, and the snapshot's link to it. Resumes an earlier
/// attempt. Checks the size and, if the hub reports it, the SHA-256. A wrong file is deleted before
/// other processes can see it. Only one process at a time downloads a blob. `name` is the
/// repository's name, for messages. Throws ifb::failure.
void download(ifb::host host, const environment& settings, const cache& into, remote& from,
              const std::string& name, const std::string& file, const file_facts& facts);

}  // namespace hub
