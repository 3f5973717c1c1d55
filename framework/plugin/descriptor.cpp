#include "plugin/descriptor.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "plugin/library.hpp"
#include "plugin/option_names.hpp"

namespace inferbench::plugin {

namespace {

// The sizes of the structs in version 1.0. Members that were added later do not change these sizes.
constexpr std::size_t library_v1 = offsetof(ifb_library, reserved) + sizeof(std::uint32_t);
constexpr std::size_t plugin_v1 = offsetof(ifb_plugin, query) + sizeof(void*);
constexpr std::size_t option_v1 = offsetof(ifb_option, maximum) + sizeof(double);

constexpr std::uint32_t most_plugins = 1000;  // a larger count is considered invalid
constexpr std::uint32_t most_options = 1000;

const char* const no_interfaces[] = {nullptr};

[[noreturn]] void broken(const std::string& file, const std::string& what) {
  throw base::error(file + " breaks the plugin contract: " + what,
                    "report it to the plugin's author");
}

// A copy of the struct with the members that this host knows. Members that the plugin's struct does
// not have are zero. Members that the host does not know are ignored.
template <typename table>
table whole(const void* from) {
  std::uint32_t size = 0;
  std::memcpy(&size, from, sizeof size);
  table out{};
  std::memcpy(&out, from, std::min<std::size_t>(size, sizeof out));
  out.struct_size = sizeof out;
  return out;
}

std::uint32_t member_size(const void* table) {
  std::uint32_t size = 0;
  std::memcpy(&size, table, sizeof size);
  return size;
}

bool blank(const char* text) { return text == nullptr || *text == '\0'; }

// The version that a library with an unknown value needs; empty if no version has the value.
std::string version_for(const ifb_library& library) {
  if (library.abi_minor <= IFB_ABI_MINOR) return {};
  return std::to_string(library.abi_major) + "." + std::to_string(library.abi_minor);
}

// Sets `needs` to the reason if the plugin needs the later version `version` of the contract.
std::vector<ifb_option> read_options(const ifb_plugin& plugin, const std::string& file,
                                     const std::string& version, std::string& needs) {
  const std::string of = "plugin " + std::string(plugin.id) + " ";
  std::vector<ifb_option> out;
  if (plugin.option_count == 0) return out;
  if (plugin.options == nullptr || plugin.option_count > most_options)
    broken(file, of + "says it has " + std::to_string(plugin.option_count) + " options" +
                     (plugin.options == nullptr ? " and points to none" : ""));
  if (plugin.option_stride < option_v1)
    broken(file, of + "has an option_stride of " + std::to_string(plugin.option_stride) +
                     " bytes, less than an option takes");
  std::set<std::string_view> names;
  const auto* at = reinterpret_cast<const char*>(plugin.options);
  for (std::uint32_t i = 0; i < plugin.option_count; ++i, at += plugin.option_stride) {
    const std::string which = of + "option " + std::to_string(i) + " ";
    if (member_size(at) < option_v1 || member_size(at) > plugin.option_stride)
      broken(file, which + "has a struct_size of " + std::to_string(member_size(at)));
    auto option = whole<ifb_option>(at);
    if (blank(option.name)) broken(file, which + "has no name");
    if (is_taken(plugin.kind, option.name, option.flags)) {
      const bool always = is_taken(plugin.kind, option.name, option.flags | IFB_OPT_GENERAL);
      broken(file, of + "declares option " + option.name + ", which is the host's own" +
                       (always ? "" : " unless it has IFB_OPT_GENERAL") +
                       " (TAKEN NAMES in abi.h)");
    }
    if (!names.insert(option.name).second)
      broken(file, of + "declares option " + option.name + " twice");
    if (option.type < IFB_STRING || option.type > IFB_JSON) {
      const std::string what = "option " + std::string(option.name) + " has type " +
                               std::to_string(option.type) + ", which ";
      if (version.empty())
        broken(file, of + what + "plugin ABI " + abi_of_host() + " does not have");
      needs = fmt::format("needs plugin ABI {}: its {}this host does not know", version, what);
    }
    if (option.choice_count != 0 || option.type == IFB_CHOICE) {
      if (option.choices == nullptr || option.choice_count == 0 ||
          option.choice_count > most_options)
        broken(file, of + "option " + option.name + " has no choices");
      for (std::uint32_t c = 0; c < option.choice_count; ++c)
        if (option.choices[c] == nullptr)
          broken(file, of + "option " + option.name + " has an empty choice");
    }
    if (option.help == nullptr) option.help = "";
    out.push_back(option);
  }
  return out;
}

}  // namespace

std::string abi_of_host() {
  const std::string version = std::to_string(IFB_ABI_MAJOR) + "." + std::to_string(IFB_ABI_MINOR);
  return IFB_ABI_DRAFT == 0 ? version : version + "-rc" + std::to_string(IFB_ABI_DRAFT);
}

void read_descriptor(const ifb_library* said, const std::string& file, descriptor& out) {
  const std::string ours = abi_of_host();
  if (said == nullptr)
    throw base::error(file + " refuses to work with this host, which speaks plugin ABI " + ours,
                      "use a build of the plugin for ABI " + ours);
  // The version is the first member of the struct. All other members may be different in another
  // major version.
  if (said->abi_major != IFB_ABI_MAJOR)
    throw base::error(file + " was built for plugin ABI " + std::to_string(said->abi_major) + "." +
                          std::to_string(said->abi_minor) + "; this host speaks " + ours,
                      "use a build of the plugin for ABI " + ours);
  if (said->struct_size < library_v1)
    broken(file, "its library struct has a struct_size of " + std::to_string(said->struct_size));
  const auto library = whole<ifb_library>(said);
  if (library.plugin_count == 0 || library.plugin_count > most_plugins ||
      library.plugins == nullptr)
    broken(file, "it says it holds " + std::to_string(library.plugin_count) + " plugins" +
                     (library.plugins == nullptr ? " and points to none" : ""));
  out.sdk = library.sdk == nullptr ? "" : library.sdk;
  out.abi_major = library.abi_major;
  out.abi_minor = library.abi_minor;
  const std::string version = version_for(library);
  std::set<std::pair<ifb_kind, std::string_view>> ids;
  for (std::uint32_t i = 0; i < library.plugin_count; ++i) {
    const ifb_plugin* const raw = library.plugins[i];
    const std::string which = "plugin " + std::to_string(i) + " ";
    if (raw == nullptr) broken(file, which + "is missing");
    if (raw->struct_size < plugin_v1)
      broken(file, which + "has a struct_size of " + std::to_string(raw->struct_size));
    completed_plugin plugin{whole<ifb_plugin>(raw), raw};
    // A kind of a later version is not an error; the other plugins of the library work.
    if (std::ranges::find(all_kinds, plugin.kind) == std::end(all_kinds)) {
      const std::string kind =
          "is of kind " + std::to_string(plugin.kind) + ", which this host does not know";
      out.later.push_back(
          {plugin.kind, blank(plugin.id) ? std::to_string(i) : plugin.id,
           version.empty() ? kind : fmt::format("needs plugin ABI {}: it {}", version, kind)});
      continue;
    }
    if (blank(plugin.id)) broken(file, which + "has no id");
    const std::string of = "plugin " + std::string(plugin.id) + " ";
    if (!ids.emplace(plugin.kind, plugin.id).second)
      broken(file, "two plugins of kind " + std::string(name_of(plugin.kind)) + " are called " +
                       plugin.id);
    if (blank(plugin.version)) broken(file, of + "has no version");
    if (plugin.create == nullptr) broken(file, of + "has no create");
    if (plugin.destroy == nullptr) broken(file, of + "has no destroy");
    if (plugin.query == nullptr) broken(file, of + "has no query");
    if (plugin.summary == nullptr) plugin.summary = "";
    if (plugin.license == nullptr) plugin.license = "";
    if (plugin.interfaces == nullptr) plugin.interfaces = no_interfaces;
    std::string needs;
    std::vector<ifb_option> options = read_options(plugin, file, version, needs);
    if (!needs.empty()) {
      out.later.push_back({plugin.kind, plugin.id, std::move(needs)});
      continue;
    }
    plugin.options = out.options.emplace_back(std::move(options)).data();
    plugin.option_stride = sizeof(ifb_option);
    out.plugins.push_back(plugin);
  }
}

}  // namespace inferbench::plugin
