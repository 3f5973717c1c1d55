// A dry run (--dry-run): everything is prepared, and the first request is shown instead of sent.
#pragma once

#include <string>

#include "run/prepared.hpp"

namespace inferbench::run {

/// The number of requests and their lengths, and the first request as it would be sent: the request
/// line, its headers and its body. The values of the user's headers and of headers that may hold a
/// key are "(cut)". A body of more than 64 KiB is cut, and the text tells how much is missing.
/// Sends nothing to the server. Changes `with`: no run may follow. Throws base::error if the
/// dataset fails or the backend cannot make the request.
[[nodiscard]] std::string dry_run_text(prepared& with);

}  // namespace inferbench::run
