// Chooses the loads of a search for the largest load that meets a goal. Pure and resumable: the
// next load follows from the settings and the probes so far. One thread at a time.
//
// The highest load is first, because a hopeless load fails after few requests. Then the gap between
// the largest load that passed and the smallest that did not is halved on a logarithmic scale.
// After three loads in a row without a pass from the top the lowest load is probed, so that a goal
// that no load meets is known early. An undecided load counts as not passed. The probes that are
// left over repeat the undecided load next to the limit once, and then tighten the upper end: the
// gap between the largest undecided load and the smallest failed load. Loads are rounded to a tenth
// of the precision, so that a person can read and repeat them.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "limit/verdict.hpp"

namespace inferbench::limit {

struct search_settings {
  double lo = 1;       // above 0
  double hi = 2;       // above lo
  bool whole = false;  // only whole numbers; lo and hi are whole
  /// The search ends when the gap is at most this part of its lower load. Whole numbers end when
  /// they are adjacent.
  double precision = 0.005;
  std::size_t probes = 12;  // at most
};

/// Why a search ended.
enum class conclusion {
  open,            // next() has a load
  exact,           // the gap is as small as asked for
  hi_passed,       // the limit is hi or above it
  nothing_passed,  // not even lo passed
  probes_used,     // the gap is larger than asked for
};
/// "open", "exact", "hi_passed", "nothing_passed", "probes_used".
[[nodiscard]] std::string_view name_of(conclusion value) noexcept;

struct probed_load {
  double load = 0;
  verdict outcome = verdict::undecided;
};

struct search_result {
  std::optional<double> limit;      // the largest load that passed itself
  std::optional<double> upper_end;  // the smallest load above it that failed; nullopt: none failed
  std::vector<double> undecided;    // loads above the limit without a verdict, ascending
  conclusion why = conclusion::open;
};

class search {
 public:
  /// Throws base::error if a setting has no meaning.
  explicit search(const search_settings& settings);

  /// The next load, or nullopt when the search has ended. The same until add() is called.
  [[nodiscard]] std::optional<double> next() const;
  /// The outcome of a probe at `load`, which need not be next(): a search that is resumed adds the
  /// probes that it has. A load that passes above a load that failed is a contradiction; the limit
  /// is then the largest load that passed below the smallest load that failed.
  void add(double load, verdict outcome);

  [[nodiscard]] const std::vector<probed_load>& tried() const noexcept { return tried_; }
  [[nodiscard]] const search_settings& settings() const noexcept { return settings_; }
  /// At any time.
  [[nodiscard]] search_result result() const;

 private:
  /// The next load, or why there is none.
  struct step {
    std::optional<double> load;
    conclusion why = conclusion::open;
  };
  [[nodiscard]] step following() const;
  [[nodiscard]] std::optional<double> between(double low, double high) const;
  [[nodiscard]] std::optional<double> smallest_failed() const;
  [[nodiscard]] std::optional<double> largest_passed() const;

  search_settings settings_;
  std::vector<probed_load> tried_;
};

}  // namespace inferbench::limit
