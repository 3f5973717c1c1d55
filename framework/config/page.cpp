#include "config/page.hpp"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "config/keys.hpp"
#include "options/forwarding.hpp"
#include "sweep/toml_sweep.hpp"

namespace inferbench::config {

namespace {

constexpr std::string_view introduction =
    R"(# Configuration

`inferbench docs configuration` prints this page; a test compares the two.

A run has keys. A key has two spellings: a flag of `inferbench serve`, and a line of the TOML file that
`inferbench run` carries out. `inferbench serve ... --print-config` prints the file for a line of flags; both make
the same plan.

    inferbench serve --backend openai-chat --request-rate 20     [backend]
                                                                 use = "openai-chat"
                                                                 [load]
                                                                 request-rate = 20.0

- Every flag takes `_` for `-` in its name. The beginning of a name (`--num-p`) stands for the only flag that begins
  with it; if there are several, for the only flag of `vllm bench serve` among them. A note says which flag was used.
- `--flag VALUE` and `--flag=VALUE` are the same; the second form also takes a value that begins with a
  dash. A list takes all words up to the next flag. If a flag is given twice, the last value counts; `--plugin-dir`,
  `--set` and `--reporter` add up.
- JSON has a dotted form, `--extra-body.a.b 3 --extra-body.c+ x,y`, which replaces the plain form. A value
  is JSON, else a number with a suffix (`1.5k`, `4K`), else a text; a name that ends in `+` makes a list.
- `inferbench run FILE --set TABLE.KEY=VALUE` overrides a key of the file.
- `inferbench run base.toml team.toml` lays the files one over the other: tables are merged, and a value of a later file
  replaces the value of an earlier file. The `[[reporter]]` entries of a later file replace those of the earlier files;
  with `extend = true` in one of its entries, they are added. `--print-config` names the place of each value: the file
  and its line, or the flag. A value without a place is a default.
- In a file, the text `"${NAME}"` stands for the environment variable; `"$${NAME}"` is the text itself.
- Paths, also in a file, are relative to the folder in which inferbench is started.
- Flags and `--set` override the file, the file overrides environment variables, and these override the default.
- `inferbench calibrate` takes the flags of serve; `inferbench report` takes the flags for results and plugins.

Exit status of serve and run: 0 if the run finished, even with failed requests; 1 if a value can be read but not
used, or a part of the run is missing; 2 if a flag, a name or the form of a value cannot be read; 3 with
`--require-valid`, if the client did not keep up; 4 if a goal of `--threshold` is not met ([goals.md](goals.md)). An item
of a comma list, of pairs or of goals that cannot be read counts as a value that cannot be used, as in `vllm bench serve`; so
do an unknown tokenizer and a traffic pattern that cannot be read.

## Types

| type | flag | file |
| --- | --- | --- |
| text, path | as it is; a path may begin with `~/` | `"text"` |
| integer, number | `5`, `.5`, `1e3`, `inf`, `1_000` | `5`, `0.5`, `inf` |
| boolean | a switch; `--flag=false` takes it back | `true`, `false` |
| duration | `30s`, `1.5ms`, `2m`, `1h`, or seconds | `"30s"`, or seconds |
| size | `64KiB`, `1.5MB`, or bytes | `"64KiB"`, or bytes |
| list | `a b c`, or `a,b,c` where the table says comma list | `["a", "b", "c"]` |
| pairs, goals | `KEY=VALUE ...`, `KEY:MS ...` | `{ KEY = "VALUE" }`, `{ KEY = 200.0 }` |
| JSON | JSON text, or the dotted form | any value |

## Environment

| variable | for |
| --- | --- |
| `OPENAI_API_KEY` | `server.api-key`, if that key is not given |
| `HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY` (or in small letters) | `server.proxy`, if that key is not given |
| `VLLM_BENCH_SOCK_READ` | `server.first-byte-timeout` and `server.idle-timeout` in seconds, each where it is not given |
| `SAVE_TO_PYTORCH_BENCHMARK_FORMAT` | not empty: with a saved result also the reporter `pytorch`; without effect where a file lists `[[reporter]]` |
)";

constexpr std::string_view head =
    "\n| key | flag | type | default | meaning | commands |\n"
    "| --- | --- | --- | --- | --- | --- |\n";

// `text` for a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string code(std::string_view text) { return "`" + cell(text) + "`"; }

std::string listed_choices(const std::vector<std::string>& choices) {
  return fmt::format("{}", fmt::join(choices | std::views::transform(code), ", "));
}

std::string type_of(const options::option& o) {
  switch (o.type) {
    case IFB_INT: return "integer";
    case IFB_FLOAT: return "number";
    case IFB_BOOL: return "boolean";
    case IFB_DURATION: return "duration";
    case IFB_SIZE: return "size";
    case IFB_PATH: return "path";
    case IFB_JSON: return "JSON";
    case IFB_CHOICE: return listed_choices(o.choices);
    case IFB_STRINGS:
      switch (o.shape) {
        case options::form::pairs: return "pairs";
        case options::form::goals: return "goals: " + listed_choices(o.choices);
        case options::form::names: return "comma list";
        case options::form::numbers: return "comma list of numbers";
        case options::form::plain: break;
      }
      return "list";
    default: return "text";
  }
}

// The flag. If it sets a fixed value other than "true", the value follows in parentheses.
std::string flag_of(const options::option& o) {
  if (o.flag.empty()) return {};
  std::string out = code("--" + o.flag);
  if (!o.sets.empty() && o.sets != "true") out += " (" + o.sets + ")";
  if (!o.instead.empty()) out += " (old)";
  return out;
}

std::string commands_of(const options::option& o) {
  if (o.commands == options::for_run) return "run";
  if ((o.commands & options::for_run) != 0) return "all";
  std::string out = "serve";
  if ((o.commands & options::for_dataset_show) != 0) out += ", dataset show";
  if ((o.commands & options::for_tokenizer) != 0) out += ", tokenizer";
  return out;
}

std::string path_of(const options::option& o) {
  return o.path() + (o.member.empty() ? "" : "." + o.member);
}

// The row of one key, with all flags that set it.
std::string row(const options::option& first, std::string_view flags) {
  std::string note = first.help;
  if (first.required && !first.fallback) note += " (required)";
  if (first.secret)
    note += first.shape == options::form::pairs ? " (kept out of results)" : " (not printed)";
  return "| " + code(path_of(first)) + " | " + std::string(flags) + " | " + type_of(first) + " | " +
         (first.fallback ? code(*first.fallback) : "") + " | " + cell(note) + " | " +
         commands_of(first) + " |\n";
}

std::string rows(std::span<const options::option> options) {
  std::string out;
  for (auto o = options.begin(); o != options.end(); ++o) {
    const auto same = [&](const options::option& other) { return path_of(other) == path_of(*o); };
    if (std::any_of(options.begin(), o, same)) continue;
    std::vector<std::string> flags;
    for (auto other = o; other != options.end(); ++other)
      if (same(*other) && !other->flag.empty()) flags.push_back(flag_of(*other));
    out += row(*o, fmt::format("{}", fmt::join(flags, ", ")));
  }
  return out;
}

std::string with_full_stop(std::string_view summary) {
  return std::string(summary) + (summary.ends_with('.') ? "" : ".");
}

// The options of a plugin. An option without its own flag gets the general flag of the host.
std::vector<options::option> options_of(const plugin::described& d,
                                        std::span<const options::option> keys) {
  std::vector<options::option> out;
  for (const plugin::described::option& declared : d.options) {
    options::option o = options::option_of(declared, d.kind, d.id);
    o.flag = options::flag_for(o, keys);
    out.push_back(std::move(o));
  }
  return out;
}

/// The part about the table of an experiment.
std::string sweep_keys() {
  return "\n## [sweep]\n\nWith this table `inferbench run` makes many runs. [sweeps.md](sweeps.md) "
         "describes its tables `axes`, `zip`,\n`exclude`, `reporter` and `server` too.\n" +
         std::string(head) + rows(sweep::toml_sweep_keys());
}

}  // namespace

std::string configuration_page(std::span<const options::option> keys,
                               std::span<const plugin::described> plugins) {
  std::string out(introduction);
  for (const std::string& table : tables()) {
    std::vector<options::option> of_table;
    std::ranges::copy_if(keys, std::back_inserter(of_table),
                         [&](const options::option& key) { return key.table == table; });
    if (of_table.empty()) continue;
    out += "\n## [" + table + "]\n" + std::string(head) + rows(of_table);
  }
  out +=
      "\nReporters are a list, `[[reporter]]` with `use = \"NAME\"`, and their keys below it, "
      "`sha256` among\nthem. If the file has none, the run uses `console` and the\nreporters for "
      "`run.save-result`, `run.append-result` and the plots.\n`--reporter NAME`, `NAME=FILE` or "
      "`NAME=-` of "
      "serve, run and calibrate adds one, with its\nflags ([results.md](results.md)).\n";
  out += sweep_keys();
  out +=
      "\n## Plugins\n\n`inferbench plugin list` lists all installed plugins. If several plugins "
      "have the same flag, it is a general flag.\n";
  for (const ifb_kind kind : plugin::all_kinds)
    for (const plugin::described& d : plugins) {
      if (d.kind != kind || !d.trouble.empty() || d.name != d.id) continue;
      out += "\n### " + std::string(plugin::name_of(kind)) + " `" + d.id + "`\n\n" +
             with_full_stop(d.summary) + "\n";
      const std::vector<options::option> options = options_of(d, keys);
      if (!options.empty()) out += std::string(head) + rows(options);
    }
  return out;
}

}  // namespace inferbench::config
