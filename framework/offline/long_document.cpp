#include "offline/long_document.hpp"

#include <array>

#include <fmt/format.h>

#include "offline/script_prompts.hpp"

namespace inferbench::offline {

long_document_options long_document_options_of(const offline_line& line,
                                               const installed_names& installed) {
  static const std::array<std::string, 3> modes{"random", "tile", "interleave"};
  const offline_values values(line);
  long_document_options out;
  out.server = values.given("base-url");
  out.engine = engine_of(line, values, installed);
  out.repeat_mode = values.choice("repeat-mode", modes);
  const std::int64_t length = values.whole("document-length").value_or(0);
  out.documents = values.whole("num-documents").value_or(out.documents);
  out.output_len = values.whole("output-len").value_or(out.output_len);
  const std::int64_t repeats = values.whole("repeat-count").value_or(1);
  const std::int64_t shuffle_seed = values.whole("shuffle-seed").value_or(0);
  out.output_json = values.text("output-json");
  out.passed_on = line.engine;
  if (const std::string* model = line.engine.text("model")) out.model = *model;

  make_prompts(out.data, line);
  out.tokenizer = tokenizer_of_prompts(out.data, out.model);
  require_countable(out.documents, repeats);
  out.data.num_prompts = out.documents * repeats;
  out.data.output_len = out.output_len;
  out.data.own_flags = {{"long-document-length", std::to_string(length)},
                        {"long-document-count", std::to_string(out.documents)},
                        {"long-document-repeat-count", std::to_string(repeats)},
                        {"long-document-repeat-mode", out.repeat_mode},
                        {"long-document-shuffle-seed", std::to_string(shuffle_seed)}};
  return out;
}

dataset_options warmup_documents(const long_document_options& options) {
  dataset_options out = options.data;
  out.num_prompts = options.documents;
  out.own_flags.emplace_back("long-document-warm-up", "true");
  return out;
}

std::string repeat_mode_text(const std::string& mode) { return "Repeat mode:  " + mode + "\n"; }

std::string long_document_text(double elapsed_s) {
  return fmt::format("Time to execute all requests: {:.4f} secs\n", elapsed_s);
}

options::node long_document_json(double elapsed_s, double warmup_s, std::size_t requests) {
  using options::node;
  node out = node::table();
  out.set("elapsed_time", node::of(elapsed_s));
  out.set("num_requests", node::of(static_cast<std::int64_t>(requests)));
  out.set("warmup_time", node::of(warmup_s));
  return out;
}

}  // namespace inferbench::offline
