// The settings for Hugging Face's hub from the user's environment. They are read in the same way as
// in huggingface_hub.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace hub {

/// A plain value: its owner may change the members, as tests do.
struct environment {
  std::filesystem::path cache;  // HF_HUB_CACHE, else HF_HOME/hub, else below ~/.cache/huggingface
  std::string endpoint;         // HF_ENDPOINT, without a slash at its end
  std::string token;            // HF_TOKEN, else the file of the login command; may be empty
  bool offline = false;         // HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE
  std::string certificates;  // a file of trusted certificates instead of the system's; may be empty
  std::chrono::milliseconds connect_timeout{10'000};  // HF_HUB_ETAG_TIMEOUT
  // HF_HUB_DOWNLOAD_TIMEOUT: maximum time without data
  std::chrono::milliseconds silence_timeout{10'000};
  int attempts = 5;  // maximum attempts for a request whose failure may be temporary
  std::chrono::milliseconds pause{1'000};  // between two attempts, doubled each time
  // in bytes; a larger file is refused before the download
  std::uint64_t largest_file = 2ULL << 30U;
};

/// Returns the value of an environment variable, or null.
using variables = std::function<const char*(const char*)>;

/// [any thread] Reads only the file of the token. Never throws because of the file's content.
[[nodiscard]] environment read_environment(const variables& lookup);
/// Reads the environment of the process.
[[nodiscard]] environment read_environment();

/// Replaces the "~" in "~" and "~/..." with the user's home folder.
[[nodiscard]] std::string expand_home(const std::string& path, const variables& lookup);

}  // namespace hub
