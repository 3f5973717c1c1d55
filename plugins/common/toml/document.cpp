#include "document.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include <inferbench/guard.hpp>

#include "parse.hpp"

namespace toml_file {

namespace {

constexpr std::size_t largest = 1U << 20U;

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

document::document(std::string path, std::string text, std::string option)
    : path_(std::move(path)),
      name_(std::filesystem::path(path_).filename().string()),
      text_(std::move(text)),
      option_(std::move(option)) {
  try {
    root_ = parse(text_);
  } catch (const parse_trouble& trouble) {
    refuse(trouble.line, trouble.what, trouble.remedy);
  }
}

document document::read(const std::string& path, const std::string& what,
                        const std::string& option) {
  const auto trouble = [&](const std::string& why) {
    return ifb::failure{IFB_E_CONFIG, path + why, option};
  };
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw trouble(" is not a file; give the path of " + what);
  std::string text(largest + 1, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  if (!in.is_open() || in.bad()) throw trouble(" cannot be read; check its permissions");
  if (text.size() > largest) throw trouble(" is larger than 1 MiB; is it " + what + "?");
  return {path, std::move(text), option};
}

void document::refuse(std::uint32_t line, const std::string& message,
                      const std::string& remedy) const {
  std::string told =
      path_ + ":" + std::to_string(line) + ": " + message + (remedy.empty() ? "" : "; " + remedy);
  // The message may quote any bytes of the file, but it must be one line.
  std::ranges::replace_if(told, [](unsigned char c) { return c < 0x20; }, ' ');
  throw ifb::failure{IFB_E_CONFIG, std::move(told), option_};
}

}  // namespace toml_file
