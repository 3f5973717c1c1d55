// Tails of Student's t distribution and of the noncentral t distribution. Pure functions.
// tails.cpp is the only file of the folder that includes Boost.Math, whose headers take seconds to
// compile.
#pragma once

namespace inferbench::comparison {

/// P(T > t) for Student's t with at least one degree of freedom. t may be infinite.
[[nodiscard]] double student_tail(double t, double degrees) noexcept;

/// P(T > t) for a noncentral t: (Z + shift) / sqrt(chi-squared / degrees), for a finite t.
[[nodiscard]] double shifted_tail(double t, double degrees, double shift) noexcept;

}  // namespace inferbench::comparison
