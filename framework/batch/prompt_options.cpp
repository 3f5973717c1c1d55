#include "batch/prompt_options.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "batch/prompt_list.hpp"
#include "config/request.hpp"
#include "offline/upstream.hpp"
#include "options/option.hpp"
#include "sweep/engine_option_names.hpp"

namespace inferbench::batch {

namespace {

/// The name of an option without the members behind a dot.
std::string_view flag_in(const offline::engine_option& from) {
  return std::string_view(from.name).substr(0, from.name.find('.'));
}

bool declares(const std::vector<options::option>& all, std::string_view flag) {
  return !flag.empty() && std::ranges::find(all, flag, &options::option::flag) != all.end();
}

std::vector<options::option> options_of_engine(const std::string& name, config::catalog& plugins) {
  try {
    const std::string plugin = offline::upstream::plugin_of(name).plugin;
    return config::declared_options(plugins.load(IFB_BACKEND, plugin, {}), IFB_BACKEND);
  } catch (const base::error&) {
    return {};
  }
}

std::vector<options::option> options_of_dataset(const offline::dataset_options& data,
                                                const prompt_plugins& with,
                                                const options::environment& env) {
  try {
    std::vector<std::string> words = prompt_words(data, with.tokenizer, false);
    words.insert(words.end(), with.plugin_flags.begin(), with.plugin_flags.end());
    config::installed_catalog plugins;
    return config::dataset_options_of_dataset_show(words, env, plugins);
  } catch (const base::error&) {
    return {};
  }
}

}  // namespace

offline::engine_options take_prompt_options(offline::dataset_options& data,
                                            const offline::engine_options& passed_on,
                                            const prompt_plugins& with, config::catalog& plugins,
                                            const options::environment& env) {
  const auto is_open = [](const offline::engine_option& each) {
    return !each.for_engine && !sweep::is_engine_option(offline::destination_of(flag_in(each)));
  };
  if (std::ranges::none_of(passed_on.all(), is_open)) return passed_on;
  const std::vector<options::option> of_engine = options_of_engine(with.engine, plugins);
  const auto by_command = offline::dataset_flags(data, false);
  const auto is_wanted = [&](const offline::engine_option& each) {
    // Options without a flag are laid over those of the engine by their names.
    const bool of_its_own =
        declares(of_engine, flag_in(each)) ||
        std::ranges::find(of_engine, flag_in(each), &options::option::name) != of_engine.end();
    return is_open(each) && !of_its_own && std::ranges::none_of(by_command, [&](const auto& flag) {
             return flag.first == flag_in(each);
           });
  };
  // The plugin of the data set is looked for only if an option may belong to it.
  if (std::ranges::none_of(passed_on.all(), is_wanted)) return passed_on;
  const std::vector<options::option> of_dataset = options_of_dataset(data, with, env);
  offline::engine_options rest;
  for (const offline::engine_option& each : passed_on.all()) {
    if (is_wanted(each) && declares(of_dataset, flag_in(each)))
      data.plugin_options.push_back(each);
    else
      rest.add(each);
  }
  return rest;
}

}  // namespace inferbench::batch
