// The options and texts of `inferbench long-document-qa`, upstream's
// benchmark_long_document_qa_throughput: the time of one call with long documents, each of them
// several times. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "offline/dataset_options.hpp"
#include "offline/offline_line.hpp"
#include "offline/throughput_options.hpp"
#include "options/node.hpp"

namespace inferbench::offline {

/// A value type.
struct long_document_options {
  std::string engine;     // with a server a backend of serve
  std::string model;      // empty: the default of the engine
  std::string tokenizer;  // empty: the documents are not counted
  bool server = false;    // --base-url
  dataset_options data;   // all requests, in the order of the repetitions
  std::int64_t documents = 8, output_len = 10;
  std::string repeat_mode = "random";
  std::optional<std::string> output_json;
  engine_options passed_on;  // without the flags of the command
};

/// Throws options::usage_error for what cannot be read and for an unknown --repeat-mode (status 2),
/// and base::error for a number out of range and for more than 2^31 - 1 requests (status 1).
[[nodiscard]] long_document_options long_document_options_of(const offline_line& line,
                                                             const installed_names& installed = {});

/// The documents of the warm-up, each once: the same words behind another beginning, so that they
/// share no beginning with the measured documents.
[[nodiscard]] dataset_options warmup_documents(const long_document_options& options);

/// "Repeat mode:  random" and a line break.
[[nodiscard]] std::string repeat_mode_text(const std::string& mode);
/// "Time to execute all requests: 1.2500 secs" and a line break.
[[nodiscard]] std::string long_document_text(double elapsed_s);
/// The members of --output-json, which upstream does not have. `requests`: with repetitions.
[[nodiscard]] options::node long_document_json(double elapsed_s, double warmup_s,
                                               std::size_t requests);

}  // namespace inferbench::offline
