// The result files of an experiment: the object that a benchmark wrote, with the number of the run
// and the parameters of its combination.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <inferbench/json_reader.hpp>

#include "options/node.hpp"
#include "sweep/item.hpp"
#include "sweep/level.hpp"

namespace inferbench::experiment {

/// The object of a result file. Throws base::error, which names the file, if it cannot be read, is
/// no regular file, has more than 1 GiB, is cut, or is not an object.
[[nodiscard]] std::shared_ptr<ifb::json_document> read_result(const std::filesystem::path& file);

/// Adds `run_number`, the parameters of the server, and the parameters of the benchmark, which
/// replace parameters of the server with the same name. A key that is there keeps its place.
void enrich(ifb::json_document& result, int run_number, const sweep::item& serve,
            const sweep::item& bench);

/// The text of summary.json: an array of the runs, 4 blanks for a level.
[[nodiscard]] std::string summary_json(const std::vector<sweep::run_object>& runs);

/// A copy of `value` as JSON. A number that is not finite stays a number.
[[nodiscard]] ifb::json_value json_of(const options::node& value,
                                      ifb::json_document::AllocatorType& memory);

/// The item as a line of JSON. Two items with the same text are the same parameters in the same
/// order.
[[nodiscard]] std::string json_line(const sweep::item& item);

/// The name of the combination, which may be the default.
[[nodiscard]] std::string name_or_default(const sweep::item& item);

}  // namespace inferbench::experiment
