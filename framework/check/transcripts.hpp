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

/// One recorded exchange. Its name is like "openai.json: usage in every event".
struct recorded : recorded_options {
  std::string sample;  // JSON; empty: any sample that the codec takes

  // Members for an answer. `heard` is empty if the recording has no member `heard`.
  bool bytes = false;                                         // the answer was recorded as bytes,
                                                              // not as messages
  std::vector<std::pair<std::string, std::string>> messages;  // pairs of event name and data
  answer from;
  std::vector<std::string> heard;
  std::string http;     // if `bytes`: head and body as sent over the connection
  bool closes = false;  // if `bytes`: the server closes the connection after the body

  // Members for a request.
  std::string method;                                        // empty: not recorded
  std::string target;                                        // empty: not recorded
  std::vector<std::pair<std::string, std::string>> headers;  // these headers must be sent
  std::string body;                                          // JSON; empty: not recorded
};

/// The recorded exchanges of backend `id`, in the order of file names. Throws base::error if the
/// folder cannot be read, a file is not JSON, or an entry is not understood.
[[nodiscard]] std::vector<recorded> transcripts_of(const std::filesystem::path& folder,
                                                   const std::string& id);
/// The ids of the backends that have recorded exchanges, sorted. Throws base::error
/// if the folder cannot be read or a file is not JSON; ignores entries that are not understood.
[[nodiscard]] std::vector<std::string> recorded_backends(const std::filesystem::path& folder);

/// Whether the lines `found` are the recorded lines. `error CODE` and `failed CODE` without a
/// message agree with any message. The line `end early` is compared only if it was recorded. Blanks
/// at the end of a line do not count.
[[nodiscard]] bool agrees(std::vector<std::string> found, const std::vector<std::string>& recorded);

}  // namespace inferbench::check
