// Collects the faults of structs of the draft inferbench.batch-engine: the parts that all of them
// have, such as texts, measures and lists. Used by one thread.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/draft/batch_engine.h>

#include "check/outcome.hpp"

namespace inferbench::check {

class batch_inspection {
 public:
  [[nodiscard]] std::vector<finding> take() { return std::move(faults_); }

  /// Adds the fault of the member `path`, unless the same member of another element of the list has
  /// the same kind of fault. `what` follows the path: "is 0".
  void fail(const std::string& path, const std::string& what, const std::string& remedy);
  /// Adds a warning, a whole clause without numbers, unless it was added before.
  void warn(const std::string& what, const std::string& remedy);

  void text(const std::string& path, ifb_str value);
  void reserved(const std::string& path, std::uint32_t value);
  /// Whether the elements of a list can be read. `size`: the size of the struct in this draft.
  [[nodiscard]] bool list(const std::string& path, const void* first, std::uint32_t count,
                          std::uint32_t stride, std::size_t size);
  /// Whether the struct at `path` is as long as in this draft.
  [[nodiscard]] bool size(const std::string& path, std::uint32_t struct_size, std::size_t size);
  void measures(const std::string& path, const ifb_measure_list& list);

 private:
  void measure(const std::string& path, const ifb_measure& value);

  std::vector<finding> faults_;
  std::set<std::string> known_;  // members and remedies of faults_
};

}  // namespace inferbench::check
