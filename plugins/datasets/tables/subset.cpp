#include "subset.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <inferbench/guard.hpp>

#include "card.hpp"
#include "data_file.hpp"

namespace tables {

namespace {

/// A subset that only the cache lacks must not pass for one that the data set lacks.
[[noreturn]] void refuse_subset(const origin& from, const std::string& name,
                                const std::vector<std::string>& there) {
  throw ifb::failure(IFB_E_CONFIG,
                     from.title() + " has no subset \"" + name + "\"" +
                         (there.empty() ? "" : "; it has " + listed(there)) + from.limits(),
                     from.limits().empty() ? "hf-subset" : "path");
}

/// Returns the subset with this name, otherwise the first of the defaults, otherwise the first.
std::string choose(ifb::host host, const origin& from, const std::optional<std::string>& name,
                   const std::vector<std::string>& there, const std::string& usual) {
  if (name) {
    if (std::ranges::find(there, *name) == there.end()) refuse_subset(from, *name, there);
    return *name;
  }
  if (!usual.empty()) return usual;
  if (there.size() > 1)
    host.warn(from.title() + ": no subset was named; taking \"" + there.front() + "\" of " +
              listed(there) + " (--hf-subset chooses)");
  return there.front();
}

std::vector<card_config> configs_of(ifb::host host, origin& from, bool again) {
  const auto readme = from.text_of("README.md");
  if (!readme) return {};
  try {
    return read_card(*readme);
  } catch (const ifb::failure& why) {
    if (!again)
      host.warn(from.title() + ": " + why.message() + "; splits are found by the names of files");
    return {};
  }
}

split_list by_card(ifb::host host, const origin& from, const std::optional<std::string>& name,
                   const std::vector<card_config>& configs, const std::vector<std::string>& files) {
  std::vector<std::string> names;
  std::string usual;
  for (const card_config& each : configs) {
    names.push_back(each.name);
    if (each.is_default && usual.empty()) usual = each.name;
  }
  const std::string chosen = choose(host, from, name, names, usual);
  return splits_of_card(*std::ranges::find(configs, chosen, &card_config::name), files);
}

std::vector<std::string> paths_of(origin& from) {
  std::vector<std::string> out;
  for (const hub::listed_file& file : from.files())
    out.push_back(file.path);
  return out;
}

/// Repositories with a script of their own name are loaded by it: their files are its input.
bool has_script(const origin& from, const std::vector<std::string>& files) {
  const std::string id = from.title();
  const std::string script = id.substr(id.rfind('/') + 1) + ".py";
  return !from.is_local() && std::ranges::find(files, script) != files.end();
}

bool has_files(const split_list& splits) {
  return std::ranges::any_of(splits, [](const file_split& s) { return !s.files.empty(); });
}

/// ".tar, .py": the endings of the files.
std::string endings(const std::vector<std::string>& files) {
  std::set<std::string> found;
  for (const std::string& file : files) {
    const std::string name = file.substr(file.rfind('/') + 1);
    if (const auto dot = name.rfind('.'); dot != name.npos && dot > 0)
      found.insert(name.substr(dot));
  }
  return listed(std::vector<std::string>(found.begin(), found.end()));
}

[[noreturn]] void refuse_files(const origin& from, const std::vector<std::string>& files) {
  const std::string there = endings(files);
  throw ifb::failure(
      IFB_E_CONFIG,
      from.title() + " has no files that can be read: Parquet, JSON, JSON lines or CSV" +
          (there.empty() ? "" : "; it has files with the endings " + there) +
          (from.is_local() || !from.limits().empty()
               ? from.limits()
               : "; the hub has no conversion of it to Parquet (branch refs/convert/parquet), so "
                 "convert it and give a local folder"),
      "path");
}

split_list by_conversion(ifb::host host, origin& from, const std::optional<std::string>& name) {
  const std::vector<std::string> files = paths_of(from);
  const std::vector<std::string> subsets = top_folders(files);
  if (subsets.empty()) refuse_files(from, files);
  const bool usual = std::ranges::find(subsets, "default") != subsets.end();
  return splits_of_conversion(choose(host, from, name, subsets, usual ? "default" : ""), files);
}

}  // namespace

split_list splits_of_subset(ifb::host host, origin& from, const std::optional<std::string>& name,
                            bool again) {
  const std::vector<card_config> configs = configs_of(host, from, again);
  const std::vector<std::string> files = paths_of(from);
  split_list out;
  if (!configs.empty()) {
    out = by_card(host, from, name, configs, files);
  } else if (!has_script(from, files)) {
    out = splits_by_names(name.value_or(""), files);
    const bool other_files = name && has_files(splits_by_names("", files));
    if (!has_files(out) && other_files) refuse_subset(from, *name, top_folders(files));
  }
  if (has_files(out)) return out;
  if (from.use_conversion()) return by_conversion(host, from, name);
  refuse_files(from, files);
}

}  // namespace tables
