// Tests with input files that are missing or damaged. A plugin must report the error in a user's
// file, and must not crash.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "check/exercise.hpp"
#include "check/instance_under_test.hpp"
#include "check/test.hpp"

namespace inferbench::check {

namespace {

namespace fs = std::filesystem;

// The indices of the options of the user that name an existing file or folder, but not a device.
std::vector<std::size_t> readable_paths(subject& s,
                                        const std::vector<options::option_value>& values) {
  // A reporter writes its files; the test reporter-folder covers them.
  if (s.given().kind == IFB_REPORTER)
    subject::skip("a reporter writes its files and does not read them");
  std::vector<std::size_t> out;
  const auto options = s.plugin().options();
  if (std::ranges::none_of(options, [](const ifb_option* o) { return o->type == IFB_PATH; }))
    subject::skip("the plugin has no option that is a path");
  for (std::size_t i = 0; i < options.size(); ++i) {
    const auto given = [&](const auto& pair) { return pair.first == options[i]->name; };
    std::error_code unknown;
    if (options[i]->type != IFB_PATH || std::ranges::none_of(s.given().settings, given)) continue;
    const fs::file_status there = fs::status(values[i].text, unknown);
    if (fs::is_regular_file(there) || fs::is_directory(there)) out.push_back(i);
  }
  if (out.empty()) subject::skip("no option that --set gives names a file that is there");
  return out;
}

// Whether an answer is a refusal: a call of the plugin failed, or the end of a request reports a
// failure.
bool refuses(const std::string& answer) {
  return std::ranges::any_of(std::array{"IFB_E_", "error -", "failed -"}, [&](const char* sign) {
    return answer.find(sign) != std::string::npos;
  });
}

// Whether a line contains an answer. The line of a cancelled call has only the status of submit.
bool answers(const std::string& line) {
  return !refuses(line) && !line.ends_with(": submit IFB_OK");
}

// Whether `found` contains a refusal that is not in `ordinary`. Codecs, for example, always refuse
// some shapes of prompts.
bool refuses_more(const std::vector<std::string>& found, const std::vector<std::string>& ordinary) {
  return std::ranges::any_of(found, [&](const std::string& line) {
    return refuses(line) && std::ranges::find(ordinary, line) == ordinary.end();
  });
}

// A copy of a file, or of the files of a folder. The test damages the copy.
class copied {
 public:
  /// Skips the test if there are too many files, or if they are too large to be read again and
  /// again. `to`: an empty folder.
  copied(const fs::path& from, const fs::path& to) : top_(to / name_of(from)) {
    constexpr std::uintmax_t most = 4U << 20U;
    constexpr std::size_t most_files = 200;
    std::uintmax_t size = 0;
    std::vector<fs::path> originals;
    std::error_code stop;
    const auto count = [&](const fs::path& file) {
      std::error_code unknown;
      if (!fs::is_regular_file(file, unknown)) return;
      const std::uintmax_t more = fs::file_size(file, unknown);
      if (!unknown) size += more;
      originals.push_back(file);
      if (originals.size() > most_files || size > most)
        subject::skip("there is too much below " + from.string() + " to be read again and again");
    };
    const bool folder = fs::is_directory(from, stop);
    if (folder) {
      // Symbolic links to folders are not followed, because they may form a cycle.
      using walk = fs::recursive_directory_iterator;
      for (walk at(from, fs::directory_options::skip_permission_denied, stop), none;
           !stop && at != none; at.increment(stop))
        count(at->path());
    } else {
      count(from);
    }
    if (stop)
      subject::skip("what is below " + from.string() + " cannot be read: " + stop.message());
    // Files are copied only after the list is complete, because `to` may be below `from`.
    for (const fs::path& file : originals) {
      files_.push_back(folder ? top_ / file.lexically_relative(from) : top_);
      fs::create_directories(files_.back().parent_path(), stop);
      if (!stop) fs::copy_file(file, files_.back(), stop);
      if (stop) subject::skip(file.string() + " cannot be copied: " + stop.message());
    }
    std::erase_if(files_, [](const fs::path& file) { return fs::is_empty(file); });
    if (files_.empty()) subject::skip("there is nothing in " + from.string());
  }

  [[nodiscard]] const fs::path& top() const { return top_; }
  [[nodiscard]] const std::vector<fs::path>& files() const { return files_; }

 private:
  // The copy keeps the name of the original, because a plugin may use it. The name `..` would lead
  // to another folder.
  static fs::path name_of(const fs::path& from) {
    const fs::path name = from.filename();
    return name.empty() || name == "." || name == ".." ? fs::path("copy") : name;
  }

  fs::path top_;
  std::vector<fs::path> files_;
};

void write(const fs::path& file, const std::string& text) {
  fs::permissions(file, fs::perms::owner_write, fs::perm_options::add);
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text << std::flush;
  if (!out.good()) throw base::error("cannot write " + file.string());
}

template <typename generator>
std::string damaged(std::string text, int way, generator& random) {
  const std::size_t at = random() % text.size();
  const std::size_t from = random() % text.size();
  const std::size_t size = 1 + random() % 40;
  switch (way % 4) {
    case 0: return text.substr(0, at);
    case 1:
      for (int i = 0; i < 4; ++i)
        text[random() % text.size()] = static_cast<char>(random());
      return text;
    case 2: return text.erase(at, size);
    default: return text.insert(at, text.substr(from, size));
  }
}

// The answers of the plugin with these values. Skips the test if create refuses them.
std::vector<std::string> answers_with(subject& s,
                                      const std::vector<options::option_value>& values) {
  const host on({});
  instance_under_test instance(s, on, values);
  need(instance);
  return exercise(s, instance, {.reasons = true});
}

// Whether the answers of the plugin with these values contain a refusal that is not in `ordinary`.
// Reports mistakes in refusals.
bool refuses_with(subject& s, const std::vector<options::option_value>& values,
                  const std::vector<std::string>& ordinary) {
  const host on({});
  instance_under_test instance(s, on, values);
  if (instance)
    return refuses_more(exercise(s, instance, {.judging = true, .reasons = true}), ordinary);
  judge_refusal(s, "create", instance.status, instance.error);
  return true;
}

// Creates an instance with these values and calls all its functions. Reports mistakes in refusals.
void live(subject& s, const std::vector<options::option_value>& values) {
  const host on({});
  instance_under_test instance(s, on, values);
  if (!instance) {
    judge_refusal(s, "create", instance.status, instance.error);
    return;
  }
  static_cast<void>(exercise(s, instance, {.judging = true}));
}

}  // namespace

void check_files_missing(subject& s) {
  const auto values = s.values();
  const auto paths = readable_paths(s, values);
  const auto ordinary = answers_with(s, values);
  for (const std::size_t i : paths) {
    auto changed = values;
    changed[i].text = (s.given().folder / "is" / "not" / "there").string();
    if (refuses_with(s, changed, ordinary)) continue;
    // The plugin has created the path, so it writes there, for example to a cache.
    std::error_code unknown;
    if (fs::exists(changed[i].text, unknown)) continue;
    if (std::ranges::none_of(ordinary, answers))
      subject::skip("the plugin gives no answer with intact files");
    const std::string what = "the plugin works although option " +
                             std::string(s.plugin().options()[i]->name) +
                             " names a file that is not there";
    const std::string remedy = "refuse with IFB_E_IO what cannot be read, best in create";
    // The plugin may write to the folder later.
    if (fs::is_directory(values[i].text, unknown))
      s.warn(what, remedy);
    else
      s.fail(what, remedy);
  }
}

void check_files_damaged(subject& s) {
  const auto values = s.values();
  // NOLINTNEXTLINE(cert-msc32-c,cert-msc51-cpp): the same damage each time
  std::mt19937_64 random(20'261'122);
  int count = 0;
  std::vector<std::string> left_alone;  // options that were not tested, and the reasons
  const auto paths = readable_paths(s, values);
  for (std::size_t n = 0; n < paths.size(); ++n) {
    const std::size_t i = paths[n];
    // Each path gets a part of the test's time.
    const double part = 0.4 * static_cast<double>(n + 1) / static_cast<double>(paths.size());
    std::optional<copied> copy;
    try {
      copy.emplace(values[i].text, s.given().folder / std::to_string(i));
    } catch (const skipped& e) {
      left_alone.push_back(std::string(s.plugin().options()[i]->name) + " is left alone: " + e.why);
      continue;
    }
    auto changed = values;
    changed[i].text = copy->top().string();
    constexpr int most = 400;
    for (int k = 0; k < most && !s.full() && !s.late(part); ++k, ++count) {
      const fs::path& file = copy->files()[random() % copy->files().size()];
      const std::string whole = base::read_file(file.string());
      write(file, damaged(whole, k, random));
      live(s, changed);
      write(file, whole);
    }
  }
  if (count == 0 && !left_alone.empty()) subject::skip(left_alone.front());
  for (std::string& why : left_alone)
    s.note(std::move(why));
  s.note(std::to_string(count) + " times something was damaged");
}

}  // namespace inferbench::check
