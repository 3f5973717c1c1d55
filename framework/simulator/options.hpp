// The options of `inferbench simulate`, and how they are read from a command line.
// docs/simulator.md explains each option in detail.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "simulator/distribution.hpp"
#include "simulator/load_delay.hpp"

namespace inferbench::simulator {

struct options {
  std::string host = "127.0.0.1";  // an address of this machine, IPv4 or IPv6
  std::uint16_t port = 8000;       // 0: any free port, see server::port
  std::string model = "simulated";
  std::uint64_t max_model_len = 131072;  // tokens of prompt and answer together

  load_delay ttft = distribution::constant(50e6);  // ns, from admission
  load_delay itl = distribution::constant(10e6);   // ns, between events; 0: events are not paced
  double slowdown = 0;             // a gap takes (1 + slowdown * (running - 1)) times as long
  std::uint64_t max_num_seqs = 0;  // the most requests that run at once; 0: no limit
  std::uint64_t tokens_per_event = 1;
  std::uint64_t draft_tokens = 0;  // length of a draft in the counters of /metrics; 0: no
                                   // speculative decoding
  distribution output_tokens = distribution::lognormal(200, 0.5);  // not used if the request sets
                                                                   // ignore_eos
  std::uint64_t embedding_size = 1024;  // numbers in a vector if the request does not say how many
  bool coalesce = false;                // all due events of a stream are sent in one write
  std::uint64_t seed = 0;

  std::uint64_t prefix_cache_blocks = 65536;  // in blocks of 16 tokens; 0: no cache
  std::uint64_t max_body_bytes = 64ULL << 20U;
  std::string version = "simulator";  // the answer of /version; set by the caller, not by a flag
  std::string replay;                 // path of the recorded answers; empty: answers are generated
  std::string ground_truth;           // path of the log; empty: there is no log
  double check_media = 1;             // share of the requests whose images, videos and sounds are
                                      // checked
  double wrong_structure = 0;         // share of the answers to requests that demand a structure
                                      // which do not have it
  std::string media_facts;            // path of the log of this check; empty: there is no log
};

/// `arguments`: the words after the name of the command. Throws base::error with one line for an
/// unknown flag (with the nearest name), a missing or malformed value, or a word that is not a
/// flag. The caller handles --help.
[[nodiscard]] options parse_options(std::span<const std::string> arguments);

/// The text of `inferbench simulate --help`, which ends with a line ending.
[[nodiscard]] std::string help_text();

}  // namespace inferbench::simulator
