#include "document.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include <inferbench/guard.hpp>

#include "toml.hpp"

namespace template_backend {
namespace {

constexpr std::size_t largest = 1U << 20U;

/// Returns the text of a file.
std::string read(const std::string& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    throw ifb::failure{IFB_E_CONFIG, file + " is not a file; give the path of a template", "file"};
  }
  std::string out(largest + 1, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(out.data(), static_cast<std::streamsize>(out.size()));
  out.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  if (!in.is_open() || in.bad())
    throw ifb::failure{IFB_E_CONFIG, file + " cannot be read; check its permissions", "file"};
  if (out.size() > largest)
    throw ifb::failure{IFB_E_CONFIG, file + " is larger than 1 MiB; is it a template?", "file"};
  return out;
}

}  // namespace

std::string_view name_of(value::kind what) noexcept {
  switch (what) {
    case value::kind::boolean: return "true or false";
    case value::kind::integer: return "a whole number";
    case value::kind::number: return "a number";
    case value::kind::text: return "a text";
    case value::kind::list: return "a list";
    case value::kind::table: break;
  }
  return "a table";
}

document::document(const std::string& file)
    : file_(file), name_(std::filesystem::path(file).filename().string()) {
  try {
    root_ = parse_toml(read(file));
  } catch (const toml_trouble& trouble) {
    refuse(trouble.line, trouble.what, trouble.remedy);
  }
}

void document::refuse(std::uint32_t line, const std::string& message,
                      const std::string& remedy) const {
  std::string told =
      file_ + ":" + std::to_string(line) + ": " + message + (remedy.empty() ? "" : "; " + remedy);
  // The message may quote any bytes of the file, but it must be one line.
  std::ranges::replace_if(told, [](unsigned char c) { return c < 0x20; }, ' ');
  throw ifb::failure{IFB_E_CONFIG, std::move(told), "file"};
}

}  // namespace template_backend
