// The conditions under which the code of a file may run in this process: the file is a library that
// exports the entry function of the plugin contract, and only trusted users can change the file.
#pragma once

#include <filesystem>

namespace inferbench::plugin {

/// `path`: an absolute path, in which links need not be resolved. Returns the path with links
/// resolved. Throws base::error with the problem and its remedy. Trusted users are root, the
/// current user and the owner of this program. `allow_unsafe` trusts the files of all users.
std::filesystem::path pass_gate(const std::filesystem::path& path, bool allow_unsafe);

}  // namespace inferbench::plugin
