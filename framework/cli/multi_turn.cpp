// `inferbench multi-turn`: the flags of vLLM's benchmark_serving_multi_turn, carried out by serve.
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/scratch_file.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "multiturn/converter.hpp"
#include "multiturn/converter_options.hpp"
#include "multiturn/script_input.hpp"
#include "multiturn/script_options.hpp"
#include "multiturn/serve_flags.hpp"
#include "multiturn/serve_words.hpp"
#include "options/environment.hpp"

namespace inferbench::cli {

namespace {

int convert(arguments args) {
  const multiturn::converter_options asked = multiturn::read_converter_options(args);
  if (asked.help) {
    cli::print("{}", multiturn::converter_help());
    return done;
  }
  for (const std::string& line : multiturn::convert_file(asked))
    cli::print("{}\n", line);
  return done;
}

}  // namespace

int multi_turn(arguments args) {
  if (!args.empty() && args.front() == "convert") return convert(args.subspan(1));
  const multiturn::script_options asked =
      multiturn::read_script_options(args, options::environment::of_process());
  if (asked.help || asked.version) {
    cli::print("{}", asked.help ? multiturn::script_help() : multiturn::script_version() + "\n");
    return done;
  }
  const multiturn::script_input input = multiturn::read_script_input(asked.input_file);
  multiturn::check_against_input(asked, input.conversations);
  multiturn::script_files files;
  if (asked.excel_output)
    files.excel =
        multiturn::workbook_name(asked.clients, static_cast<std::int64_t>(std::time(nullptr)));
  std::optional<base::scratch_file> generated;
  if (input.generated && multiturn::wants_conversations(asked))
    files.generated = generated.emplace().path();
  {
    base::log log;
    for (const std::string& line : multiturn::script_notes(asked))
      log.warning(line);
  }
  const std::vector<std::string> words = multiturn::serve_words(asked, input, files);
  return multiturn::names_in_errors(asked).told_by([&] { return serve(words); });
}

}  // namespace inferbench::cli
