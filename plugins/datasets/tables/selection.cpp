#include "selection.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <inferbench/guard.hpp>

#include "data_file.hpp"
#include "layout.hpp"
#include "subset.hpp"

namespace tables {

namespace {

/// Shards are numbered "-00000-of-00046". If some are missing, their rows are missing too.
void warn_of_missing_shards(ifb::host host, const std::string& title, const file_split& split) {
  constexpr std::string_view mark = "-of-";
  std::size_t expected = 0;
  for (const std::string& file : split.files) {
    const auto at = file.rfind(mark);
    std::size_t all = 0;
    if (at == file.npos) return;
    const char* const digits = file.data() + at + mark.size();
    if (std::from_chars(digits, file.data() + file.size(), all).ec != std::errc{}) return;
    if (expected != 0 && all != expected) return;
    expected = all;
  }
  if (split.files.size() < expected)
    host.warn(title + ": only " + std::to_string(split.files.size()) + " of the " +
              std::to_string(expected) + " files of the split " + split.name + " are there");
}

void warn_of_partial_conversion(ifb::host host, const std::string& title, const file_split& split) {
  const auto partial = [](const std::string& f) { return f.find("/partial-") != f.npos; };
  if (std::ranges::any_of(split.files, partial))
    host.warn(title + ": the hub has converted only the first part of the split " + split.name);
}

const file_split& chosen_split(ifb::host host, const origin& from, const split_list& splits,
                               const std::string& name) {
  const std::string title = from.title();
  // If only the files of the cache are known, the message says so: the data set may have the split.
  const std::string limits = from.limits();
  const std::string option = limits.empty() ? "hf-split" : "path";
  const file_split* const found = find_split(splits, name);
  if (found == nullptr)
    throw ifb::failure(
        IFB_E_CONFIG, title + " has no split \"" + name + "\"; it has " + names_of(splits) + limits,
        option);
  if (found->name != name)
    host.info(title + ": the split " + name + " is called " + found->name + " there");
  if (found->files.empty())
    throw ifb::failure(IFB_E_CONFIG,
                       title + ": the files that README.md names for the split " + found->name +
                           " are not there, or are not Parquet, JSON or CSV" + limits,
                       option);
  warn_of_missing_shards(host, title, *found);
  warn_of_partial_conversion(host, title, *found);
  return *found;
}

std::string usual_split(ifb::host host, const std::string& title, const split_list& splits) {
  if (find_split(splits, "train") != nullptr) return "train";
  const std::string& first = splits.front().name;
  if (splits.size() == 1)
    host.info(title + ": its only split is " + first);
  else
    host.warn(title + ": no split was named, and there is no \"train\"; taking \"" + first +
              "\" of " + names_of(splits) + " (--hf-split chooses)");
  return first;
}

void check_streamed(const std::vector<split_slice>& slices, const std::string& text) {
  if (slices.size() > 1 || slices[0].is_sliced)
    throw ifb::failure(
        IFB_E_CONFIG,
        "\"" + text +
            "\" is not one whole split: slices and sums of splits need a data set that "
            "is loaded as a whole; add --no-stream, or take the split " +
            slices[0].split,
        "hf-split");
}

}  // namespace

std::vector<selected_split> select_files(ifb::host host, origin& from, const request& what) {
  std::vector<split_slice> slices;
  if (what.split) {
    slices = parse_split_text(*what.split);
    if (!what.whole) check_streamed(slices, *what.split);
  }
  std::vector<selected_split> out;
  if (!from.single_file().empty()) {
    // A single file is every split that is asked for, whatever the name of the split is.
    if (slices.empty()) slices.push_back({.split = "train"});
    for (split_slice& slice : slices)
      out.push_back({std::move(slice), {from.single_file()}});
    return out;
  }
  const split_list splits = splits_of_subset(host, from, what.subset, what.again);
  if (slices.empty()) slices.push_back({.split = usual_split(host, from.title(), splits)});
  for (split_slice& slice : slices) {
    const file_split& found = chosen_split(host, from, splits, slice.split);
    out.push_back({std::move(slice), found.files});
  }
  return out;
}

}  // namespace tables
