#include "soname.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <vector>

#include <elf.h>
#include <link.h>

#include <inferbench/guard.hpp>

namespace llama_cpp {

namespace {

constexpr std::size_t longest_table = std::size_t{1} << 20;
constexpr std::size_t longest_name = 4096;

/// An ELF file that is read piece by piece; every piece lies within the file.
class elf_file {
 public:
  explicit elf_file(const std::filesystem::path& file)
      : name_(file.string()), in_(file, std::ios::binary) {
    if (!in_ || std::filesystem::is_directory(file)) refuse("cannot be read");
    in_.seekg(0, std::ios::end);
    size_ = static_cast<std::uint64_t>(in_.tellg());
  }

  [[noreturn]] void refuse(const char* why) const {
    throw ifb::failure{IFB_E_CONFIG, name_ + ": " + why, "library"};
  }
  [[nodiscard]] std::string bytes(std::uint64_t at, std::uint64_t size) {
    if (at > size_ || size > size_ - at) refuse("the ELF file is cut off");
    std::string out(size, '\0');
    in_.seekg(static_cast<std::streamoff>(at));
    in_.read(out.data(), static_cast<std::streamsize>(size));
    if (!in_) refuse("cannot be read");
    return out;
  }
  template <typename element>
  [[nodiscard]] std::vector<element> table(std::uint64_t at, std::uint64_t count) {
    if (count > longest_table / sizeof(element))
      refuse("the ELF file has a table that is too long");
    const std::string from = bytes(at, count * sizeof(element));
    std::vector<element> out(count);
    if (count != 0) std::memcpy(out.data(), from.data(), from.size());
    return out;
  }
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

 private:
  std::string name_;
  std::ifstream in_;
  std::uint64_t size_ = 0;
};

constexpr unsigned char native_class = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
constexpr unsigned char native_order =
    std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

ElfW(Ehdr) header_of(elf_file& file) {
  if (file.size() < sizeof(ElfW(Ehdr))) file.refuse("is no ELF library");
  const auto header = file.table<ElfW(Ehdr)>(0, 1).front();
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) file.refuse("is no ELF library");
  if (header.e_ident[EI_CLASS] != native_class || header.e_ident[EI_DATA] != native_order)
    file.refuse("is an ELF file of another kind of machine");
  if (header.e_type != ET_DYN || header.e_phentsize != sizeof(ElfW(Phdr)))
    file.refuse("is no shared ELF library");
  return header;
}

/// The place in the file of an address of the loaded library.
std::optional<std::uint64_t> place_of(const std::vector<ElfW(Phdr)>& segments, ElfW(Addr) address) {
  for (const ElfW(Phdr) & each : segments)
    if (each.p_type == PT_LOAD && address >= each.p_vaddr && address - each.p_vaddr < each.p_filesz)
      return each.p_offset + (address - each.p_vaddr);
  return std::nullopt;
}

}  // namespace

std::string soname_of(const std::filesystem::path& path) {
  elf_file file(path);
  const ElfW(Ehdr) header = header_of(file);
  const auto segments = file.table<ElfW(Phdr)>(header.e_phoff, header.e_phnum);
  std::optional<ElfW(Addr)> strings;
  std::optional<std::uint64_t> name;
  for (const ElfW(Phdr) & segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    for (const auto& each :
         file.table<ElfW(Dyn)>(segment.p_offset, segment.p_filesz / sizeof(ElfW(Dyn)))) {
      if (each.d_tag == DT_NULL) break;
      if (each.d_tag == DT_STRTAB) strings = each.d_un.d_ptr;
      if (each.d_tag == DT_SONAME) name = each.d_un.d_val;
    }
  }
  if (!name) return {};
  const auto place = strings ? place_of(segments, *strings) : std::nullopt;
  if (!place || *name > file.size() || *place + *name >= file.size())
    file.refuse("the ELF file has a damaged SONAME");
  const std::uint64_t at = *place + *name;
  const std::string text = file.bytes(at, std::min<std::uint64_t>(longest_name, file.size() - at));
  return text.substr(0, text.find('\0'));
}

}  // namespace llama_cpp
