// The file .sweep.json of an experiment: which parameters and commands the results of each folder
// were made with. `--resume` compares it with the parameter files, which can be edited meanwhile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace inferbench::experiment {

class sweep_manifest {
 public:
  struct entry {
    std::string serve, bench;                               // the items, as json_line() writes them
    std::vector<std::string> serve_command, bench_command;  // with the parameters

    friend bool operator==(const entry&, const entry&) = default;
  };

  /// `file` is the file that save() writes. If it is there, it is read. Throws base::error with the
  /// file and the position if it was damaged.
  explicit sweep_manifest(std::filesystem::path file);

  /// The commands of the user, without parameters. Empty if the file was not there.
  std::vector<std::string> serve_command, bench_command;
  /// plan::settings_digest. Empty if the file did not state it.
  std::string settings_digest;

  /// nullptr if the folder has no entry.
  [[nodiscard]] const entry* find(const std::string& folder) const;
  void set(const std::string& folder, entry what) { folders_[folder] = std::move(what); }

  /// The levels that were known when the search with this result file began; nullptr if it has not
  /// begun. A search that begins again with the same levels visits the same levels.
  [[nodiscard]] const std::vector<std::int64_t>* known_levels(const std::string& search) const;
  void set_known_levels(const std::string& search, std::vector<std::int64_t> levels) {
    searches_[search] = std::move(levels);
  }

  /// Replaces the file as one step. Throws base::error.
  void save() const;

 private:
  void read();
  [[nodiscard]] std::string text() const;

  std::filesystem::path file_;
  std::map<std::string, entry> folders_;
  std::map<std::string, std::vector<std::int64_t>> searches_;
};

}  // namespace inferbench::experiment
