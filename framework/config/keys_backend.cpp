#include <fmt/format.h>

#include "config/key_table.hpp"
#include "config/keys.hpp"
#include "config/upstream.hpp"

namespace inferbench::config {

namespace {

options::option sampling(std::string member, std::string flag, ifb_type type, std::string help) {
  options::option out;
  out.table = "backend";
  out.name = "extra-body";
  out.member = std::move(member);
  out.flag = std::move(flag);
  out.type = type;
  out.help = std::move(help);
  return out;
}

void sampling_keys(key_table& t) {
  t.group("sampling");
  t.add(sampling("top_p", "top-p", IFB_FLOAT, "Nucleus sampling"));
  t.add(sampling("top_k", "top-k", IFB_INT, "Sample among this many tokens"));
  t.add(sampling("min_p", "min-p", IFB_FLOAT,
                 "Minimum probability relative to the most likely token"));
  t.add(sampling("temperature", "temperature", IFB_FLOAT,
                 "Temperature; if not given, the server's own"));
  t.add(sampling("frequency_penalty", "frequency-penalty", IFB_FLOAT, "Frequency penalty"));
  t.add(sampling("presence_penalty", "presence-penalty", IFB_FLOAT, "Presence penalty"));
  t.add(sampling("repetition_penalty", "repetition-penalty", IFB_FLOAT, "Repetition penalty"));
  t.add(switched("backend", "use-beam-search", "use-beam-search",
                 "No effect, as in vllm bench serve; use --extra-body instead"));
}

}  // namespace

void backend_keys(key_table& t) {
  t.group("backend");
  const options::option use{.table = "backend",
                            .name = "use",
                            .flag = "backend",
                            .help = "Plugin that speaks the server's protocol",
                            .value_name = "NAME",
                            .fallback = fmt::format("\"{}\"", upstream::default_backend),
                            .required = true};
  t.add(use);
  // The old flag takes precedence over the new flag, as it did in upstream's parser.
  options::option old = old_spelling(use, "endpoint-type");
  old.general = true;
  t.add(std::move(old));
  t.add(digest_of_plugin("backend"));
  t.add({.table = "backend",
         .name = "model",
         .flag = "model",
         .help = "Model in requests; if not given, the server's first model",
         .value_name = "NAME",
         .commands = in_tools});
  t.add({.table = "backend",
         .name = "served-model-name",
         .flag = "served-model-name",
         .help = "Name of the model in requests, if the server uses another name",
         .value_name = "NAME",
         .commands = in_dataset_show});
  t.add(handed_on({.table = "backend",
                   .name = "endpoint",
                   .flag = "endpoint",
                   .help = "Path of requests; if not given, the default of the backend",
                   .value_name = "PATH"},
                  options::undeclared::warned));
  t.add(handed_on(switched("backend", "ignore-eos", "ignore-eos",
                           "Ask the server to generate past the end of sequence"),
                  options::undeclared::warned));
  t.add(handed_on({.table = "backend",
                   .name = "logprobs",
                   .flag = "logprobs",
                   .type = IFB_INT,
                   .help = "Number of log probabilities per token"},
                  options::undeclared::warned));
  t.add(handed_on({.table = "backend",
                   .name = "extra-body",
                   .flag = "extra-body",
                   .type = IFB_JSON,
                   .help = "Members added to every request; also as --extra-body.NAME VALUE"},
                  options::undeclared::refused));
  t.add({.table = "backend",
         .name = "lora-modules",
         .flag = "lora-modules",
         .type = IFB_STRINGS,
         .help = "Adapters; each request names one of them instead of the model",
         .value_name = "NAME",
         .takes = options::arity::some});
  t.add({.table = "backend",
         .name = "lora-assignment",
         .flag = "lora-assignment",
         .type = IFB_CHOICE,
         .help = "How requests get their adapter: at random from the seed, or in turn",
         .fallback = "\"random\"",
         .choices = {"random", "round-robin"}});
  sampling_keys(t);
}

}  // namespace inferbench::config
