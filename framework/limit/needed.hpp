// The proof that a number of independent requests can give about a share, for the texts of a
// verdict. Pure functions. `allowed`: the share that the goal allows, between 0 and 1. `ln_pass`,
// `ln_fail`: the bounds of the evidence (confidence/anytime.hpp).
#pragma once

#include <optional>

namespace inferbench::limit {

/// The largest share over that `n` requests would have proved to be less than `allowed`, in whole
/// requests. nullopt if even no request over the limit proves nothing.
[[nodiscard]] std::optional<double> passing_share(double n, double allowed, double ln_pass);

/// The smallest share over that `n` requests would have proved to be more than `allowed`, in whole
/// requests. nullopt if not even all requests over the limit prove it.
[[nodiscard]] std::optional<double> failing_share(double n, double allowed, double ln_fail);

/// The number of requests beyond `n` that prove either, if `share` of all requests are over; an
/// estimate, since the share that was seen is not the true share. 0 if `n` are enough; nullopt if a
/// billion are not.
[[nodiscard]] std::optional<double> more_needed(double n, double share, double allowed,
                                                double ln_pass, double ln_fail);

}  // namespace inferbench::limit
