// From a name in the configuration to a plugin in memory: search, gate, load.
//
// `openai` is looked for as backends/openai.so below each folder of the search path. The first
// file that exists decides; if it cannot be used, that is an error and not a reason to look
// further. `file.so` with a slash is taken as a path, and `name:id` picks one plugin of a
// library that holds several. Libraries are never unloaded. [control]: one thread, before and
// between runs.
#pragma once

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

#include "base/error.hpp"

namespace inferbench::plugin {

/// "backend", "dataset", "reporter", "tokenizer"; the folder adds an s.
[[nodiscard]] std::string_view name_of(ifb_kind kind);
[[nodiscard]] std::string folder_of(ifb_kind kind);
inline constexpr ifb_kind all_kinds[] = {IFB_BACKEND, IFB_DATASET, IFB_REPORTER, IFB_TOKENIZER};

/// The folders in which names are looked for, in order (docs/plugin-abi.md, "How a name finds
/// its library").
struct search_path {
  std::vector<std::filesystem::path> folders;
  bool allow_unsafe = false;  // accept files that other users could have changed

  /// `given` (--plugin-dir), $INFERBENCH_PLUGIN_PATH, $XDG_DATA_HOME/inferbench/plugins,
  /// <executable>/../lib/inferbench/plugins, /usr/local/lib..., /usr/lib.... Environment
  /// variables are ignored when the process has elevated privileges.
  [[nodiscard]] static search_path standard(const std::vector<std::filesystem::path>& given);

  /// The environment that the folders depend on, as a parameter for tests. Empty text: not set.
  struct surroundings {
    std::string plugin_path;  // $INFERBENCH_PLUGIN_PATH: folders with a colon between
    std::string data_home;    // $XDG_DATA_HOME
    std::string home;         // $HOME; its .local/share is the fallback
    std::filesystem::path executable;
  };
  /// Relative folders of `given` are made absolute. Relative folders of the environment are
  /// ignored, since the current folder was not chosen for them.
  [[nodiscard]] static search_path standard(const std::vector<std::filesystem::path>& given,
                                            const surroundings& around);
};

/// One plugin, ready to be created. Copyable: points to memory that stays.
struct loaded {
  // The completed descriptor: texts that the plugin may leave out are "", members that an
  // older plugin lacks are 0, options have the stride of this build.
  const ifb_plugin* plugin = nullptr;
  std::filesystem::path file;  // symlinks resolved
  std::string sha256;          // of the file
  std::string sdk;             // the SDK that the library names
  std::uint16_t abi_major = 0;
  std::uint16_t abi_minor = 0;

  [[nodiscard]] std::string_view id() const { return plugin->id; }
  /// The options in the order of their declaration, whatever stride the plugin was built with.
  [[nodiscard]] std::vector<const ifb_option*> options() const;
};

/// The build of a library that is meant; no code of another build is run.
struct pin {
  std::string sha256;           // of the file, in lower case; empty: any
  base::source_position where;  // the line that demands it, for the error
};

/// Finds and loads a plugin; `name` is as in the configuration. Throws base::error: not found
/// (with every path tried and the nearest name), unsafe file, no entry symbol, does not load
/// (with the linker's reason), wrong version, no such id, another build than `meant`.
[[nodiscard]] loaded load(ifb_kind kind, std::string_view name, const search_path& search,
                          const pin& meant = {});

/// A library's description of one of its plugins, made in a child process: no code of the
/// library runs in this process.
struct described {
  ifb_kind kind = 0;
  std::string name;  // the value of `use =`: the file's stem, for aliases too
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
  std::string trouble;  // not empty: why it cannot be used; all other members are then unset
};

/// The command of the child process: these words, then the file to look into. The child must
/// call probe_main().
struct probe_command {
  std::vector<std::string> words = {"/proc/self/exe", "plugin", "probe"};
  std::chrono::milliseconds limit{2000};  // for each library
};

/// Every plugin file below the search path, the first file per kind and name, sorted. Plugins
/// that only `name:id` reaches are listed under that name. A library that crashes, exits or
/// hangs is reported in `trouble`.
[[nodiscard]] std::vector<described> list(const search_path& search,
                                          const probe_command& command = {});

/// The description of each plugin in one file, by the same child process; `name` is the id. One
/// element with `trouble` when the file cannot be used.
[[nodiscard]] std::vector<described> describe(const std::filesystem::path& file,
                                              bool allow_unsafe = false,
                                              const probe_command& command = {});

/// The child's side: loads `file` and prints the descriptions of its plugins, as JSON, on
/// standard output; standard output and error are then closed to the library. Returns the exit
/// status.
[[nodiscard]] int probe_main(const std::filesystem::path& file);

}  // namespace inferbench::plugin
