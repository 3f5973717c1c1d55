// Finds the plugin for a name in the configuration and loads it: search, gate, load.
//
// For the name `openai`, the file backends/openai.so is searched below each folder of the search
// path. The search ends at the first file that exists; if this file cannot be used, there is an
// error. A name with a slash, such as `./file.so`, is a path. `name:id` selects one plugin from a
// library with several plugins. Libraries are never unloaded. [control]: one thread, before and
// between runs.
#pragma once

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/draft/scorer.h>

#include "base/error.hpp"

namespace inferbench::plugin {

/// The name of a kind is "backend", "dataset", "reporter", "tokenizer" or "scorer". The folder has
/// the same name with an s at the end.
[[nodiscard]] std::string_view name_of(ifb_kind kind);
[[nodiscard]] std::string folder_of(ifb_kind kind);
inline constexpr ifb_kind all_kinds[] = {IFB_BACKEND, IFB_DATASET, IFB_REPORTER, IFB_TOKENIZER,
                                         IFB_SCORER};

/// The folders in which names are searched, in this order (docs/plugin-abi.md, "How a name finds
/// its library").
struct search_path {
  std::vector<std::filesystem::path> folders;
  bool allow_unsafe = false;  // accept files that other users could have changed
  // The folder of the plugins that came with this program; one of `folders`, or empty. A file in it
  // hides files in later folders without a warning.
  std::filesystem::path builtin{};

  /// The folders are `given` (--plugin-dir), $INFERBENCH_PLUGIN_PATH,
  /// $XDG_DATA_HOME/inferbench/plugins, <executable>/../lib/inferbench/plugins,
  /// /usr/local/lib/inferbench/plugins and /usr/lib/inferbench/plugins. Environment variables are
  /// ignored if the process has elevated privileges.
  [[nodiscard]] static search_path standard(const std::vector<std::filesystem::path>& given);

  /// The environment on which the folders depend; a parameter, so that tests can set it. An empty
  /// text means that the variable is not set.
  struct surroundings {
    std::string plugin_path;  // $INFERBENCH_PLUGIN_PATH: folders, separated by colons
    std::string data_home;    // $XDG_DATA_HOME
    std::string home;         // $HOME; its .local/share is the fallback
    std::filesystem::path executable;
  };
  /// Relative folders of `given` are made absolute. Relative folders of the environment are
  /// ignored: the environment was set without knowing the current folder.
  [[nodiscard]] static search_path standard(const std::vector<std::filesystem::path>& given,
                                            const surroundings& around);
};

/// One plugin, ready to be created. Copyable; its pointers stay valid until the process ends.
struct loaded {
  // The completed descriptor. Missing optional texts are "", members that an older plugin does not
  // have are 0, and options have the stride of this build.
  const ifb_plugin* plugin = nullptr;
  std::filesystem::path file;  // symlinks resolved
  std::string sha256;          // SHA-256 of the file
  std::string sdk;             // name and version of the SDK, as the library reports them
  std::uint16_t abi_major = 0;
  std::uint16_t abi_minor = 0;
  // The descriptor in the library itself; nullptr: `plugin` is the descriptor itself.
  const ifb_plugin* own = nullptr;
  // Files in later folders of the search path that have the name of this file and other contents.
  // Empty if this file came with the program or was named by its path.
  std::vector<std::filesystem::path> hides{};

  [[nodiscard]] std::string_view id() const { return plugin->id; }
  /// The pointer that create and query of the plugin get: the descriptor in the library itself.
  [[nodiscard]] const ifb_plugin* self() const noexcept { return own == nullptr ? plugin : own; }
  /// The plugin's unchecked table for an interface, or nullptr. Works before the plugin is created.
  /// Any thread.
  [[nodiscard]] const void* query(const char* interface_id) const;
  /// The options in the order of their declaration. The plugin may have been built with any stride.
  [[nodiscard]] std::vector<const ifb_option*> options() const;
};

/// The flags of a dataset that hold whatever its options are (ifb_dataset.flags); 0 if the plugin
/// offers no dataset. Works before the plugin is created.
[[nodiscard]] std::uint32_t dataset_flags(const loaded& dataset);

/// The build of a library that the user demands. Code of another build is never run.
struct pin {
  std::string sha256;           // SHA-256 of the file, in lower case; empty: any build
  base::source_position where;  // the line of the configuration that demands this build, for the
                                // error
};

/// Finds and loads the plugin for a `name` of the configuration. Throws base::error if the plugin
/// is not found (the message contains every path tried and the nearest name), or if its file is
/// unsafe. Also throws if the file has no entry symbol, does not load (the message contains the
/// linker's reason), has the wrong version, does not contain a plugin with the id, or is not the
/// build `meant`; and if the plugin needs a later host, because of its kind or of an option.
[[nodiscard]] loaded load(ifb_kind kind, std::string_view name, const search_path& search,
                          const pin& meant = {});

/// A library's description of one of its plugins. It is made in a child process, so that no code of
/// the library runs in this process.
struct described {
  ifb_kind kind = 0;
  std::string name;  // the value for `use =`: the file name without extension; an alias has its own
                     // name
  std::string id;
  std::string version;
  std::string summary;
  std::string license;
  std::string sdk;
  std::filesystem::path file;
  std::vector<std::string> interfaces;
  struct option {
    std::string name, help, fallback, value_name, flag;
    ifb_type type = 0;
    std::uint32_t flags = 0;
    std::vector<std::string> choices;
    double minimum = 0, maximum = 0;
  };
  std::vector<option> options;
  std::string trouble;  // the reason why the plugin cannot be used; if it is not empty, only kind,
                        // name, id, file, later and found_at may be set
  bool later = false;   // the plugin is sound and needs a later host: this host skips it, and
                        // `trouble` has the reason
  // The library as the search path has it: links are not resolved. Set by list() only.
  std::filesystem::path found_at;
};

/// The command line of the child process: these words, followed by the files of one or more
/// libraries. The child must call probe_main() with these files.
struct probe_command {
  std::vector<std::string> words = {"/proc/self/exe", "plugin", "probe"};
  std::chrono::milliseconds limit{2000};  // time limit for each library
};

/// Describes every plugin file below the search path, sorted. If several files have the same kind
/// and name, only the first is listed. A plugin that can be selected only by `name:id` is listed
/// with that name. A library that crashes, exits or hangs is reported in `trouble`. Plugins for a
/// later host are last.
[[nodiscard]] std::vector<described> list(const search_path& search,
                                          const probe_command& command = {});

/// Describes each plugin in one file, with the same kind of child process. `name` is the id. If the
/// file cannot be used, the result is one element with `trouble`. Plugins for a later host are left
/// out; if the library has no other plugin, the result is one element with `trouble`.
[[nodiscard]] std::vector<described> describe(const std::filesystem::path& file,
                                              bool allow_unsafe = false,
                                              const probe_command& command = {});

/// Like describe(), but with the plugins for a later host, which come last.
[[nodiscard]] std::vector<described> describe_all(const std::filesystem::path& file,
                                                  bool allow_unsafe = false,
                                                  const probe_command& command = {});

/// A file of the search path that no name selects, because an earlier folder has the name, too.
struct hidden_file {
  ifb_kind kind = 0;
  std::string name;            // the name without extension
  std::filesystem::path file;  // links are not resolved
  std::filesystem::path by;    // the file that the name selects
};
/// The hidden files of all kinds, in the order of the folders. A link to the same library is not
/// hidden by it. Opens no file.
[[nodiscard]] std::vector<hidden_file> hidden_files(const search_path& search);

/// The main function of the child process: loads each of `files` and prints the descriptions of its
/// plugins, a line of JSON for each file, on standard output. The library itself cannot write to
/// standard output or standard error. Returns the exit status.
[[nodiscard]] int probe_main(std::span<const std::string> files);

}  // namespace inferbench::plugin
