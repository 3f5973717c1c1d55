// Plugins made from C tables in the test program, so that config is tested without plugin
// libraries.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/abi.h>

#include "base/error.hpp"
#include "config/catalog.hpp"
#include "framework/options/test_environment.hpp"
#include "options/environment.hpp"
#include "plugin/option_names.hpp"

namespace inferbench::config {

using options::complaint_of;
using options::test_environment;

class fake_catalog final : public catalog {
 public:
  fake_catalog() {
    constexpr double most = 1e9;
    const std::vector<ifb_option> generation{
        option("model", IFB_STRING, "Model.", nullptr),
        option("endpoint", IFB_STRING, "Path.", "\"/v1/completions\""),
        option("ignore-eos", IFB_BOOL, "Go on.", "false"),
        option("logprobs", IFB_INT, "Log probabilities.", nullptr),
        option("extra-body", IFB_JSON, "More members.", nullptr),
        secret(option("api-key", IFB_STRING, "Key.", nullptr)),
        choice(option("flavour", IFB_CHOICE, "Taste of the answers.", "\"plain\"")),
    };
    add(IFB_BACKEND, "openai", generation, &sampling_query);
    add(IFB_BACKEND, "openai-chat",
        {option("model", IFB_STRING, "Model.", nullptr),
         option("endpoint", IFB_STRING, "Path.", "\"/v1/chat/completions\""),
         option("ignore-eos", IFB_BOOL, "Go on.", "false"),
         option("extra-body", IFB_JSON, "More members.", nullptr)},
        &sampling_query);
    add(IFB_BACKEND, "embed",
        {option("model", IFB_STRING, "Model.", nullptr),
         option("extra-body", IFB_JSON, "More members.", nullptr)},
        &pooling_query);
    add(IFB_BACKEND, "audio", {option("model", IFB_STRING, "Model.", nullptr)}, &plain_query);
    add(IFB_BACKEND, "forms",
        {option("extra-body", IFB_JSON, "More members.", nullptr),
         option("top-k", IFB_INT, "Tokens to sample from.", nullptr)},
        &plain_query);
    add(IFB_DATASET, "random",
        {ranged(option("input-len", IFB_INT, "Mean length of prompts in tokens.", "1024"), 1, most),
         ranged(option("output-len", IFB_INT, "Mean length of answers in tokens.", "128"), 1, most),
         option("range-ratio", IFB_STRING, "Spread of the lengths.", "\"0.0\""),
         option("prefix-len", IFB_INT, "Tokens that all prompts begin with.", "0"),
         advanced(option("batch-size", IFB_INT, "Prompts in a request.", "1"))},
        &dataset_query < IFB_DATASET_SYNTHETIC | IFB_DATASET_ENDLESS >);
    add(IFB_DATASET, "sharegpt",
        {required(option("path", IFB_PATH, "The file.", nullptr)),
         option("output-len", IFB_INT, "Length of answers in tokens.", nullptr)});
    add(IFB_DATASET, "prefix_repetition",
        {option("num-prefixes", IFB_INT, "Different beginnings.", "10"),
         flagged(option("plain", IFB_BOOL, "Without a reranker.", "false"), "no-reranker"),
         option("tags", IFB_STRINGS, "Tags.", "[\"a\"]"),
         option("limits", IFB_JSON, "Most items of each kind.", "{ image = 255, video = 1 }")},
        nullptr, &refuse_second);
    add(IFB_BACKEND, "openai-responses",
        {option("model", IFB_STRING, "Model.", nullptr),
         option("extra-body", IFB_JSON, "More members.", nullptr)},
        &sampling_query);
    add(IFB_DATASET, "timed_trace", {option("path", IFB_PATH, "The file.", nullptr)},
        &dataset_query < IFB_DATASET_SYNTHETIC | IFB_DATASET_ARRIVALS >);
    // A dataset of other authors that is like random. The dataset hub, which declares no flags, is
    // not of this program either.
    add(IFB_DATASET, "guest-random", {},
        &dataset_query < IFB_DATASET_SYNTHETIC | IFB_DATASET_ENDLESS >);
    others = {"hub", "guest-random"};
    add(IFB_DATASET, "hub",
        {option("no-stream", IFB_BOOL, "Fetch whole.", "false"),
         option("skip-chat-template", IFB_BOOL, "Send as it is.", "false"),
         flagged(option("enable-multimodal-chat", IFB_BOOL, "Make messages.", "false"),
                 "enable-multimodal-chat"),
         option("chat-template-kwargs", IFB_JSON, "Variables.", nullptr),
         option("trust-remote-code", IFB_BOOL, "Trust.", "false")});
    add(IFB_DATASET, "bfcl",
        {option("path", IFB_PATH, "The folder.", nullptr),
         option("categories", IFB_STRINGS, "Categories.", nullptr),
         option("output-len", IFB_INT, "Length of answers in tokens.", "512")});
    for (const char* name : {"server", "bytes"})
      add(IFB_TOKENIZER, name, {});
    add(IFB_TOKENIZER, "hf",
        {option("path", IFB_PATH, "Where it is.", nullptr),
         required(option("model", IFB_STRING, "The model.", nullptr)),
         option("trust-remote-code", IFB_BOOL, "Trust.", "false")});
    add(IFB_SCORER, "exact", {option("strip", IFB_BOOL, "Without blanks.", "true")});
    hide(IFB_SCORER, "exact");
    add(IFB_REPORTER, "console", {}, &both_query, &accept, both_ids);
    add(IFB_REPORTER, "json",
        {option("result-dir", IFB_PATH, "Folder.", nullptr),
         option("result-filename", IFB_PATH, "File.", nullptr),
         option("save-detailed", IFB_BOOL, "All.", "false"),
         option("append-result", IFB_BOOL, "Append.", "false"),
         option("label", IFB_STRING, "Label.", nullptr),
         option("metadata", IFB_STRINGS, "Texts.", nullptr),
         option("indent", IFB_INT, "Blanks of each level.", "0")});
    add(IFB_REPORTER, "timeline",
        {option("result-dir", IFB_PATH, "Folder.", nullptr),
         option("label", IFB_STRING, "Label.", nullptr),
         option("itl-thresholds", IFB_STRINGS, "Two limits.", "[\"25\", \"50\"]")});
    add(IFB_REPORTER, "dataset-stats",
        {option("result-filename", IFB_PATH, "File.", nullptr),
         option("itl-thresholds", IFB_STRING, "Two limits.", nullptr)});
    add(IFB_REPORTER, "pytorch", {option("result-dir", IFB_PATH, "Folder.", nullptr)});
    add(IFB_REPORTER, "file",
        {required(option("path", IFB_PATH, "The file.", nullptr)),
         option("every", IFB_DURATION, "Time between two writes.", "\"1s\""),
         option("limit", IFB_SIZE, "Size to stop at.", "\"64MiB\"")});
    add(IFB_REPORTER, "sides", {}, &table_query, &accept, table_ids);
    add(IFB_REPORTER, "lines",
        {option("file", IFB_PATH, "File to write.", "\"lines.csv\""),
         option("wide", IFB_BOOL, "More columns.", "false")});
    add(IFB_REPORTER, "mirror",
        {option("file", IFB_PATH, "File to write.", nullptr),
         option("result-dir", IFB_PATH, "Folder.", nullptr),
         option("result-filename", IFB_PATH, "File.", nullptr)});
    hide(IFB_TOKENIZER, "hf");
    hide(IFB_DATASET, "bfcl");
    add(IFB_REPORTER, "screen", {});
    hide(IFB_REPORTER, "lines");
    hide(IFB_REPORTER, "mirror");
    hide(IFB_REPORTER, "sides");
  }

  void look_in(std::vector<std::filesystem::path> given, bool unsafe) override {
    folders = std::move(given);
    allow_unsafe = unsafe;
    ++looked;
  }
  plugin::loaded load(ifb_kind kind, std::string_view name, const plugin::pin& meant) override {
    if (!meant.sha256.empty()) digests.push_back(meant.sha256);
    loads.emplace_back(name);
    if (const ifb_plugin* found = find(kind, name)) {
      plugin::loaded out;
      out.plugin = found;
      out.file = std::filesystem::path("/plugins") / (std::string(name) + ".so");
      if (kind == IFB_BACKEND) out.hides = hides;
      return out;
    }
    throw base::error("no " + std::string(plugin::name_of(kind)) + " is called " +
                          std::string(name) + " (tried /plugins/" + std::string(name) + ".so)",
                      "build it");
  }
  bool came_with_program(const plugin::loaded& one) override {
    return std::ranges::find(others, one.id()) == others.end();
  }
  bool installed(ifb_kind kind, std::string_view name) override {
    return find(kind, name) != nullptr;
  }
  std::vector<plugin::described> list(const std::vector<std::string>&) override {
    ++listed;
    std::vector<plugin::described> out;
    for (const ifb_plugin& p : plugins_) {
      if (find(p.kind, p.id) == nullptr) continue;
      plugin::described d;
      d.kind = p.kind;
      d.name = d.id = p.id;
      for (const char* const* one = p.interfaces; one != nullptr && *one != nullptr; ++one)
        d.interfaces.emplace_back(*one);
      for (std::uint32_t i = 0; i < p.option_count; ++i) {
        const ifb_option& o = p.options[i];
        plugin::described::option next;
        next.name = o.name;
        next.help = o.help;
        next.fallback = o.fallback == nullptr ? "" : o.fallback;
        next.flag = o.flag == nullptr ? "" : o.flag;
        next.type = o.type;
        next.flags = o.flags;
        next.minimum = o.minimum;
        next.maximum = o.maximum;
        for (std::uint32_t c = 0; c < o.choice_count; ++c)
          next.choices.emplace_back(o.choices[c]);
        d.options.push_back(std::move(next));
      }
      out.push_back(std::move(d));
    }
    plugin::described broken;
    broken.name = "broken";
    broken.trouble = "died of Segmentation fault";
    out.push_back(std::move(broken));
    return out;
  }

  /// Adds a plugin whose options are as they are declared: without IFB_OPT_GENERAL, an option is
  /// the plugin's own.
  void add_with_own(ifb_kind kind, const char* id, std::vector<ifb_option> options) {
    put(kind, id, std::move(options), kind == IFB_BACKEND ? &sampling_query : nullptr, &accept);
  }
  void hide(ifb_kind kind, std::string name) { hidden_.emplace_back(kind, std::move(name)); }
  void show_all() { hidden_.clear(); }

  std::vector<std::filesystem::path> folders;
  bool allow_unsafe = false;
  std::vector<std::string_view> others;  // ids of plugins that did not come with the program
  int looked = 0;
  int listed = 0;
  std::vector<std::string> loads;
  std::vector<std::filesystem::path> hides;  // the files that each backend hides
  std::vector<std::string> digests;          // the SHA-256 digests that load() was called with

  static ifb_option option(const char* name, ifb_type type, const char* help,
                           const char* fallback) {
    ifb_option out{};
    out.struct_size = sizeof out;
    out.type = type;
    out.name = name;
    out.help = help;
    out.fallback = fallback;
    return out;
  }
  static ifb_option ranged(ifb_option o, double low, double high) {
    o.minimum = low;
    o.maximum = high;
    return o;
  }
  static ifb_option general(ifb_option o) { return with(o, IFB_OPT_GENERAL); }
  static ifb_option required(ifb_option o) { return with(o, IFB_OPT_REQUIRED); }
  static ifb_option secret(ifb_option o) { return with(o, IFB_OPT_SECRET); }
  static ifb_option advanced(ifb_option o) { return with(o, IFB_OPT_ADVANCED); }
  static ifb_option flagged(ifb_option o, const char* flag) {
    o.flag = flag;
    return o;
  }
  static ifb_option choice(ifb_option o) {
    static constexpr std::array<const char*, 2> choices{"plain", "spicy"};
    o.choices = choices.data();
    o.choice_count = choices.size();
    return o;
  }

 private:
  static ifb_option with(ifb_option o, std::uint32_t flag) {
    o.flags |= flag;
    return o;
  }

  static const ifb_http_codec* codec(std::uint32_t flags) {
    static const std::array<ifb_http_codec, 4> codecs = [] {
      std::array<ifb_http_codec, 4> out{};
      for (std::uint32_t i = 0; i < out.size(); ++i) {
        out[i].struct_size = sizeof(ifb_http_codec);
        out[i].flags = i;
      }
      return out;
    }();
    return &codecs[flags];
  }
  static const void* codec_for(const char* id, std::uint32_t flags) {
    return std::strcmp(id, IFB_HTTP_CODEC) == 0 ? codec(flags) : nullptr;
  }
  static const void* sampling_query(const ifb_plugin*, const char* id) {
    return codec_for(id, IFB_CODEC_SAMPLING);
  }
  static const void* pooling_query(const ifb_plugin*, const char* id) {
    return codec_for(id, IFB_CODEC_POOLING);
  }
  static const void* plain_query(const ifb_plugin*, const char* id) { return codec_for(id, 0); }

  template <std::uint32_t flags>
  static const void* dataset_query(const ifb_plugin*, const char* id) {
    static constexpr ifb_dataset table{sizeof(ifb_dataset), flags, nullptr, nullptr};
    return std::strcmp(id, IFB_DATASET_OPS) == 0 ? &table : nullptr;
  }

  // Reporters of one run, of several runs, and of both.
  static const void* reporter_query(const ifb_plugin*, const char* id) {
    static constexpr ifb_reporter table{
        sizeof(ifb_reporter), 0, nullptr, nullptr, nullptr, nullptr};
    return std::strcmp(id, IFB_REPORTER_OPS) == 0 ? &table : nullptr;
  }
  static const void* table_query(const ifb_plugin*, const char* id) {
    static constexpr ifb_table_reporter table{
        sizeof(ifb_table_reporter), 0, nullptr, nullptr, nullptr, nullptr};
    return std::strcmp(id, IFB_TABLE_REPORTER_OPS) == 0 ? &table : nullptr;
  }
  static const void* both_query(const ifb_plugin* self, const char* id) {
    const void* const one = reporter_query(self, id);
    return one != nullptr ? one : table_query(self, id);
  }
  static constexpr const char* reporter_ids[] = {IFB_REPORTER_OPS, nullptr};
  static constexpr const char* table_ids[] = {IFB_TABLE_REPORTER_OPS, nullptr};
  static constexpr const char* both_ids[] = {IFB_REPORTER_OPS, IFB_TABLE_REPORTER_OPS, nullptr};

  static ifb_status accept(const ifb_host*, const ifb_config*, ifb_instance** out, ifb_error*) {
    static int anything = 0;
    *out = reinterpret_cast<ifb_instance*>(&anything);
    return IFB_OK;
  }
  // Refuses option 2, which is a list. The message contains values of two options.
  static ifb_status refuse_second(const ifb_host*, const ifb_config* config, ifb_instance**,
                                  ifb_error* error) {
    error->code = IFB_E_CONFIG;
    error->option = 2;
    const auto& list = config->values[2].as.list;
    std::snprintf(error->message, sizeof error->message, "%zu tags, first %.*s, prefixes %lld",
                  list.size, static_cast<int>(list.data[0].size), list.data[0].data,
                  static_cast<long long>(config->values[0].as.i));
    return IFB_E_CONFIG;
  }

  using query_function = const void* (*)(const ifb_plugin*, const char*);
  using create_function = ifb_status (*)(const ifb_host*, const ifb_config*, ifb_instance**,
                                         ifb_error*);

  // Adds a plugin like those of this project: all options with a general name are general.
  void add(ifb_kind kind, const char* id, std::vector<ifb_option> options,
           query_function query = nullptr, create_function create = &accept,
           const char* const* interfaces = nullptr) {
    for (ifb_option& each : options)
      if (plugin::is_general(kind, each.name, IFB_OPT_GENERAL)) each.flags |= IFB_OPT_GENERAL;
    if (kind == IFB_REPORTER && query == nullptr) {
      query = &reporter_query;
      interfaces = reporter_ids;
    }
    put(kind, id, std::move(options), query, create, interfaces);
  }

  void put(ifb_kind kind, const char* id, std::vector<ifb_option> options, query_function query,
           create_function create, const char* const* interfaces = nullptr) {
    options_.push_back(std::move(options));
    ifb_plugin out{};
    out.struct_size = sizeof out;
    out.kind = kind;
    out.id = id;
    out.version = "1.0.0";
    out.summary = "For tests.";
    out.license = "Apache-2.0";
    out.options = options_.back().data();
    out.option_count = static_cast<std::uint32_t>(options_.back().size());
    out.option_stride = sizeof(ifb_option);
    out.create = create;
    out.interfaces = interfaces;
    out.destroy = [](ifb_instance*) {};
    out.query =
        query == nullptr ? [](const ifb_plugin*, const char*) -> const void* { return nullptr; }
                         : query;
    plugins_.push_back(out);
  }

  const ifb_plugin* find(ifb_kind kind, std::string_view name) const {
    if (std::ranges::find(hidden_, std::pair<ifb_kind, std::string>(kind, name)) != hidden_.end())
      return nullptr;
    for (const ifb_plugin& p : plugins_)
      if (p.kind == kind && p.id == name) return &p;
    return nullptr;
  }

  std::deque<std::vector<ifb_option>> options_;
  std::deque<ifb_plugin> plugins_;
  std::vector<std::pair<ifb_kind, std::string>> hidden_;
};

}  // namespace inferbench::config
