// Options that several synthetic datasets have.
#pragma once

#include <inferbench/options.hpp>

namespace synthetic {

/// The option "range-ratio", for range_ratio::parse().
template <typename owner>
constexpr auto range_ratio_option(ifb::json_text owner::* where) {
  return ifb::option{"range-ratio", where,
                     "Spread of the lengths around their mean, below 1: a number, or "
                     "{\"input\": A, \"output\": B}.",
                     "0.0"}
      .value_name("RATIO");
}

/// The option "no-prompt-cache", for prompt_cache.hpp.
template <typename owner>
constexpr auto no_cache_option(bool owner::* where) {
  return ifb::option{"no-prompt-cache", where,
                     "Do not keep large sets of prompts on disk for the next run, nor use those "
                     "that were kept.",
                     "false"}
      .flag("no-prompt-cache");
}

}  // namespace synthetic
