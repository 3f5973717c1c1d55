#include "text.hpp"

#include <inferbench/guard.hpp>
#include <inferbench/json_writer.hpp>

#include "datasets/common/text_file.hpp"

namespace synthetic {

std::string with_newlines(std::string_view all, const std::function<void(std::size_t)>& refuse) {
  std::string out;
  out.reserve(all.size());
  for (std::size_t at = 0; at < all.size();) {
    const auto [size, valid] = ifb::utf8_sequence(all.substr(at));
    if (!valid) refuse(at);
    if (all[at] != '\r')
      out += all.substr(at, size);
    else if (all.substr(at + 1, 1) != "\n")
      out += '\n';
    at += size;
  }
  return out;
}

std::string read_text(const std::string& path) {
  const files::text_file file(path);
  const auto refuse = [](const std::string& what) { throw ifb::failure(IFB_E_DATA, what, "path"); };
  if (file.text().empty()) refuse(path + ": the file is empty; a text is needed");
  return with_newlines(file.text(),
                       [&](std::size_t at) { refuse(file.place(at) + ": not UTF-8"); });
}

}  // namespace synthetic
