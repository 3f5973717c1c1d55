// Divides the files of a data set into subsets and splits: as the card of the data set says,
// otherwise by the names of folders and files, in the way of `datasets`. Only paths are looked at.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "card.hpp"

namespace tables {

/// The files of a split in their order; paths from the folder of the data set, with slashes.
struct file_split {
  std::string name;
  std::vector<std::string> files;
};

/// The splits of a subset: train, validation and test first, or in the order of the card.
using split_list = std::vector<file_split>;

/// Returns the splits that the card declares for a subset. `files` are all files of the data set,
/// in ascending order. Splits without files are left in. Within a split only files of the most
/// frequent format that can be read are kept. Throws ifb::failure (IFB_E_DATA, option "path") if a
/// pattern leads out of the data set.
[[nodiscard]] split_list splits_of_card(const card_config& config,
                                        std::span<const std::string> files);

/// Finds the splits below `folder` (empty: everywhere) by names:
///   data/train-00000-of-00002.parquet, with any name of a split
///   folders, otherwise files, whose names contain train, validation, test or a synonym as a word
///   otherwise all files are `train`.
/// Hidden files, folders with the prefix "__", and files that cannot be read are left out.
[[nodiscard]] split_list splits_by_names(const std::string& folder,
                                         std::span<const std::string> files);

/// Finds the splits of a subset in the hub's conversions to Parquet: SUBSET/SPLIT/0000.parquet, or
/// SUBSET/partial-SPLIT/0000.parquet if only the beginning of the split was converted.
[[nodiscard]] split_list splits_of_conversion(const std::string& subset,
                                              std::span<const std::string> files);

/// Returns the folders that contain files, as names of subsets: the first parts of their paths.
[[nodiscard]] std::vector<std::string> top_folders(std::span<const std::string> files);

/// Returns the split with this name; otherwise, if it is a synonym ("val", "dev", "eval", ...), the
/// split that it means; nullptr if there is none.
[[nodiscard]] const file_split* find_split(const split_list& splits, const std::string& name);

/// Returns "train, test": the names of the splits.
[[nodiscard]] std::string names_of(const split_list& splits);

}  // namespace tables
