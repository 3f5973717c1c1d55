#include "config/table_reporters.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/key_table.hpp"
#include "config/named_reporter.hpp"
#include "config/plan_server.hpp"
#include "options/check.hpp"
#include "options/forwarding.hpp"
#include "options/refusal.hpp"

namespace inferbench::config {

namespace {

constexpr std::string_view use_key = "use";
constexpr std::string_view folder_path = "run.result-dir";

base::source_position named_place() { return {"--reporter", 0, 0}; }

class table_reporter_reading {
 public:
  table_reporter_reading(const asked_table_reporters& asked, const options::environment& env,
                         catalog& plugins)
      : folder_(asked.folder), env_(env), plugins_(plugins) {}

  options::plugin_choice of_entry(const options::node& entry) {
    const options::node* use = entry.find(use_key);
    if (use == nullptr || !use->is(options::node::kind::text) || use->text.empty())
      throw options::usage_error("the reporter has no name of a plugin", "add use = \"NAME\"",
                                 use == nullptr ? entry.where : use->where);
    plugin::pin meant;
    if (const options::node* digest = entry.find(digest_key)) {
      if (!digest->is(options::node::kind::text))
        throw options::usage_error(
            "sha256 must be a text, not " + std::string(options::noun_of(*digest)),
            "copy it from inferbench plugin show", digest->where);
      meant = {digest->text, digest->where};
    }
    options::plugin_choice out = load(use->text, meant, use->where);
    const std::vector<options::option> declared = declared_options(out.library, IFB_REPORTER);
    reject_unknown_keys(entry, declared, out.use);
    fill(out, declared, {use->text, {}}, &entry);
    return out;
  }

  options::plugin_choice of_text(const std::string& text) {
    const named_reporter asked = parse_named_reporter(text);
    options::plugin_choice out = load(asked.use, {}, named_place());
    const std::vector<options::option> declared = declared_options(out.library, IFB_REPORTER);
    (void)file_of(asked, declared, {});  // throws if the reporter cannot take a file
    fill(out, declared, asked, nullptr);
    return out;
  }

 private:
  options::plugin_choice load(const std::string& use, const plugin::pin& meant,
                              const base::source_position& where) {
    options::plugin_choice out;
    out.use = use;
    out.named = true;
    try {
      out.library = plugins_.load(IFB_REPORTER, use, meant);
    } catch (const base::error& why) {
      if (why.where().known()) throw;
      throw base::error(why.message(), why.remedy(), where);
    }
    if (out.library.query(IFB_TABLE_REPORTER_OPS) == nullptr) {
      const std::string others = reporters_with(IFB_TABLE_REPORTER_OPS, plugins_);
      throw base::error("reporter " + use + " shows one run, and not the runs of a sweep",
                        "use a reporter of several runs" + (others.empty() ? "" : ": " + others),
                        where);
    }
    return out;
  }

  static void reject_unknown_keys(const options::node& entry,
                                  const std::vector<options::option>& declared,
                                  const std::string& use) {
    std::vector<std::string> names{std::string(use_key), digest_key};
    for (const options::option& o : declared)
      names.push_back(o.name);
    for (std::size_t i = 0; i < entry.names.size(); ++i)
      if (std::ranges::find(names, entry.names[i]) == names.end())
        throw options::usage_error("unknown key " + entry.names[i] + " with reporter " + use,
                                   base::did_you_mean(entry.names[i], names), entry.items[i].where);
  }

  void fill(options::plugin_choice& out, const std::vector<options::option>& declared,
            const named_reporter& asked, const options::node* entry) const {
    const options::option* file = file_option(declared);
    const bool has_place = !asked.file.empty() || (entry != nullptr && file != nullptr &&
                                                   entry->find(file->name) != nullptr);
    const std::string folder = has_place ? std::string() : folder_;
    for (const options::option& own : declared) {
      std::optional<options::node> given;
      if (const options::node* found = entry == nullptr ? nullptr : entry->find(own.name))
        given = *found;
      options::option_value value = value_of(own, declared, asked, given, folder);
      value.type = own.type;
      if (own.required && !value.is_set)
        throw base::error("reporter " + out.use + " needs " + own.name,
                          entry == nullptr ? "name it in a file: [[sweep.reporter]]"
                                           : "add " + own.name + " = ...",
                          entry == nullptr ? named_place() : entry->where);
      out.values.push_back(std::move(value));
    }
  }

  [[nodiscard]] options::option_value value_of(const options::option& own,
                                               const std::vector<options::option>& declared,
                                               const named_reporter& asked,
                                               const std::optional<options::node>& given,
                                               const std::string& folder) const {
    if (&own == file_option(declared)) {
      if (auto value = file_value(asked, declared, given, {folder, {}}, env_))
        return *std::move(value);
    } else if (given) {
      return options::check(own, *given, env_);
    } else if (own.of_run && options::forwarded_path(own) == folder_path && !folder.empty()) {
      return options::check(own, options::node::of(folder), env_);
    }
    return options::fallback_of(own, env_);
  }

  std::string folder_;
  const options::environment& env_;
  catalog& plugins_;
};

}  // namespace

table_reporters read_table_reporters(const asked_table_reporters& asked,
                                     const options::environment& env, catalog& plugins) {
  table_reporters out;
  table_reporter_reading reading(asked, env, plugins);
  for (const options::node& entry : asked.entries)
    out.reporters.push_back(reading.of_entry(entry));
  for (const std::string& text : asked.named)
    out.reporters.push_back(reading.of_text(text));
  refuse_shared_files(out.reporters);
  refuse_collections_on_standard_output(out.reporters);
  for (const options::plugin_choice& one : out.reporters)
    warn_of_hidden(one.library, out.warnings);
  take_proxies(out.server, env);
  return out;
}

std::string reporters_with(std::string_view interface_id, catalog& plugins) {
  std::string out;
  for (const plugin::described& each : plugins.list({}))
    if (each.kind == IFB_REPORTER &&
        std::ranges::find(each.interfaces, interface_id) != each.interfaces.end())
      out += (out.empty() ? "" : ", ") + each.name;
  return out;
}

}  // namespace inferbench::config
