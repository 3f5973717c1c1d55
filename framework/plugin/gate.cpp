#include "plugin/gate.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <boost/dll/library_info.hpp>
#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inferbench/abi.h>

#include "base/error.hpp"
#include "plugin/descriptor.hpp"

namespace inferbench::plugin {

namespace fs = std::filesystem;

namespace {

const char* const to_allow = "or pass --allow-unsafe-plugin";

struct stat status_of(const fs::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    const int why = errno;
    if (fs::is_symlink(fs::symlink_status(path)))
      throw base::error(path.string() + " is a link to a file that is not there",
                        "install its target or remove the link");
    throw base::error("cannot read " + path.string() + ": " + std::strerror(why));
  }
  return status;
}

// The owner of this program's file is trusted, because the owner can already change all that the
// program does. Example: root runs the program from the source tree of another user, under sudo or
// in a container.
bool trusted(uid_t owner) {
  struct stat self{};
  if (owner == 0 || owner == ::geteuid()) return true;
  return ::stat("/proc/self/exe", &self) == 0 && owner == self.st_uid;
}

void check_owner(const fs::path& path, const fs::path& library) {
  const struct stat status = status_of(path);
  const bool folder = S_ISDIR(status.st_mode);
  const std::string what = path == library ? library.string() + " is"
                                           : "the folder " + path.string() + " above " +
                                                 library.filename().string() + " is";
  // In a sticky folder (/tmp) nobody can replace another user's file.
  if ((status.st_mode & S_IWOTH) != 0 && !(folder && (status.st_mode & S_ISVTX) != 0))
    throw base::error(
        "refusing to load a plugin that anybody can change: " + what + " writable by all users",
        "chmod o-w " + path.string() + ", " + to_allow);
  if (!trusted(status.st_uid))
    throw base::error("refusing to load somebody else's plugin: " + what + " owned by user id " +
                          std::to_string(status.st_uid) + ", neither root nor you",
                      "chown it, " + std::string(to_allow));
}

void check_folders(fs::path from, const fs::path& library) {
  for (;;) {
    from = from.parent_path();
    check_owner(from, library);
    if (from == from.root_path()) return;
  }
}

// The SDK whose libraries export this entry, in words; empty if the symbol is not an entry.
// inferbench_plugin_v1_rc3: the third draft of version 1.0. inferbench_plugin_v1: version 1.0, or
// its first draft, which had this name, too.
std::string version_of_entry(std::string_view symbol) {
  constexpr std::string_view beginning = "inferbench_plugin_v";
  constexpr std::string_view draft = "_rc";
  const auto is_number = [](std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  };
  if (!symbol.starts_with(beginning)) return {};
  symbol.remove_prefix(beginning.size());
  const auto end = symbol.find(draft);
  const std::string major(symbol.substr(0, end));
  if (!is_number(major)) return {};
  if (end != std::string_view::npos) {
    const std::string number(symbol.substr(end + draft.size()));
    return is_number(number) ? "a draft SDK (" + major + ".0-rc" + number + ")" : std::string{};
  }
  if (major != "1") return "the SDK " + major + ".0";
  return IFB_ABI_DRAFT == 0 ? std::string{} : "a draft SDK (1.0-rc1) or the SDK 1.0";
}

// Whether the section headers describe parts of the file. Boost.DLL allocates as much memory as
// they say, which may be a terabyte if the file is damaged.
bool sections_fit(std::ifstream& in, std::uint64_t size) {
  const auto inside = [size](std::uint64_t offset, std::uint64_t bytes) {
    return offset <= size && bytes <= size - offset;
  };
  ElfW(Ehdr) header{};
  in.seekg(0);
  in.read(reinterpret_cast<char*>(&header), sizeof header);
  constexpr unsigned char own_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  if (!in || header.e_ident[EI_CLASS] != own_class) return false;
  const std::uint64_t count = header.e_shnum;
  if (header.e_shentsize != sizeof(ElfW(Shdr)) || header.e_shstrndx >= count ||
      !inside(header.e_shoff, count * sizeof(ElfW(Shdr))))
    return false;
  std::vector<ElfW(Shdr)> sections(count);
  in.seekg(static_cast<std::streamoff>(header.e_shoff));
  in.read(reinterpret_cast<char*>(sections.data()),
          static_cast<std::streamsize>(count * sizeof(ElfW(Shdr))));
  return in && std::ranges::all_of(sections, [&](const ElfW(Shdr) & section) {
           return section.sh_type == SHT_NOBITS || inside(section.sh_offset, section.sh_size);
         });
}

// Checks that the file exports the entry function. Reads only the symbols; does not run code of the
// file.
void check_entry(const fs::path& file) {
  std::array<char, 4> magic{};
  std::ifstream in(file, std::ios::binary);
  if (!in.is_open())
    throw base::error("cannot read " + file.string() + ": " + std::strerror(errno));
  in.read(magic.data(), magic.size());
  if (in.gcount() != 4 || std::memcmp(magic.data(), "\177ELF", 4) != 0)
    throw base::error(file.string() + " is not a shared library (not an ELF file)",
                      "give the .so that the plugin's build makes");
  std::vector<std::string> symbols;
  try {
    if (!sections_fit(in, fs::file_size(file))) throw std::runtime_error("sections outside");
    symbols = boost::dll::library_info(file.string()).symbols();
  } catch (const std::exception&) {
    // The text of the exception comes from iostreams ("basic_ios::clear") and explains nothing.
    throw base::error(file.string() + " is damaged, or a library for another machine",
                      "build it for this machine");
  }
  if (std::ranges::find(symbols, IFB_ENTRY_NAME) != symbols.end()) return;
  for (const std::string& symbol : symbols)
    if (const std::string version = version_of_entry(symbol); !version.empty())
      throw base::error(file.string() + " was built with " + version,
                        "rebuild it with this one, " + abi_of_host());
  throw base::error(file.string() +
                        " is a library, but not an inferbench plugin: it does not "
                        "export " IFB_ENTRY_NAME,
                    "end a C++ source with INFERBENCH_PLUGINS(...), a Rust source with "
                    "inferbench::plugins!(...), or define " IFB_ENTRY_NAME " in C");
}

}  // namespace

fs::path pass_gate(const fs::path& path, bool allow_unsafe) {
  const struct stat status = status_of(path);
  if (!S_ISREG(status.st_mode))
    throw base::error(path.string() + " is not a regular file", "give the .so of a plugin");
  const fs::path file = fs::canonical(path);
  if (!allow_unsafe) {
    check_owner(file, file);
    check_folders(file, file);
    // A user who can change the link can choose the library.
    if (file != path) check_folders(fs::absolute(path).lexically_normal(), file);
  }
  check_entry(file);
  return file;
}

}  // namespace inferbench::plugin
