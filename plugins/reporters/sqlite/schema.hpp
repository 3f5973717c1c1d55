// The tables of the database. docs/reporters.md describes them.
#pragma once

#include <filesystem>

#include "database.hpp"

namespace reporters {

/// PRAGMA user_version of the database. It grows with every change of the tables.
inline constexpr int schema_version = 1;

/// Creates the tables unless they exist. Throws ifb::failure if the database was made by a newer
/// version of this reporter, or if it is the database of another program.
void prepare_schema(const database& in, const std::filesystem::path& file);

}  // namespace reporters
