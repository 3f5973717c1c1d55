#include "batch/server_plan.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"
#include "config/catalog.hpp"

namespace inferbench::batch {

namespace {

std::vector<std::string> words_of(const server_batches& wanted,
                                  const offline::engine_options& passed_on) {
  std::vector<std::string> out{"--backend", wanted.backend, "--disable-tqdm", "--base-url"};
  out.insert(out.end(), wanted.base_urls.begin(), wanted.base_urls.end());
  out.insert(out.end(), wanted.plugin_flags.begin(), wanted.plugin_flags.end());
  for (const auto& [flag, value] : wanted.dataset_flags) {
    if (value == "true")
      out.push_back("--" + flag);
    else
      out.push_back(fmt::format("--{}={}", flag, value));
  }
  for (const offline::engine_option& each : passed_on.all())
    if (std::ranges::find(wanted.dataset_flags, each.name,
                          &std::pair<std::string, std::string>::first) ==
        wanted.dataset_flags.end())
      offline::add_words(each, out);
  if (wanted.outputs > 1) {
    if (passed_on.has("extra-body"))
      throw base::error("--n cannot be combined with --extra-body",
                        "write \"n\": " + std::to_string(wanted.outputs) + " in --extra-body",
                        {"--n", 0, 0});
    out.push_back("--extra-body={\"n\": " + std::to_string(wanted.outputs) + "}");
  }
  return out;
}

}  // namespace

config::request server_plan(const server_batches& wanted, const offline::engine_options& passed_on,
                            const options::environment& env) {
  std::vector<std::string> words = words_of(wanted, passed_on);
  config::installed_catalog plugins;
  config::request out = config::parse_serve(words, env, plugins);
  // A backend that can ask for this generates tokens.
  if (out.plan.backend.general_value_of("ignore-eos") == nullptr) return out;
  const std::size_t given = words.size();
  if (wanted.ignores_eos && !passed_on.has("ignore-eos")) words.emplace_back("--ignore-eos");
  if (!passed_on.has("temperature")) words.push_back("--temperature=" + wanted.temperature);
  return words.size() == given ? out : config::parse_serve(words, env, plugins);
}

}  // namespace inferbench::batch
