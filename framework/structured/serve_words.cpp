#include "structured/serve_words.hpp"

#include <array>
#include <cstdint>
#include <string_view>

#include <inferbench/json_writer.hpp>

#include "pytext/python_number.hpp"
#include "structured/script_flags.hpp"
#include "structured/upstream.hpp"

namespace inferbench::structured {

namespace {

// Defaults of the script that serve does not have.
constexpr std::array<std::string_view, 4> own_defaults{"backend", "dataset", "output-len",
                                                       "structured-output-ratio"};

bool has_own_default(std::string_view name) {
  for (const std::string_view each : own_defaults)
    if (each == name) return true;
  return false;
}

std::string python_number_text(const std::string& text) {
  std::string out;
  ifb::append_python_float(out, *pytext::python_float(text));
  return out;
}

// The texts are checked: script_line has refused all others.
std::string python_whole_text(const std::string& text) {
  return std::to_string(*pytext::python_int(text));
}

std::string word(const script_flag& flag, const std::string& value) {
  return std::string("--") + flag.serve + "=" + value;
}

void add_flag(const script_line& line, const script_flag& flag, serve_command& to) {
  const std::vector<std::string>* values = line.last(flag.name);
  if (flag.type == script_type::toggle) {
    if (values != nullptr) to.words.push_back(std::string("--") + flag.serve);
  } else if (flag.type == script_type::list) {
    if (values == nullptr) return;
    to.words.push_back(std::string("--") + flag.serve);
    to.words.insert(to.words.end(), values->begin(), values->end());
  } else if (values != nullptr || has_own_default(flag.name)) {
    const bool none = std::string_view(flag.name) == "structured-output-ratio" &&
                      line.has("no-structured-output");
    to.words.push_back(word(flag, none ? "0" : line.text(flag.name)));
  }
}

/// The reporter and its file.
void add_results(const script_line& line, serve_command& to) {
  std::string reporter = upstream::reporter_word;
  if (line.has("save-results")) {
    std::string file = line.text("result-filename");
    if (file.empty()) file = result_name(line);
    // The name "-" of a file means standard output for serve.
    if (file == "-") file = "./-";
    reporter += "=" + file;
    if (const std::string folder = line.text("result-dir"); !folder.empty())
      to.words.push_back("--result-dir=" + folder);
  } else {
    for (const char* const name : {"result-dir", "result-filename"})
      if (line.has(name))
        to.warnings.push_back(std::string("--") + name + " has no effect without --save-results");
  }
  to.words.push_back(std::move(reporter));
}

scripts::flag_names names_of(const script_line& line) {
  scripts::flag_names out;
  for (const script_flag& each : script_flags())
    if (each.serve != nullptr && std::string_view(each.serve) != each.name)
      out.add(each.serve, each.name);
  if (line.has("save-results"))
    out.add("reporter", line.has("result-filename") ? "result-filename" : "save-results");
  if (line.has("no-structured-output")) out.add("structured-output-ratio", "no-structured-output");
  out.keep(line.rest());
  return out;
}

}  // namespace

std::string result_name(const script_line& line) {
  const std::string model = line.text("model");
  // The script sets the ratio to a whole number.
  const std::string ratio = line.has("no-structured-output")
                                ? "0"
                                : python_number_text(line.text("structured-output-ratio"));
  return ratio + "so_" + line.text("backend") + "_" +
         python_number_text(line.text("request-rate")) + "qps_" +
         model.substr(model.rfind('/') + 1) + "_" + line.text("dataset") + "_" +
         python_whole_text(line.text("num-prompts")) + "_out" +
         python_whole_text(line.text("output-len")) + ".txt";
}

serve_command serve_command_of(const script_line& line) {
  serve_command out;
  out.words.emplace_back(upstream::dataset_word);
  for (const script_flag& flag : script_flags())
    if (flag.serve != nullptr) add_flag(line, flag, out);
  if (!line.rest_has("--scorer")) out.words.emplace_back(upstream::scorer_word);
  if (!line.rest_has("--ready-check-timeout-sec"))
    out.words.emplace_back(upstream::ready_check_word);
  add_results(line, out);
  out.words.insert(out.words.end(), line.rest().begin(), line.rest().end());
  out.names = names_of(line);
  return out;
}

}  // namespace inferbench::structured
