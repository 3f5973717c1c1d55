#include "plot/picture_files.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <unistd.h>

#include "base/error.hpp"
#include "options/refusal.hpp"
#include "plot/groups.hpp"
#include "sweep/layout.hpp"

namespace inferbench::plot {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void unwritten(const std::string& path) {
  throw base::error("cannot write " + path + ": " + std::strerror(errno));
}

/// Turns exceptions of the figures library into base::error. Their messages name the file already.
template <typename function>
void drawing(function&& what) {
  try {
    what();
  } catch (const base::error&) {
    throw;
  } catch (const std::exception& e) {
    throw base::error(e.what());
  }
}

}  // namespace

std::string joined_path(const std::string& folder, const std::string& below) {
  std::string out;
  const fs::path all = fs::path(folder) / below;
  for (const fs::path& part : all.relative_path())
    if (!part.empty() && part != ".") out += (out.empty() ? "" : "/") + part.string();
  if (all.is_absolute()) return "/" + out;
  return out.empty() ? "." : out;
}

std::string figure_path(const std::string& folder, const std::string& name, const group_key& key) {
  constexpr std::string_view ending = ".png";
  const std::string stem = key.empty() ? name : name + "-" + text_of_key(key, "-");
  // As in upstream, the name is sanitised together with its ending: "a=1." becomes "a=1__png".
  std::string file = sweep::sanitised(stem + std::string(ending));
  if (file.ends_with(ending)) file.resize(file.size() - ending.size());
  if (file.empty())
    throw options::usage_error("\"" + name + "\" is not a valid name of a file", {},
                               {"--fig-name", 0, 0});
  return joined_path(folder, file);
}

std::string page_title(const std::string& folder, const std::string& what) {
  std::error_code unknown;
  const fs::path all = fs::absolute(folder, unknown).lexically_normal();
  const std::string name =
      (all.has_filename() ? all.filename() : all.parent_path().filename()).string();
  if (name.empty()) return what.empty() ? folder : what;
  return what.empty() ? name : name + ": " + what;
}

void make_figure_folder(const std::string& folder) {
  std::error_code wrong;
  fs::create_directories(folder, wrong);
  if (wrong) throw base::error("cannot create the folder " + folder + ": " + wrong.message());
}

void write_text(const std::string& path, std::string_view text) {
  const std::string temporary = path + "." + std::to_string(::getpid()) + ".tmp";
  {
    errno = 0;
    std::ofstream out(temporary, std::ios::binary);
    out << text;
    out.close();
    if (!out) {
      const int reason = errno;
      std::remove(temporary.c_str());
      errno = reason;
      unwritten(path);
    }
  }
  if (std::rename(temporary.c_str(), path.c_str()) == 0) return;
  const int reason = errno;
  std::remove(temporary.c_str());
  errno = reason;
  unwritten(path);
}

void write_pictures(const figures::figure& what, const std::string& path,
                    const picture_formats& formats) {
  drawing([&] {
    if (formats.png) figures::write_png(what, path + ".png");
    if (formats.svg) figures::write_svg(what, path + ".svg");
  });
}

void write_page(const std::vector<figures::figure>& what, const std::string& title,
                const std::string& path) {
  drawing([&] { figures::write_html(what, title, path); });
}

}  // namespace inferbench::plot
