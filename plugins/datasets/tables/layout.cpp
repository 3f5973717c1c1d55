#include "layout.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string_view>

#include <inferbench/guard.hpp>

#include "common/hub/names.hpp"
#include "data_file.hpp"
#include "path_pattern.hpp"
#include "split_words.hpp"

namespace tables {

namespace {

/// Files that describe a data set and are none of its data.
bool is_about_data(std::string_view name) {
  constexpr std::array<std::string_view, 4> names{"config.json", "dataset_info.json",
                                                  "dataset_infos.json", "dataset_dict.json"};
  return std::ranges::find(names, name) != names.end();
}

std::string_view name_of(std::string_view path) {
  return path.substr(path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1);
}

/// The parts of a path that `datasets` ignores unless a pattern names them: hidden files and
/// folders, and folders such as __pycache__.
std::ptrdiff_t hidden_parts(std::string_view path) {
  std::ptrdiff_t out = 0;
  for (std::size_t from = 0; from < path.size();) {
    const std::size_t end = std::min(path.find('/', from), path.size());
    const std::string_view part = path.substr(from, end - from);
    const bool folder = end < path.size();
    if (part.starts_with('.') || (folder && part.starts_with("__"))) ++out;
    from = end + 1;
  }
  return out;
}

/// Keeps the files of the most frequent format; at equal numbers Parquet comes before JSON and CSV.
void keep_one_format(std::vector<std::string>& files) {
  std::map<file_format, std::size_t> counts;
  for (const std::string& file : files)
    ++counts[format_of(file)];
  counts.erase(file_format::none);
  if (counts.empty()) {
    files.clear();
    return;
  }
  const auto most = std::ranges::max_element(counts, {}, [](const auto& c) { return c.second; });
  std::erase_if(files, [&](const std::string& f) { return format_of(f) != most->first; });
}

using path_test = std::function<bool(std::string_view path, std::string_view word)>;

/// The usual splits whose words `contains` finds in paths below the folder.
split_list by_words(const std::string& folder, std::span<const std::string> files,
                    const path_test& contains) {
  split_list out;
  for (const auto& [split, keywords] : usual_splits()) {
    file_split found{std::string(split), {}};
    std::set<std::string_view> taken;
    for (const std::string_view word : keywords)
      for (const std::string& file : files)
        if (contains(std::string_view(file).substr(folder.size()), word) &&
            taken.insert(file).second)
          found.files.push_back(file);
    if (!found.files.empty()) out.push_back(std::move(found));
  }
  return out;
}

/// data/SPLIT-00000-of-00002.parquet
split_list by_shards(const std::string& folder, std::span<const std::string> files) {
  constexpr std::string_view digits = "[0-9][0-9][0-9][0-9][0-9]";
  static const std::string tail = "-" + std::string(digits) + "-of-" + std::string(digits) + "*.*";
  std::map<std::string, std::vector<std::string>> found;
  for (const std::string& file : files) {
    const std::string_view path = std::string_view(file).substr(folder.size());
    if (!matches_path("data/*" + tail, path)) continue;
    const std::string_view name = name_of(path);
    constexpr std::size_t number = 6;  // "-00000"
    found[std::string(name.substr(0, name.rfind("-of-") - number))].push_back(file);
  }
  split_list out;
  for (const auto& [split, keywords] : usual_splits())
    if (auto at = found.extract(std::string(split))) out.push_back({at.key(), at.mapped()});
  for (auto& [name, paths] : found)
    out.push_back({name, std::move(paths)});
  return out;
}

/// Returns the path without "./" at its beginning and slashes at its end; empty for ".".
std::string inside_path(std::string path) {
  const std::string given = path;
  while (path.starts_with("./"))
    path.erase(0, 2);
  while (path.ends_with('/'))
    path.pop_back();
  if (path.empty() || path == ".") return {};
  if (!hub::is_inside_path(path))
    throw ifb::failure(
        IFB_E_DATA, "README.md names \"" + given + "\", which is not inside the data set", "path");
  return path;
}

}  // namespace

split_list splits_of_card(const card_config& config, std::span<const std::string> files) {
  std::string folder = inside_path(config.folder);
  if (config.splits.empty()) return splits_by_names(folder, files);
  if (!folder.empty()) folder += '/';
  split_list out;
  for (const card_split& split : config.splits) {
    file_split found{split.name, {}};
    std::set<std::string_view> taken;
    for (const std::string& pattern : split.patterns) {
      const std::string whole = folder + inside_path(pattern);
      for (const std::string& file : files)
        if ((matches_path(whole, file) || file.starts_with(whole + "/")) &&
            hidden_parts(file) == hidden_parts(whole) && taken.insert(file).second)
          found.files.push_back(file);
    }
    keep_one_format(found.files);
    out.push_back(std::move(found));
  }
  return out;
}

split_list splits_by_names(const std::string& folder, std::span<const std::string> files) {
  const std::string inside = folder.empty() ? "" : folder + "/";
  std::vector<std::string> data;
  for (const std::string& file : files)
    if (file.starts_with(inside) && format_of(file) != file_format::none &&
        hidden_parts(file.substr(inside.size())) == 0 && !is_about_data(name_of(file)))
      data.push_back(file);
  split_list out = by_shards(inside, data);
  if (out.empty()) out = by_words(inside, data, folder_has_word);
  if (out.empty())
    out = by_words(inside, data, [](std::string_view path, std::string_view word) {
      return has_word(name_of(path), word);
    });
  if (out.empty() && !data.empty()) out.push_back({"train", std::move(data)});
  for (file_split& split : out)
    keep_one_format(split.files);
  return out;
}

split_list splits_of_conversion(const std::string& subset, std::span<const std::string> files) {
  split_list out;
  for (const std::string& file : files) {
    if (!file.starts_with(subset + "/") || format_of(file) != file_format::parquet) continue;
    const std::string rest = file.substr(subset.size() + 1);
    const auto slash = rest.find('/');
    if (slash == rest.npos) continue;
    constexpr std::string_view partial = "partial-";
    std::string name = rest.substr(0, slash);
    if (name.starts_with(partial)) name.erase(0, partial.size());
    const auto at = std::ranges::find(out, name, &file_split::name);
    if (at == out.end())
      out.push_back({name, {file}});
    else
      at->files.push_back(file);
  }
  return out;
}

std::vector<std::string> top_folders(std::span<const std::string> files) {
  std::vector<std::string> out;
  for (const std::string& file : files) {
    const auto slash = file.find('/');
    if (slash == file.npos || file.starts_with('.') || format_of(file) == file_format::none)
      continue;
    if (std::string name = file.substr(0, slash); out.empty() || out.back() != name)
      out.push_back(std::move(name));
  }
  return out;
}

const file_split* find_split(const split_list& splits, const std::string& name) {
  const auto exact = std::ranges::find(splits, name, &file_split::name);
  if (exact != splits.end()) return &*exact;
  const auto same = std::ranges::find_if(
      splits, [&](const file_split& s) { return meaning_of(s.name) == meaning_of(name); });
  return same == splits.end() ? nullptr : &*same;
}

std::string names_of(const split_list& splits) {
  std::string out;
  for (const file_split& each : splits)
    out += (out.empty() ? "" : ", ") + each.name;
  return out;
}

}  // namespace tables
