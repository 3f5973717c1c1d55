// A library's description of itself, checked and completed before the host uses it. Shorter structs
// of older plugins are extended; longer structs of newer plugins are cut.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <inferbench/abi.h>

namespace inferbench::plugin {

/// The completed description of a plugin.
struct completed_plugin : ifb_plugin {
  const ifb_plugin* own = nullptr;  // the description in the library itself
};

/// A plugin that keeps the contract and needs a later version of the host.
struct later_plugin {
  ifb_kind kind = 0;
  std::string id;
  std::string why;  // "is of kind 5, which this host does not know"
};

/// The checked description. All texts point into the library. Not copyable, because `plugins`
/// points into this object.
struct descriptor {
  descriptor() = default;
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;

  std::string sdk;
  std::uint16_t abi_major = 0;
  std::uint16_t abi_minor = 0;
  std::deque<completed_plugin> plugins;  // only plugins that this host can use
  std::vector<later_plugin> later;       // the other plugins
  std::deque<std::vector<ifb_option>> options;
};

/// The version of the contract of this host: "1.0", or "1.0-rc2" before the release.
[[nodiscard]] std::string abi_of_host();

/// Fills `out`. `said` is the result of the library's entry function; `file` is the name of the
/// library in errors. Throws base::error if the library refuses (nullptr), has another major
/// version, or violates the contract.
void read_descriptor(const ifb_library* said, const std::string& file, descriptor& out);

}  // namespace inferbench::plugin
