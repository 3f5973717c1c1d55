// The settings for Hugging Face's hub in the user's environment, read as huggingface_hub reads
// them.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace hub {

/// A value that its owner may change, as tests do.
struct environment {
  std::filesystem::path cache;  // HF_HUB_CACHE, else HF_HOME/hub, else below ~/.cache/huggingface
  std::string endpoint;         // HF_ENDPOINT, without a slash at its end
  std::string token;            // HF_TOKEN, else from the file of the login command; or empty
  bool offline = false;         // HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE
  std::string certificates;     // a file of certificates to trust instead of the system's, or empty
  std::chrono::milliseconds connect_timeout{10'000};  // HF_HUB_ETAG_TIMEOUT
  std::chrono::milliseconds silence_timeout{10'000};  // HF_HUB_DOWNLOAD_TIMEOUT: without a byte
  int attempts = 5;                                   // of a request whose failure may be temporary
  std::chrono::milliseconds pause{1'000};             // between two attempts, doubled each time
  std::uint64_t largest_file = 2ULL << 30U;  // bytes; a bigger one is refused before it is fetched
};

/// The value of a variable, or null.
using variables = std::function<const char*(const char*)>;

/// [any] Reads no file but the token's. Never throws because of the file's content.
[[nodiscard]] environment read_environment(const variables& lookup);
/// The environment of the process.
[[nodiscard]] environment read_environment();

/// "~" and "~/..." made a path in the user's home.
[[nodiscard]] std::string expand_home(const std::string& path, const variables& lookup);

}  // namespace hub
