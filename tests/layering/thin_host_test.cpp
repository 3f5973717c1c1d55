// Tests that the host does not depend on particular plugins: it loads plugins by the names that
// users give. The files upstream.* and upstream_flags.* of a folder are the exceptions, because the
// flags of `vllm bench` and its scripts name plugins.
#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sources.hpp"

namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

/// The names under which users select the plugins of this project.
std::set<std::string> plugin_names() {
  std::set<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(layering::root() / "plugins")) {
    if (entry.path().filename() != "CMakeLists.txt") continue;
    for (const auto& call : layering::calls_of(entry.path(), "plugins_module")) {
      out.insert(call.arguments.front());
      for (std::string& id : call.values("IDS"))
        out.insert(std::move(id));
    }
  }
  return out;
}

struct string_literal {
  std::string text;  // without escapes: a line break is a blank
  std::size_t line = 1;
};

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The string literals of a C++ text; those in comments are left out.
std::vector<string_literal> literals_of(std::string_view source) {
  std::vector<string_literal> out;
  std::size_t line = 1;
  for (std::size_t i = 0; i < source.size();) {
    const std::size_t begin = i;
    const char c = source[i];
    const std::string_view rest = source.substr(i);
    if (rest.starts_with("//")) {
      i = std::min(source.find('\n', i), source.size());
    } else if (rest.starts_with("/*")) {
      i = std::min(source.find("*/", i + 2), source.size() - 2) + 2;
    } else if (rest.starts_with("R\"")) {
      const std::size_t open = std::min(source.find('(', i), source.size());
      const std::string close = ")" + std::string(source.substr(i + 2, open - i - 2)) + "\"";
      const std::size_t end = std::min(source.find(close, open), source.size());
      out.push_back({std::string(source.substr(open, end - open)).erase(0, 1), line});
      std::ranges::replace(out.back().text, '\n', ' ');
      i = std::min(end + close.size(), source.size());
    } else if (c == '"' || c == '\'') {
      std::string text;
      for (++i; i < source.size() && source[i] != c; ++i) {
        if (source[i] != '\\')
          text += source[i];
        else if (++i < source.size())
          text += source[i] == 'n' || source[i] == 't' ? ' ' : source[i];
      }
      i = std::min(i + 1, source.size());
      if (c == '"') out.push_back({std::move(text), line});
    } else if (is_of_word(c)) {
      // The apostrophe in 1'000 is part of the number.
      const bool number = std::isdigit(static_cast<unsigned char>(c)) != 0;
      while (i < source.size() && (is_of_word(source[i]) || (number && source[i] == '\'')))
        ++i;
    } else {
      ++i;
    }
    line += static_cast<std::size_t>(std::ranges::count(source.substr(begin, i - begin), '\n'));
  }
  return out;
}

/// The parts of a literal that select a plugin if they are its name: all parts of a literal without
/// blanks ("NAME", "--scorer=NAME", "NAME=FILE"), and the quoted parts of other literals
/// (R"({"use": "NAME"})"). The other words of a literal with blanks are a text for users.
std::vector<std::string> parts_of(const std::string& literal) {
  const bool text = literal.find(' ') != std::string::npos;
  std::vector<std::string> out;
  bool quoted = false;
  for (std::size_t begin = 0; begin <= literal.size();) {
    const std::size_t end =
        std::min(literal.find_first_of(text ? "\"" : "\"=,", begin), literal.size());
    if (quoted || !text) out.push_back(literal.substr(begin, end - begin));
    quoted = !quoted;
    begin = end + 1;
  }
  return out;
}

/// The names of plugins in a C++ text, with their lines.
std::vector<std::pair<std::size_t, std::string>> named_in(std::string_view source,
                                                          const std::set<std::string>& names) {
  std::vector<std::pair<std::size_t, std::string>> out;
  for (const string_literal& literal : literals_of(source))
    for (std::string& part : parts_of(literal.text))
      if (names.contains(part)) out.emplace_back(literal.line, std::move(part));
  return out;
}

/// A word that is the name of a plugin and has another meaning in some files.
struct other_meaning {
  const char* word;
  const char* meaning;
  std::vector<const char*> files;  // below framework/
};
const std::array other_meanings{
    other_meaning{"bytes", "the unit", {"check/lifecycle_tests.cpp"}},
    other_meaning{"bytes",
                  "a member of JSON",
                  {"metrics/accumulator_facts.cpp", "simulator/media_facts.cpp"}},
    other_meaning{"bytes", "a form of vectors", {"simulator/pooling_request.cpp"}},
    other_meaning{"conversations",
                  "an option of datasets",
                  {"options/forwarding.cpp", "plugin/option_names.cpp"}},
    other_meaning{"conversations",
                  "a fact of a run",
                  {"run/conversation_clients.cpp", "run/conversations.cpp"}},
    other_meaning{
        "conversations", "a member of ShareGPT's rows", {"multiturn/sharegpt_entries.cpp"}},
    other_meaning{"csv", "a format of nvidia-smi and hl-smi", {"perf/devices.cpp"}},
    other_meaning{"exact-match", "an example in a message", {"config/settings.cpp"}},
    other_meaning{"hf", "an example in a message", {"config/settings.cpp"}},
    other_meaning{"html", "a format of figures", {"plot/plot_request.cpp"}},
    other_meaning{"json", "a shape and a part of samples", {"check/sample.cpp"}},
    other_meaning{"json", "a member of transcripts", {"check/transcripts.cpp"}},
    other_meaning{"json",
                  "a kind of structure",
                  {"check/scorer_answers.cpp", "simulator/structured_request.cpp",
                   "structured/script_flags.cpp"}},
    other_meaning{"json", "a form of answers", {"simulator/transcription_request.cpp"}},
    other_meaning{"json",
                  "the flag --json",
                  {"compare/compare_request.cpp", "config/command_flags.cpp",
                   "config/find_request.cpp", "tune/option_check.cpp"}},
    other_meaning{"multi-turn", "the command", {"cli/main.cpp"}},
    other_meaning{"multi-turn",
                  "the flag --multi-turn",
                  {"config/keys_load.cpp", "multiturn/serve_flags.cpp"}},
    other_meaning{"openai-chat", "an example in the page of all keys", {"config/page.cpp"}},
    other_meaning{
        "random",
        "an order",
        {"config/keys_load.cpp", "config/plan_load.cpp", "multiturn/script_options.cpp",
         "multiturn/serve_words.cpp", "offline/long_document.cpp", "offline/long_document.hpp"}},
    other_meaning{"random",
                  "an assignment of adapters",
                  {"config/keys_backend.cpp", "offline/throughput_options.cpp"}},
    other_meaning{"server",
                  "a table of keys",
                  {"config/keys.cpp", "config/keys_server.cpp", "config/sweep_files.cpp",
                   "sweep/toml_sweep.cpp"}},
    other_meaning{"server",
                  "a member or a value of JSON",
                  {"limit/verdict.cpp", "metrics/health_json.cpp", "metrics/ledger.cpp",
                   "observe/series_log.cpp", "run/live_facts.cpp", "startup/server_form.cpp"}},
    other_meaning{"server", "a word of messages", {"sweep/runnable.cpp"}},
    other_meaning{"structured-output", "the command", {"cli/main.cpp"}},
    other_meaning{
        "vllm",
        "the program, or its folder",
        {"experiment/cache_reset.cpp", "tune/result_folder.cpp", "tune/tune_commands.cpp"}},
    other_meaning{"vllm", "the server that has a figure", {"observe/ready_names.cpp"}}};

bool has_other_meaning(const std::string& file, const std::string& word) {
  return std::ranges::any_of(other_meanings, [&](const other_meaning& each) {
    return word == each.word &&
           std::ranges::find(each.files, std::string_view(file)) != each.files.end();
  });
}

bool is_upstreams_business(const fs::path& file) {
  const std::string stem = file.stem().string();
  return stem == "upstream" || stem == "upstream_flags";
}

std::string text_of(const fs::path& file) {
  std::string out;
  for (const std::string& line : layering::lines_of(file))
    out.append(line).append("\n");
  return out;
}

TEST(thin_host, plugins_have_the_names_under_which_users_select_them) {
  const std::set<std::string> names = plugin_names();
  EXPECT_GE(names.size(), 50U);
  for (const char* name : {"openai", "openai-chat", "vllm", "vllm-rerank", "custom_mm",
                           "prefix-repetition", "python-engine", "llama-cpp"})
    EXPECT_TRUE(names.contains(name)) << name;
  // These are folders.
  for (const char* name : {"audio", "pooling", "common"})
    EXPECT_FALSE(names.contains(name)) << name;
}

TEST(thin_host, no_source_except_upstream_names_a_plugin) {
  const std::set<std::string> names = plugin_names();
  const fs::path framework = layering::root() / "framework";
  std::vector<std::string> found;
  std::map<std::string, std::set<std::string>> used;
  std::size_t files = 0;
  std::size_t in_upstream = 0;
  for (const fs::path& path : layering::sources_below(framework)) {
    ++files;
    const std::string file = fs::relative(path, framework).string();
    for (const auto& [line, name] : named_in(text_of(path), names)) {
      if (is_upstreams_business(path))
        ++in_upstream;
      else if (has_other_meaning(file, name))
        used[file].insert(name);
      else
        found.push_back("framework/" + file + ":" + std::to_string(line) + " names the plugin " +
                        name);
    }
  }
  EXPECT_GT(files, 500U);
  EXPECT_GT(in_upstream, 50U);
  EXPECT_THAT(found, IsEmpty())
      << "Move the name to upstream.hpp of the folder. If the word has another meaning in the "
         "file, add it to other_meanings.";
  for (const other_meaning& each : other_meanings)
    for (const char* const file : each.files)
      EXPECT_TRUE(used[file].contains(each.word))
          << file << " no longer has the word " << each.word << " (" << each.meaning
          << "): remove it from other_meanings";
}

TEST(thin_host, the_name_of_a_plugin_in_a_literal_is_found_with_its_line) {
  const std::set<std::string> names{"openai-chat", "vllm", "multi-turn", "hf"};
  EXPECT_THAT(named_in("auto a = \"openai-chat\";\n\nauto b = \"vllm\";", names),
              ElementsAre(Pair(1, "openai-chat"), Pair(3, "vllm")));
  EXPECT_THAT(
      named_in(R"(f("--backend=vllm", "multi-turn=" + file, "hf,other", "\"hf\"");)", names),
      ElementsAre(Pair(1, "vllm"), Pair(1, "multi-turn"), Pair(1, "hf"), Pair(1, "hf")));
  EXPECT_THAT(named_in("g(R\"(\n{\"use\": \"hf\"})\");\nh(\"[tokenizer]\\nuse = \\\"hf\\\"\");\n"
                       "k(R\"x(\"vllm\")x\");",
                       names),
              ElementsAre(Pair(1, "hf"), Pair(3, "hf"), Pair(4, "vllm")));
}

TEST(thin_host, a_name_after_a_url_a_comment_or_a_character_is_found) {
  const std::set<std::string> names{"vllm"};
  EXPECT_THAT(named_in("f(\"http://a\", \"vllm\");", names), ElementsAre(Pair(1, "vllm")));
  EXPECT_THAT(named_in("/* a\n */ f(\"vllm\");  // why", names), ElementsAre(Pair(2, "vllm")));
  EXPECT_THAT(named_in("f('\"', 1'000, '\\'', \"vllm\");", names), ElementsAre(Pair(1, "vllm")));
}

TEST(thin_host, comments_identifiers_and_texts_for_users_name_no_plugin) {
  const std::set<std::string> names{"vllm", "hf"};
  EXPECT_THAT(named_in("// \"vllm\"\n/* \"hf\" */ int vllm = 1;  // f(\"hf\")", names), IsEmpty());
  EXPECT_THAT(named_in("f(\"Engine: vllm, hf or an installed engine\", \"vllm-other\");", names),
              IsEmpty());
  EXPECT_THAT(named_in("#include \"a/hf.hpp\"\nf(\"vllm:requests\");", names), IsEmpty());
}

TEST(thin_host, a_word_with_another_meaning_is_allowed_in_its_file_only) {
  EXPECT_TRUE(has_other_meaning("config/keys_server.cpp", "server"));
  EXPECT_FALSE(has_other_meaning("config/keys_server.cpp", "random"));
  EXPECT_FALSE(has_other_meaning("config/tokenizers.cpp", "server"));
  EXPECT_TRUE(is_upstreams_business("framework/tune/upstream.hpp"));
  EXPECT_FALSE(is_upstreams_business("framework/tune/upstream_things.cpp"));
}

}  // namespace
