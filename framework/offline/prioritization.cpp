#include "offline/prioritization.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "offline/script_prompts.hpp"

namespace inferbench::offline {

namespace {

void require_lengths(const offline_values& values) {
  const bool of_file = values.text("dataset").has_value();
  for (const char* const name : {"input-len", "output-len"})
    if (!of_file && !values.whole(name))
      throw base::error("is required without --dataset", "give the length in tokens",
                        {"--" + std::string(name)});
  if (of_file && values.whole("input-len"))
    throw base::error("cannot be used with --dataset, whose prompts have lengths of their own",
                      "leave out one of the two", {"--input-len"});
}

}  // namespace

throughput_options prioritization_options_of(const offline_line& line,
                                             const installed_names& installed) {
  const offline_values values(line);
  throughput_options out;
  out.server = values.given("base-url");
  out.engine = engine_of(line, values, installed);
  out.random_priorities = true;
  out.passed_on = line.engine;
  if (const std::string* model = line.engine.text("model")) out.model = *model;
  out.n = values.whole("n").value_or(1);
  out.detokenize = out.server || values.on("detokenize");  // a server always answers with text
  out.output_json = values.text("output-json");

  dataset_options& data = out.data;
  data.num_prompts = values.whole("num-prompts").value_or(0);
  data.path = values.text("dataset");
  require_lengths(values);
  data.input_len = values.whole("input-len");
  data.output_len = values.whole("output-len");
  if (data.path)
    read_file(data, line);
  else
    make_prompts(data, line);
  out.tokenizer = tokenizer_of_prompts(data, out.model);
  return out;
}

}  // namespace inferbench::offline
