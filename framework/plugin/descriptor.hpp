// A library's description of itself, checked and completed before the host uses it. Shorter structs
// of older plugins are extended; longer structs of newer plugins are cut.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <inferbench/abi.h>

namespace inferbench::plugin {

/// The checked description. All texts point into the library. Not copyable, because `plugins`
/// points into this object.
struct descriptor {
  descriptor() = default;
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;

  std::string sdk;
  std::uint16_t abi_major = 0;
  std::uint16_t abi_minor = 0;
  std::deque<ifb_plugin> plugins;  // only plugins of a kind that this host knows
  std::deque<std::vector<ifb_option>> options;
};

/// Fills `out`. `said` is the result of the library's entry function; `file` is the name of the
/// library in errors. Throws base::error if the library refuses (nullptr), has another major
/// version, or violates the contract.
void read_descriptor(const ifb_library* said, const std::string& file, descriptor& out);

}  // namespace inferbench::plugin
