// The source of plugins for config: the search path of this machine or, in tests, tables that the
// test builds. Used on the control thread.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "options/option.hpp"
#include "options/plugin_choice.hpp"
#include "plugin/library.hpp"

namespace inferbench::config {

class catalog {
 public:
  catalog() = default;
  catalog(const catalog&) = delete;
  catalog& operator=(const catalog&) = delete;
  virtual ~catalog() = default;

  /// Sets the values of --plugin-dir and --allow-unsafe-plugin. Call this once, before any other
  /// member function.
  virtual void look_in(std::vector<std::filesystem::path> folders, bool allow_unsafe) = 0;

  /// Same contract as plugin::load().
  [[nodiscard]] virtual plugin::loaded load(ifb_kind kind, std::string_view name,
                                            const plugin::pin& meant) = 0;

  /// Whether the library of a loaded plugin is in the folder of the plugins that came with this
  /// program, under the name of the plugin.
  [[nodiscard]] virtual bool came_with_program(const plugin::loaded& one) = 0;

  /// Whether there is a file for a plugin of this name. Opens no file.
  [[nodiscard]] virtual bool installed(ifb_kind kind, std::string_view name) = 0;

  /// The plugins of plugin::list(), followed by the plugins in the libraries at the paths `also`
  /// ("DIR/a.so", "DIR/a.so:id"). Slow: starts child processes, so that no code of a library runs
  /// in this process.
  [[nodiscard]] virtual std::vector<plugin::described> list(
      const std::vector<std::string>& also) = 0;
};

/// The plugins of this machine.
class installed_catalog final : public catalog {
 public:
  void look_in(std::vector<std::filesystem::path> folders, bool allow_unsafe) override;
  [[nodiscard]] plugin::loaded load(ifb_kind kind, std::string_view name,
                                    const plugin::pin& meant) override;
  [[nodiscard]] bool came_with_program(const plugin::loaded& one) override;
  [[nodiscard]] bool installed(ifb_kind kind, std::string_view name) override;
  [[nodiscard]] std::vector<plugin::described> list(const std::vector<std::string>& also) override;

  /// The search path that look_in() has made; empty until look_in() is called.
  [[nodiscard]] const plugin::search_path& search() const noexcept { return search_; }

 private:
  plugin::search_path search_;
};

/// Adds a warning if the file of the plugin hides another build of the plugin in a later folder of
/// the search path, unless `warnings` has it already.
void warn_of_hidden(const plugin::loaded& used, std::vector<std::string>& warnings);

/// The options that the plugin declares; result[i] belongs to one.options()[i].
[[nodiscard]] std::vector<options::option> declared_options(const plugin::loaded& one,
                                                            ifb_kind kind);

/// The plugin with the declared default of each of its options; environment variables are ignored.
/// An option without a default is not set. Throws the errors of catalog::load().
[[nodiscard]] options::plugin_choice with_defaults(catalog& plugins, ifb_kind kind,
                                                   std::string_view name);

}  // namespace inferbench::config
