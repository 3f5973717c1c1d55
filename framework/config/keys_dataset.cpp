#include <fmt/format.h>

#include "config/key_table.hpp"
#include "config/upstream.hpp"

namespace inferbench::config {

namespace {

options::option for_samples(options::option key) {
  key.commands = in_dataset_show;
  return key;
}

// A key that any dataset may take. A dataset that does not take it causes a warning, because
// upstream ignores it there.
options::option general(options::option key) {
  return for_samples(handed_on(std::move(key), options::undeclared::warned));
}

}  // namespace

void tokenizer_keys(key_table& t) {
  t.group("tokenizer");
  t.add({.table = "tokenizer",
         .name = "use",
         .flag = "tokenizer-mode",
         .help = "Tokenizer plugin (hf, sentencepiece, tiktoken, bytes, server); auto: the plugin "
                 "for the model's files, else server; none: do not count",
         .value_name = "NAME",
         .fallback = "\"auto\"",
         .commands = in_tools});
  options::option skip = switched("tokenizer", "use", "skip-tokenizer-init",
                                  "Run without a tokenizer, whatever --tokenizer-mode says");
  skip.type = IFB_STRING;
  skip.fallback.reset();
  skip.general = true;
  skip.sets = "\"none\"";
  t.add(for_samples(std::move(skip)));
  t.add(digest_of_plugin("tokenizer"));
  t.add({.table = "tokenizer",
         .name = "path",
         .flag = "tokenizer",
         .help = "Model or path of the tokenizer; if not given, the model",
         .value_name = "NAME",
         .general = true,
         .forwarded = true,
         .commands = in_tools});
  options::option trust =
      switched("tokenizer", "trust-remote-code", "trust-remote-code",
               "For plugins that can run code of a tokenizer or data set; the tokenizers and "
               "datasets of inferbench never do");
  trust.general = true;
  trust.forwarded = true;
  trust.commands = in_tools;
  t.add(std::move(trust));
}

void dataset_keys(key_table& t) {
  t.group("dataset");
  t.add({.table = "dataset",
         .name = "use",
         .flag = "dataset-name",
         .help = "Plugin that supplies the prompts",
         .value_name = "NAME",
         .fallback = fmt::format("\"{}\"", upstream::default_dataset),
         .required = true,
         .commands = in_dataset_show});
  t.add(digest_of_plugin("dataset"));
  t.add(for_samples(handed_on({.table = "dataset",
                               .name = "path",
                               .flag = "dataset-path",
                               .help = "File, folder or id of the data",
                               .value_name = "PATH"},
                              options::undeclared::refused)));
  t.add({.table = "dataset",
         .name = "num-prompts",
         .flag = "num-prompts",
         .type = IFB_INT,
         .help = "Number of requests; -1: the whole data set",
         .fallback = "1000",
         .commands = in_dataset_show});
  t.add(general({.table = "dataset",
                 .name = "input-len",
                 .flag = "input-len",
                 .type = IFB_INT,
                 .help = "Prompt length in tokens, for datasets with such an option"}));
  t.add(general({.table = "dataset",
                 .name = "output-len",
                 .flag = "output-len",
                 .type = IFB_INT,
                 .help = "Output length in tokens, for datasets with such an option"}));
  t.add(for_samples(switched("dataset", "no-oversample", "no-oversample",
                             "Do not repeat samples to reach --num-prompts")));
  t.add(for_samples(switched("dataset", "disable-shuffle", "disable-shuffle",
                             "Take the samples in the order of the data")));
  t.add(general(switched("dataset", "no-stream", "no-stream",
                         "Fetch whole data sets from a hub instead of single rows")));
  const options::option plain =
      general(switched("dataset", "skip-chat-template", "skip-chat-template",
                       "Send prompts without the model's chat template"));
  t.add(plain);
  t.add(old_spelling(plain, "custom-skip-chat-template"));
  t.add(general(switched("dataset", "enable-multimodal-chat", "enable-multimodal-chat",
                         "Let the dataset put text and media into one chat message")));
  options::option kwargs =
      general({.table = "dataset",
               .name = "chat-template-kwargs",
               .flag = "chat-template-kwargs",
               .type = IFB_JSON,
               .help = "Variables for the chat template, if the dataset renders it; also as "
                       "--chat-template-kwargs.NAME VALUE"});
  kwargs.commands = in_tools;
  t.add(std::move(kwargs));
  t.add({.table = "run",
         .name = "max-model-len",
         .flag = "max-model-len",
         .type = IFB_INT,
         .help = "Most tokens of prompt and output together; longer requests, and longer turns of "
                 "conversations, are left out",
         .minimum = 1,
         .maximum = unbounded,
         .commands = in_dataset_show});
  t.add({.table = "dataset",
         .name = "request-id-prefix",
         .flag = "request-id-prefix",
         .help =
             "Beginning of request ids; if not given, bench-XXXXXXXX- with 8 random hexadecimal "
             "digits",
         .value_name = "TEXT",
         .commands = in_dataset_show});
  t.add({.table = "dataset",
         .name = "salt",
         .flag = "salt",
         .help =
             "Begin each prompt with this text, so that it causes no cache hit on a prefix of an "
             "earlier run; auto: a random text for each run, which the result contains",
         .value_name = "auto|TEXT"});
}

}  // namespace inferbench::config
