#include "synthetic/text.hpp"

#include <string_view>

#include <inferbench/guard.hpp>
#include <inferbench/json_writer.hpp>

#include "common/text_file.hpp"

namespace synthetic {

std::string read_text(const std::string& path) {
  const files::text_file file(path);
  const std::string_view all = file.text();
  const auto refuse = [&](const std::string& what) {
    throw ifb::failure(IFB_E_DATA, what, "path");
  };
  if (all.empty()) refuse(path + ": the file is empty; a text is needed");
  std::string out;
  out.reserve(all.size());
  for (std::size_t at = 0; at < all.size();) {
    const auto [size, valid] = ifb::utf8_sequence(all.substr(at));
    if (!valid) refuse(file.place(at) + ": not UTF-8");
    if (all[at] != '\r')
      out += all.substr(at, size);
    else if (all.substr(at + 1, 1) != "\n")
      out += '\n';
    at += size;
  }
  return out;
}

}  // namespace synthetic
