// What a library says about itself, checked and made whole before anything relies
// on it: shorter structs of older plugins are filled up, longer ones of newer cut.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <inferbench/abi.h>

namespace inferbench::plugin {

/// Points into the library for all texts. Not copyable: plugins point into it.
struct descriptor {
  descriptor() = default;
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;

  std::string sdk;
  std::uint16_t abi_major = 0;
  std::uint16_t abi_minor = 0;
  std::deque<ifb_plugin> plugins;  // of the kinds that this host knows
  std::deque<std::vector<ifb_option>> options;
};

/// Fills `out`. `said` is what the entry returned; `file` names the library in
/// errors. Throws base::error: refusal (nullptr), another major version, or a
/// descriptor that breaks the contract.
void read_descriptor(const ifb_library* said, const std::string& file, descriptor& out);

}  // namespace inferbench::plugin
