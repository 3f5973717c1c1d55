#include "scan.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <inferbench/guard.hpp>

#include "datasets/common/json_array.hpp"
#include "turn_counter.hpp"

namespace sharegpt {

namespace {

struct tally {
  std::uint64_t count = 0;
  std::uint64_t first = 0;  // number of the first record
};

}  // namespace

record_index scan(ifb::host host, const files::text_file& file, layout wanted) {
  // bytes between two progress reports to the host
  constexpr std::size_t step = std::size_t{16} << 20U;
  const std::size_t least = wanted == layout::pairs ? 2 : 1;
  record_index out;
  std::array<tally, 5> dropped{};
  turn_counter turns;
  files::array_walk walk(file);
  std::size_t told = 0;
  while (const auto offset = walk.next(turns)) {
    const verdict found = turns.result(least);
    if (found == verdict::row) {
      out.add({*offset, walk.count()},
              wanted == layout::conversations ? std::string_view(turns.id()) : std::string_view());
    } else {
      tally& seen = dropped[static_cast<std::size_t>(found)];
      if (seen.count++ == 0) seen.first = walk.count();
    }
    turns.reset();
    if (walk.offset() - told < step) continue;
    told = walk.offset();
    host.progress().report("reading " + file.path(), told, file.text().size());
    if (host.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
  }
  out.close();
  for (std::size_t i = 0; i < dropped.size(); ++i) {
    if (dropped[i].count == 0) continue;
    host.warn(std::to_string(dropped[i].count) + (dropped[i].count == 1 ? " record" : " records") +
              " dropped: " + std::string(text_of(static_cast<verdict>(i), least)) +
              " (first: record " + std::to_string(dropped[i].first) + " of " + file.path() + ")");
  }
  return out;
}

}  // namespace sharegpt
