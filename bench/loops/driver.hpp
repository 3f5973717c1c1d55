// The common parts of the clients of bench/loops: command line, connections, the number of requests
// that are still to be sent, and the totals printed at the end.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "../common/arguments.hpp"
#include "../common/system.hpp"
#include "../common/totals.hpp"
#include "answer.hpp"

namespace inferbench::bench {

class driver {
 public:
  /// If the command line is invalid, prints the usage and returns nullopt.
  static std::optional<driver> make(int count, char** words) {
    arguments given;
    given.json = true;
    if (parse(count, words, given) && given.rate == 0 && given.stamps.empty())
      return driver(std::move(given));
    std::fprintf(stderr, "usage: %s %s  without --rate and --stamps\n", words[0], usage);
    return {};
  }

  /// Opens a blocking socket for each stream. Empty if a connection fails.
  [[nodiscard]] std::vector<int> connect() {
    raise_descriptor_limit();
    std::vector<int> sockets;
    for (std::uint64_t i = 0; i < given_.streams; ++i) {
      sockets.push_back(connected(given_.addresses[i % given_.addresses.size()], given_.port));
      if (sockets.back() < 0) return {};
    }
    start_ = now_ns();
    end_ = start_ + given_.seconds * 1'000'000'000U;
    return sockets;
  }

  /// Returns true if the caller must send one more request; text() returns the request.
  [[nodiscard]] bool take() {
    if (given_.requests != 0 ? sent_ >= given_.requests : now_ns() >= end_) return false;
    ++sent_;
    return true;
  }
  [[nodiscard]] bool over() const { return all.requests == sent_; }
  [[nodiscard]] const std::string& text() const { return text_; }

  int finish(const char* program) {
    all.wall_s = static_cast<double>(now_ns() - start_) / 1e9;
    print(program, all);
    return 0;
  }

  totals all;

 private:
  explicit driver(arguments given) : given_(std::move(given)), text_(request_text(given_)) {}

  arguments given_;
  std::string text_;
  std::uint64_t sent_ = 0;
  std::uint64_t start_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace inferbench::bench
