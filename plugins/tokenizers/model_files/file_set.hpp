// The files of a model from which a tokenizer is made. They are read completely, and their source
// is known. A digest covers everything that determines ids and prompts.
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

/// May be used by only one thread at a time.
class file_set {
 public:
  /// `id` is a folder, a file in a folder (this folder is then the model), or a name on the hub.
  /// All functions throw ifb::failure that names `option`, the option that selected the model.
  file_set(ifb::host host, const hub::environment& settings, const std::string& id,
           std::string revision, std::string option);

  /// Returns the name of the file that was given instead of a folder, otherwise `usual`.
  [[nodiscard]] std::string given_or(std::string_view usual) const;

  /// Returns the text of a file, or nullopt if the model lacks the file. Every file that is read
  /// becomes a part of the digest.
  [[nodiscard]] std::optional<std::string> read(const std::string& name);
  /// Returns the names of the files directly in a folder.
  [[nodiscard]] std::vector<std::string> list(const std::string& folder);
  /// Returns the files of a local folder that have this extension, in ascending order. For a
  /// repository on the hub the result is empty, because the hub is only asked for files by name.
  [[nodiscard]] std::vector<std::string> with_extension(std::string_view extension) const;
  /// Returns the names of the files in `names` that the model has. Asks the hub for each file.
  [[nodiscard]] std::vector<std::string> present(std::initializer_list<const char*> names);

  /// Adds an option that determines ids or prompts to the digest, under `name`.
  void decide(std::string_view name, std::string_view value);

  /// Returns the message about a missing required file: the reason, and where it was searched.
  [[nodiscard]] std::string missing(const std::string& name) const {
    return repository_.missing(name);
  }
  /// Returns a folder, or "org/name@commit".
  [[nodiscard]] std::string source() const { return repository_.source(); }
  /// Returns lower-case hexadecimal digits over all files and options so far. May be called only
  /// once.
  [[nodiscard]] std::string digest() { return digest_.finish(); }
  /// Returns the option that selected the model.
  [[nodiscard]] const std::string& option() const noexcept { return option_; }

 private:
  [[nodiscard]] std::optional<std::filesystem::path> find(const std::string& name);

  std::string option_;
  std::string file_;  // the file that was given instead of a folder
  hub::repository repository_;
  hub::sha256 digest_;
};

/// If a file was given whose name has one of the endings in `others`, throws ifb::failure,
/// IFB_E_UNSUPPORTED. The message names the tokenizer mode that reads this file.
void refuse_file(const file_set& files,
                 std::initializer_list<std::pair<std::string_view, std::string_view>> others);

}  // namespace tokenizers::model_files
