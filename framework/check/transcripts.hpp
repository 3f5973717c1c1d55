// Recorded exchanges, from the JSON files of a folder. Three forms of file are known
// (docs/plugin-check.md): a list of answers, message by message or as bytes; a list of
// requests; and an object with samples and the requests that they become.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "check/player.hpp"

namespace inferbench::check {

/// Its name is like "openai.json: usage in every event".
struct recorded : recorded_options {
  std::string sample;  // JSON, or empty: one that the codec takes

  // Of an answer; `heard` is empty where it has none.
  bool bytes = false;                                         // else messages
  std::vector<std::pair<std::string, std::string>> messages;  // event name, data
  answer from;
  std::vector<std::string> heard;
  std::string http;     // of bytes: head and body as they come over the connection
  bool closes = false;  // and then the server closes it

  // Of a request.
  std::string target;  // empty: not recorded
  std::string body;    // JSON; empty: not recorded
};

/// Those of backend `id`, in the order of file names. Throws base::error: a folder that
/// cannot be read, a file that is no JSON, or an entry that is not understood.
[[nodiscard]] std::vector<recorded> transcripts_of(const std::filesystem::path& folder,
                                                   const std::string& id);
/// The ids of backends for which there are any, sorted. Throws as transcripts_of() does, but for
/// entries.
[[nodiscard]] std::vector<std::string> recorded_backends(const std::filesystem::path& folder);

}  // namespace inferbench::check
