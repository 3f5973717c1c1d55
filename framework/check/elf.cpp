#include "check/elf.hpp"

#include <bit>
#include <cctype>
#include <cstring>
#include <string_view>

#include <elf.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::check {

namespace {

// Reads the file with bounds checks. All reads go through this class, so an offset in a damaged
// file is safe.
class bytes {
 public:
  bytes(std::string_view all, const std::string& name) : all_(all), name_(name) {}

  template <typename plain>
  plain at(std::uint64_t offset) const {
    if (offset > all_.size() || all_.size() - offset < sizeof(plain)) damaged();
    plain out;
    std::memcpy(&out, all_.data() + offset, sizeof out);
    return out;
  }
  std::string text(std::uint64_t table, std::uint64_t offset) const {
    if (table > all_.size() || offset >= all_.size() - table) damaged();
    const std::string_view rest = all_.substr(table + offset);
    const auto end = rest.find('\0');
    if (end == std::string_view::npos) damaged();
    return std::string(rest.substr(0, end));
  }
  [[noreturn]] void damaged() const {
    throw base::error(name_ + " is a damaged library", "build the library again");
  }

 private:
  std::string_view all_;
  const std::string& name_;
};

bool visible(const Elf64_Sym& symbol) {
  const unsigned binding = ELF64_ST_BIND(symbol.st_info);
  const unsigned visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  return symbol.st_shndx != SHN_UNDEF && binding != STB_LOCAL &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

void read_sections(const bytes& in, const Elf64_Ehdr& head, elf_file& out) {
  const auto section = [&](std::uint64_t i) {
    return in.at<Elf64_Shdr>(head.e_shoff + i * sizeof(Elf64_Shdr));
  };
  for (std::uint64_t i = 0; i < head.e_shnum; ++i) {
    const Elf64_Shdr table = section(i);
    if (table.sh_type != SHT_DYNSYM && table.sh_type != SHT_DYNAMIC) continue;
    if (table.sh_link >= head.e_shnum) in.damaged();
    const std::uint64_t names = section(table.sh_link).sh_offset;
    if (table.sh_type == SHT_DYNSYM) {
      for (std::uint64_t k = 1; k < table.sh_size / sizeof(Elf64_Sym); ++k) {
        const auto symbol = in.at<Elf64_Sym>(table.sh_offset + k * sizeof(Elf64_Sym));
        if (visible(symbol))
          out.exported.push_back(
              {in.text(names, symbol.st_name), ELF64_ST_BIND(symbol.st_info) == STB_GNU_UNIQUE});
      }
      continue;
    }
    for (std::uint64_t k = 0; k < table.sh_size / sizeof(Elf64_Dyn); ++k) {
      const auto entry = in.at<Elf64_Dyn>(table.sh_offset + k * sizeof(Elf64_Dyn));
      if (entry.d_tag == DT_NULL) break;
      if (entry.d_tag == DT_NEEDED) out.needed.push_back(in.text(names, entry.d_un.d_val));
      if (entry.d_tag == DT_RUNPATH || entry.d_tag == DT_RPATH)
        out.search = in.text(names, entry.d_un.d_val);
      if (entry.d_tag == DT_TEXTREL ||
          (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_TEXTREL) != 0))
        out.text_relocations = true;
    }
  }
}

// Whether the file contains the string "St9exception" with its terminating NUL: the name that the
// type_info of std::exception stores. If a letter, a digit or "_" precedes the string, the string
// is the end of a longer symbol name.
bool holds_exception(std::string_view all) {
  constexpr std::string_view name("St9exception\0", 13);
  for (auto at = all.find(name); at != std::string_view::npos; at = all.find(name, at + 1))
    if (at == 0 ||
        (std::isalnum(static_cast<unsigned char>(all[at - 1])) == 0 && all[at - 1] != '_'))
      return true;
  return false;
}

}  // namespace

elf_file read_elf(const std::filesystem::path& file) {
  const std::string name = file.string();
  const std::string content = base::read_file(name);
  const bytes in(content, name);
  const auto head = in.at<Elf64_Ehdr>(0);
  constexpr unsigned char order =
      std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64 ||
      head.e_ident[EI_DATA] != order)
    throw base::error(name + " is not a 64-bit ELF file with this machine's byte order");
  elf_file out;
  out.executable_stack = true;
  for (std::uint64_t i = 0; i < head.e_phnum; ++i) {
    const auto segment = in.at<Elf64_Phdr>(head.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment.p_type == PT_GNU_STACK) out.executable_stack = (segment.p_flags & PF_X) != 0;
  }
  read_sections(in, head, out);
  out.cxx_library = holds_exception(content);
  return out;
}

}  // namespace inferbench::check
