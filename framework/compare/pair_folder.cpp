#include "compare/pair_folder.hpp"

#include <cstdint>
#include <random>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <inferbench/json_reader.hpp>
#include <inferbench/json_writer.hpp>

#include "base/error.hpp"
#include "experiment/durable_file.hpp"
#include "experiment/result_file.hpp"

namespace inferbench::compare {

namespace {

constexpr const char* lock_name = ".lock";

namespace fs = std::filesystem;

constexpr const char* file_name = ".compare.json";
constexpr const char* folder_flag = "--result-dir";

/// Whether the folder has more than the lock of a start that was killed.
bool has_files(const fs::path& folder) {
  std::error_code unknown;
  for (const fs::directory_entry& each : fs::directory_iterator(folder, unknown))
    if (each.path().filename() != lock_name) return true;
  return false;
}

std::string new_id() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

}  // namespace

pair_folder::pair_folder(fs::path folder, const pair_identity& of, std::size_t blocks, bool resume)
    : path_(std::move(folder)), first_blocks_(blocks) {
  std::error_code unknown;
  const bool there = fs::exists(path_ / file_name, unknown);
  if (resume && !there)
    throw base::error(path_.string() + " has no comparison to resume",
                      "correct --result-dir, or leave out --resume");
  if (!resume && has_files(path_))
    throw base::error(path_.string() + " is there already",
                      "--resume continues its comparison; another --result-dir begins one");
  experiment::create_folder(path_);
  lock_.emplace(path_ / lock_name, folder_flag);
  tidy();
  if (resume) {
    read(of);
  } else {
    id_ = new_id();
    write(of);
  }
}

void pair_folder::read(const pair_identity& of) {
  const fs::path file = path_ / file_name;
  const auto found = experiment::read_result(file);
  id_ = ifb::text_of(ifb::find(*found, "id"));
  const std::int64_t blocks = ifb::integer_of(ifb::find(*found, "blocks"));
  if (id_.empty() || blocks < 1)
    throw base::error("the file does not describe a comparison", "choose another --result-dir",
                      {file.string(), 0, 0});
  first_blocks_ = static_cast<std::size_t>(blocks);
  for (std::size_t i = 0; i < of.names.size(); ++i) {
    const std::string number = std::to_string(i);
    const auto before = ifb::text_of(ifb::find_path(*found, "arms." + number + ".name"));
    if (before != of.names[i])
      throw base::error("the comparison in " + path_.string() + " has the arm " +
                            std::string(before) + ", not " + of.names[i],
                        "name the same files in the same order, or choose another --result-dir");
    if (ifb::text_of(ifb::find_path(*found, "arms." + number + ".settings")) != of.digests[i])
      throw base::error("the settings of " + of.names[i] +
                            " have changed since the first runs of this comparison",
                        "continue with the same files, --set and --metric; another --result-dir "
                        "makes all runs with the new settings");
  }
}

void pair_folder::write(const pair_identity& of) const {
  ifb::json_writer out;
  out.begin_object();
  out.member("id", id_);
  out.member("blocks", first_blocks_);
  out.key("arms");
  out.begin_array();
  for (std::size_t i = 0; i < of.names.size(); ++i) {
    out.begin_object();
    out.member("name", of.names[i]);
    out.member("settings", of.digests[i]);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  experiment::write_durably(path_ / file_name, out.take() + "\n");
}

void pair_folder::tidy() const noexcept {
  std::error_code ignored;
  fs::remove_all(part(), ignored);
}

}  // namespace inferbench::compare
