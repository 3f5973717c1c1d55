// The files of a model from which a tokenizer is made, read whole, with their source and a digest
// over everything that decides about ids and prompts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/host.hpp>

#include "common/hub/digest.hpp"
#include "common/hub/repository.hpp"

namespace tokenizers::model_files {

/// [one thread]
class file_set {
 public:
  /// `id`: a folder, a file in a folder (which is the model then), or a name on the hub. All
  /// functions throw ifb::failure that names `option`, the option that named the model.
  file_set(ifb::host host, const hub::environment& settings, const std::string& id,
           std::string revision, std::string option);

  /// The name of the file that was given instead of a folder, else `usual`.
  [[nodiscard]] std::string given_or(std::string_view usual) const;

  /// The text of a file, or nullopt if the model lacks it. Every file read counts for the digest.
  [[nodiscard]] std::optional<std::string> read(const std::string& name);
  /// Files directly in a folder.
  [[nodiscard]] std::vector<std::string> list(const std::string& folder);
  /// The files of a local folder with that extension, ascending. None for a repository on the hub,
  /// which is only asked for files by name.
  [[nodiscard]] std::vector<std::string> with_extension(std::string_view extension) const;
  /// The files of `names` that the model has; asks for each.
  [[nodiscard]] std::vector<std::string> present(std::initializer_list<const char*> names);

  /// Adds an option that decides about ids or prompts to the digest, under `name`.
  void decide(std::string_view name, std::string_view value);

  /// The message about a required file that is missing: why, and where it was looked for.
  [[nodiscard]] std::string missing(const std::string& name) const {
    return repository_.missing(name);
  }
  /// A folder, or "org/name@commit".
  [[nodiscard]] std::string source() const { return repository_.source(); }
  /// Lower-case hex over all files read and options added so far. Call this once.
  [[nodiscard]] std::string digest() { return digest_.finish(); }
  /// The option that named the model.
  [[nodiscard]] const std::string& option() const noexcept { return option_; }

 private:
  [[nodiscard]] std::optional<std::filesystem::path> find(const std::string& name);

  std::string option_;
  std::string file_;  // the file that was given instead of a folder
  hub::repository repository_;
  hub::sha256 digest_;
};

/// Throws IFB_E_UNSUPPORTED if a file was given whose name has an ending of `others`, and names the
/// tokenizer mode that reads it.
void refuse_file(const file_set& files,
                 std::initializer_list<std::pair<std::string_view, std::string_view>> others);

}  // namespace tokenizers::model_files
