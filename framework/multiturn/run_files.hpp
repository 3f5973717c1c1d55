// Checks of the files that a command reads and writes, before it does anything: a file that is
// named twice would be lost. The functions look at the file system and write nothing.
#pragma once

#include <span>
#include <string>

namespace inferbench::multiturn {

struct named_file {
  std::string flag;  // "--output-file"; the name of the file in errors
  std::string path;  // empty: there is no such file
};

/// Throws options::usage_error, with the flag of the later file, if two of the files are the same
/// file, whether the file exists or not. Links and other spellings of the path are seen through. A
/// device such as /dev/null counts as a different file each time: it holds nothing.
void require_different_files(std::span<const named_file> files);

/// Throws base::error, with the flag, if the folder of the file does not exist.
void require_folder(const named_file& file);

}  // namespace inferbench::multiturn
