#include "offline/offline_line.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "options/refusal.hpp"

namespace inferbench::offline {

namespace {

constexpr std::string_view engine_prefix = "engine.";

// Short options of the engine vllm and their long names.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> short_options{{
    {"-tp", "tensor-parallel-size"},
    {"-pp", "pipeline-parallel-size"},
    {"-dp", "data-parallel-size"},
    {"-ep", "enable-expert-parallel"},
    {"-cc", "compilation-config"},
    {"-q", "quantization"},
    {"-O", "optimization-level"},
}};

// Whether an argument is an option and no value: numbers are values, and so are texts with blanks
// and JSON, except behind "=".
bool is_option(std::string_view token) {
  const std::string_view name = token.substr(0, token.find('='));
  return token.size() > 1 && token.front() == '-' && !base::parse_float(token) &&
         name.find_first_of(" {[\"") == std::string_view::npos;
}

// "Max_model.a_b" has "-" in its first part only: the other parts are keys of JSON.
std::string normal_name(std::string_view written) {
  std::string out(written);
  const auto end = std::min(out.find('.'), out.size());
  std::ranges::replace(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(end), '_', '-');
  return out;
}

std::string lower_truth(std::string_view text) {
  for (const char* word : {"true", "false"})
    if (base::equal_no_case(text, word)) return word;
  return {};
}

class offline_line_reader {
 public:
  offline_line_reader(benchmark which, std::span<const std::string> args) : args_(args) {
    out_.command = which;
  }

  offline_line read() {
    while (!out_.help && next_ < args_.size()) {
      const std::string& token = args_[next_++];
      if (token == "-h" || token == "--help" || token.starts_with("--help="))
        out_.help = true;
      else if (token.starts_with("--") && token.size() > 2)
        read_long(token);
      else if (is_option(token) && !token.starts_with("--"))
        read_short(token);
      else
        throw options::usage_error("\"" + base::one_line(token) + "\" is not an option",
                                   "write options as --name value, and a value with blanks in "
                                   "quotes");
    }
    static_cast<void>(out_.engine.table());  // refuses names that no engine can have
    return std::move(out_);
  }

 private:
  void read_long(const std::string& token) {
    const auto equals = token.find('=');
    std::string name = normal_name(std::string_view(token).substr(2, equals - 2));
    std::optional<std::string> text;
    if (equals != std::string::npos) text = token.substr(equals + 1);
    if (name.empty() || name.find_first_of("\n\r") != std::string::npos)
      throw options::usage_error("\"" + base::one_line(token) + "\" is not an option",
                                 "write options as --name value");
    if (name == "config")
      throw options::usage_error("YAML files are not read here",
                                 "give the options on the command line, or in a TOML file for "
                                 "inferbench run",
                                 {"--config"});
    if (name.starts_with(engine_prefix)) {
      pass_on(normal_name(std::string_view(name).substr(engine_prefix.size())), std::move(text),
              true);
      return;
    }
    if (!take(name, std::move(text))) pass_on(std::move(name), std::move(rest_));
  }

  // -tp 2, -tp=2, -O3, -cc.mode 3
  void read_short(const std::string& token) {
    const auto end = token.find_first_of("=.");
    for (const auto& [letters, name] : short_options) {
      const bool joined = letters == "-O" && token.starts_with(letters) && token.size() > 2 &&
                          token[2] >= '0' && token[2] <= '9';
      if (token.substr(0, end) != letters && !joined) continue;
      if (joined) {
        out_.engine.add({std::string(name), {token.substr(letters.size())}});
        return;
      }
      const auto equals = token.find('=');
      std::string whole(name);
      if (end != std::string::npos && token[end] == '.')
        whole += token.substr(end, equals == std::string::npos ? equals : equals - end);
      std::optional<std::string> text;
      if (equals != std::string::npos) text = token.substr(equals + 1);
      pass_on(std::move(whole), std::move(text));
      return;
    }
    throw options::usage_error("no such short option", "write the option's long name",
                               {base::one_line(token)});
  }

  // Stores the value of a declared flag; false, and the text in rest_, if there is none.
  bool take(const std::string& name, std::optional<std::string> text) {
    const offline_flag* flag = find_flag(out_.command, name);
    std::string member;
    bool off = false;
    if (flag == nullptr && name.starts_with("no-")) {
      flag = find_flag(out_.command, std::string_view(name).substr(3));
      off = flag != nullptr;
      if (off && flag->type != flag_type::toggle) flag = nullptr;
    }
    if (const auto dot = name.find('.'); flag == nullptr && dot != std::string::npos) {
      flag = find_flag(out_.command, std::string_view(name).substr(0, dot));
      if (flag != nullptr && flag->type != flag_type::json) flag = nullptr;
      if (flag != nullptr) member = name.substr(dot + 1);
    }
    if (flag == nullptr) {
      rest_ = std::move(text);
      return false;
    }
    const std::string written = "--" + name;
    if (flag->type == flag_type::toggle) {
      std::string word = text && !off ? lower_truth(*text) : std::string(off ? "false" : "true");
      if (word.empty() || (off && text))
        throw options::usage_error("takes no value", "leave out \"=" + base::one_line(*text) + "\"",
                                   {written});
      out_.given.push_back({flag, {}, std::move(word), {written}});
      return true;
    }
    if (!text && next_ < args_.size() && !is_option(args_[next_])) text = args_[next_++];
    if (!text)
      throw options::usage_error("a value is missing",
                                 "give it as " + written + "=VALUE if it begins with a dash",
                                 {written});
    out_.given.push_back({flag, std::move(member), std::move(*text), {written}});
    return true;
  }

  void pass_on(std::string name, std::optional<std::string> text, bool for_engine = false) {
    if (name.empty() || name.front() == '-' || name.front() == '.')
      throw options::usage_error("\"" + base::one_line(name) + "\" is no name of an option", {});
    engine_option option{std::move(name), {}, for_engine};
    if (text)
      option.values.push_back(std::move(*text));
    else
      while (next_ < args_.size() && !is_option(args_[next_]))
        option.values.push_back(args_[next_++]);
    out_.engine.add(std::move(option));
  }

  std::span<const std::string> args_;
  std::size_t next_ = 0;
  std::optional<std::string> rest_;
  offline_line out_;
};

}  // namespace

offline_line read_offline_line(benchmark which, std::span<const std::string> args) {
  return offline_line_reader(which, args).read();
}

}  // namespace inferbench::offline
