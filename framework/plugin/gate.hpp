// What a file must be before its code may run in this process: a library that
// exports the entry of this contract, and that nobody else could have changed.
#pragma once

#include <filesystem>

namespace inferbench::plugin {

/// `path`: absolute, as found. Returns it with links resolved. Throws base::error
/// saying what is wrong and what to do. Trusted are files of root, of the user and
/// of the owner of this program; `allow_unsafe` trusts everybody's.
std::filesystem::path pass_gate(const std::filesystem::path& path, bool allow_unsafe);

}  // namespace inferbench::plugin
