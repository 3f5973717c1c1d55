// The conditions under which code of a file may run in this process: the file is a library that
// exports the entry of this contract, and nobody else could have changed it.
#pragma once

#include <filesystem>

namespace inferbench::plugin {

/// `path`: absolute, as it was found. Returns the path with links resolved. Throws base::error,
/// which says what is wrong and what to do. Trusted are files of root, of the user and of the
/// owner of this program; `allow_unsafe` trusts the files of everybody.
std::filesystem::path pass_gate(const std::filesystem::path& path, bool allow_unsafe);

}  // namespace inferbench::plugin
