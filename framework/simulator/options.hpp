// The options of `inferbench simulate`, and reading them from a command line.
// docs/simulator.md explains each at length.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "simulator/distribution.hpp"

namespace inferbench::simulator {

struct options {
  std::string host = "127.0.0.1";  // an address of this machine, IPv4 or IPv6
  std::uint16_t port = 8000;       // 0: any free one, see server::port
  std::string model = "simulated";
  std::uint64_t max_model_len = 131072;  // tokens of prompt and answer together

  distribution ttft = distribution::constant(50e6);  // ns, from admission
  distribution itl = distribution::constant(10e6);   // ns, between events; 0: unpaced
  double slowdown = 0;             // a gap takes (1 + slowdown * (running - 1)) times as long
  std::uint64_t max_num_seqs = 0;  // running requests; 0: no cap
  std::uint64_t tokens_per_event = 1;
  std::uint64_t draft_tokens = 0;  // of speculative decoding, as /metrics counts it; 0: none
  distribution output_tokens = distribution::lognormal(200, 0.5);  // unless ignore_eos
  bool coalesce = false;  // all events that are due leave in one write
  std::uint64_t seed = 0;

  std::uint64_t prefix_cache_blocks = 65536;  // of 16 tokens; 0: no cache
  std::uint64_t max_body_bytes = 64ULL << 20U;
  std::string version = "simulator";  // the answer of /version; set by the caller, no flag
  std::string replay;                 // path of recorded answers; empty: none
  std::string ground_truth;           // path of the log; empty: none is kept
};

/// `arguments`: what follows the command's name. Throws base::error, one line, for
/// an unknown flag (with the nearest name), a missing or malformed value, or a word
/// that is no flag. --help is the caller's business.
[[nodiscard]] options parse_options(std::span<const std::string> arguments);

/// The text of `inferbench simulate --help`, with a line end.
[[nodiscard]] std::string help_text();

}  // namespace inferbench::simulator
