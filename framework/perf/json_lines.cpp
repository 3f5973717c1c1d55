#include "perf/json_lines.hpp"

#include "pytext/python_json.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::perf {

std::string json_lines(const options::node& value) {
  // The printer with indentation takes a document; the files are small.
  const ifb::json_document document =
      pytext::read_json_document(pytext::python_json(value), "this program");
  return pytext::python_json(document, 2) + "\n";
}

}  // namespace inferbench::perf
