#include "config/named_reporter.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "config/reporter_flags.hpp"
#include "config/upstream.hpp"
#include "options/check.hpp"
#include "options/forwarding.hpp"
#include "options/refusal.hpp"

namespace inferbench::config {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view own_file = "file";
constexpr std::string_view result_file = "result-filename";

/// The general option with this name; nullptr if the plugin does not declare it.
const options::option* general_option(std::span<const options::option> options,
                                      std::string_view name) {
  const auto found = std::ranges::find(options, name, &options::option::name);
  return found == options.end() || !found->of_run ? nullptr : &*found;
}

std::string text_of(const options::option_value* value) {
  return value == nullptr || !value->is_set ? std::string{} : value->text;
}

std::string whole(const fs::path& path) {
  return fs::absolute(path.empty() ? "." : path).lexically_normal().string();
}

// A text that identifies the file of a reporter: it is the same for two reporters if they write the
// same file. Empty if no option of the reporter names a file.
std::string place_of(const options::plugin_choice& choice) {
  const std::string id(choice.library.id());
  const std::string file = text_of(choice.find(own_file));
  if (file == standard_output) return id + " on standard output";
  if (!file.empty()) return whole(file);
  const options::option_value* const result = choice.general_value_of(result_file);
  if (result == nullptr) return {};
  const std::string folder = text_of(choice.general_value_of("result-dir"));
  const std::string name = text_of(result);
  if (id == upstream::result_reporter && !name.empty()) return whole(fs::path(folder) / name);
  // The plugin chooses the name itself, or adds its own ending to the name of the result.
  return "the file of " + id + " for " + whole(fs::path(folder) / name) + " " +
         text_of(choice.general_value_of("label"));
}

}  // namespace

named_reporter parse_named_reporter(const std::string& text) {
  const auto equals = text.find('=');
  named_reporter out{text.substr(0, equals), {}};
  if (equals != std::string::npos) out.file = text.substr(equals + 1);
  if (out.use.empty() || (equals != std::string::npos && out.file.empty()))
    throw options::usage_error(
        "expected NAME, NAME=FILE or NAME=-, not " + options::in_quotes(text),
        "for example --reporter json=result.json", {"--reporter", 0, 0});
  return out;
}

const options::option* file_option(std::span<const options::option> options) noexcept {
  const auto own = std::ranges::find(options, own_file, &options::option::name);
  return own == options.end() ? general_option(options, result_file) : &*own;
}

std::string file_of(const named_reporter& named, std::span<const options::option> options,
                    const std::string& result_dir) {
  const options::option* declared = file_option(options);
  if (named.file.empty()) {
    if (declared == nullptr || declared->name != own_file || !declared->fallback) return {};
    const options::node usual = options::default_of(*declared);
    std::string ending = fs::path(usual.text).extension().string();
    if (ending.empty()) ending = "." + reporter_of(*declared);
    return (fs::path(result_dir) / (std::string(result_placeholder) + ending)).string();
  }
  if (named.file == standard_output) return declared == nullptr ? std::string{} : named.file;
  if (declared == nullptr)
    throw base::error("reporter " + named.use + " cannot be told to write to " + named.file +
                          ": it has no option " + std::string(own_file),
                      "leave =" + named.file + " out", {"--reporter", 0, 0});
  // A reporter that declares both options joins folder and name itself.
  if (declared->name == result_file && general_option(options, "result-dir") != nullptr)
    return named.file;
  return (fs::path(result_dir) / named.file).string();
}

std::string with_result_name(std::string file, const std::string& result_filename) {
  if (result_filename.empty()) return file;
  const auto at = file.find(result_placeholder);
  if (at != std::string::npos)
    file.replace(at, result_placeholder.size(), fs::path(result_filename).stem().string());
  return file;
}

std::optional<options::option_value> file_value(const std::optional<named_reporter>& asked,
                                                std::span<const options::option> options,
                                                const std::optional<options::node>& given,
                                                const result_place& result,
                                                const options::environment& env) {
  const options::option& declared = *file_option(options);
  const bool own = declared.name == own_file;
  const bool named_file = asked && !asked->file.empty();
  if (given && named_file && own)
    throw base::error("two files are named for reporter " + asked->use, "leave out =" + asked->file,
                      given->where);
  options::option_value out;
  if (given && !named_file) {
    out = options::check(declared, *given, env);
  } else if (asked) {
    options::node file =
        options::node::of(file_of({asked->use, env.expand(asked->file)}, options, result.folder));
    if (file.text.empty()) return std::nullopt;
    file.where = {"--reporter", 0, 0};
    out = options::check(declared, file, env);
  } else {
    return std::nullopt;
  }
  if (own) out.text = with_result_name(std::move(out.text), result.filename);
  return out;
}

bool hears(std::string_view path, std::span<const options::option> options, bool named) {
  const bool of_file = path == "run.result-dir" || path == "run.result-filename";
  if (of_file && named && file_option(options) != nullptr) return true;
  return std::ranges::any_of(
      options, [&](const options::option& o) { return options::forwarded_path(o) == path; });
}

void refuse_shared_files(std::span<const options::plugin_choice> reporters) {
  std::vector<std::string> places;
  for (const options::plugin_choice& one : reporters) {
    std::string place = place_of(one);
    const auto same = place.empty() ? places.end() : std::ranges::find(places, place);
    if (same != places.end()) {
      const auto& other = reporters[static_cast<std::size_t>(same - places.begin())];
      const bool twice = other.library.id() == one.library.id();
      throw base::error(
          (twice ? "reporter " + one.use + " would twice write"
                 : "reporters " + other.use + " and " + one.use + " would both write") +
              (place.starts_with('/') ? " " + place : " one file"),
          "leave one out, or give it another file: --reporter " + one.use + "=FILE",
          one.named ? base::source_position{"--reporter", 0, 0} : base::source_position{});
    }
    places.push_back(std::move(place));
  }
}

void refuse_collections_on_standard_output(std::span<const options::plugin_choice> reporters) {
  constexpr std::string_view adds = "append-result";
  for (const options::plugin_choice& one : reporters) {
    const options::option_value* const file = one.find(own_file);
    if (file == nullptr || file->text != standard_output) continue;
    const bool declared = std::ranges::any_of(
        one.library.options(), [&](const ifb_option* each) { return each->name == adds; });
    if (!declared || one.general_value_of(adds) != nullptr) continue;
    throw base::error(
        "reporter " + one.use + " adds runs to a file, and cannot write to standard output",
        "name a file: --reporter " + one.use + "=FILE", file->where);
  }
}

}  // namespace inferbench::config
