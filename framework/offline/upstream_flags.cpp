#include <array>

#include "offline/offline_flags.hpp"

namespace inferbench::offline {

namespace {

constexpr unsigned in_throughput = bit_of(benchmark::throughput);
constexpr unsigned in_latency = bit_of(benchmark::latency);
constexpr unsigned in_startup = bit_of(benchmark::startup);
constexpr unsigned in_mm = bit_of(benchmark::mm_processor);
constexpr unsigned in_sampling = in_throughput | in_mm;
constexpr unsigned in_prefix = bit_of(benchmark::prefix_caching);
constexpr unsigned in_documents = bit_of(benchmark::long_document_qa);
constexpr unsigned in_priorities = bit_of(benchmark::prioritization);
constexpr unsigned in_bench = in_sampling | in_latency | in_startup;  // of `vllm bench`
constexpr unsigned in_scripts = in_prefix | in_documents | in_priorities;
constexpr unsigned in_every = in_bench | in_scripts;
constexpr double any_number = -1e300;

constexpr auto toggle = flag_type::toggle;
constexpr auto text = flag_type::text;
constexpr auto choice = flag_type::choice;
constexpr auto whole = flag_type::whole;
constexpr auto real = flag_type::real;
constexpr auto json = flag_type::json;

constexpr std::array offline_flag_table{
    offline_flag{"backend", choice, "NAME", R"("vllm")", in_throughput, 0,
                 "Engine: vllm, vllm-chat, vllm-async, hf, mii or an installed engine"},
    offline_flag{"backend", choice, "NAME", R"("vllm")", in_latency | in_startup, 0,
                 "Engine: vllm, hf or an installed engine"},
    offline_flag{"backend", choice, "NAME", R"("vllm-chat")", in_mm, 0,
                 "Engine with a chat interface: vllm-chat or an installed engine"},
    offline_flag{"backend", choice, "NAME", R"("vllm")", in_priorities, 0,
                 "Engine: vllm or an installed engine; hf and mii are refused, as in upstream"},
    offline_flag{"dataset-name", choice, "NAME", R"("sharegpt")", in_throughput, 0,
                 "Data set that supplies the prompts"},
    offline_flag{"dataset-name", choice, "NAME", R"("random-mm")", in_mm, 0,
                 "Data set that supplies the prompts: random-mm or hf"},
    offline_flag{"dataset", text, "PATH", "null", in_throughput, 0, nullptr},
    offline_flag{"dataset", text, "PATH", "null", in_priorities, 0,
                 "Conversations of ShareGPT; without them, prompts of --input-len tokens"},
    offline_flag{"dataset-path", text, "PATH", "null", in_sampling, 0,
                 "File, folder or id of the data"},
    offline_flag{"dataset-path", text, "PATH", "null", in_prefix, 0,
                 "Conversations of ShareGPT; without them, random prompts"},
    offline_flag{"no-oversample", toggle, nullptr, "false", in_throughput, 0,
                 "Do not repeat samples to reach --num-prompts"},
    offline_flag{"enable-multimodal-chat", toggle, nullptr, "false", in_throughput, 0,
                 "Let the data set put text and media into one chat message"},
    offline_flag{"custom-output-len", whole, "N", "null", in_throughput, -1,
                 "Output length in tokens for the custom data sets"},
    offline_flag{"input-length-range", text, "MIN:MAX", "null", in_prefix, 0,
                 "Shortest and longest prompt in tokens (required)"},
    offline_flag{"document-length", whole, "N", "20000", in_documents, 1, "Words of a document"},
    offline_flag{"num-documents", whole, "N", "8", in_documents, 1, "Number of documents"},
    offline_flag{"input-len", whole, "N", "null", in_throughput, 1, "Prompt length in tokens"},
    offline_flag{"input-len", whole, "N", "null", in_priorities, 2,
                 "Prompt length in tokens, without --dataset"},
    offline_flag{"input-len", whole, "N", "32", in_latency, 1, "Prompt length in tokens"},
    offline_flag{"output-len", whole, "N", "null", in_sampling | in_priorities, 1,
                 "Output length in tokens"},
    offline_flag{"output-len", whole, "N", "10", in_prefix | in_documents, 1,
                 "Output length in tokens; an output may end earlier"},
    offline_flag{"output-len", whole, "N", "128", in_latency, 1, "Output length in tokens"},
    offline_flag{"batch-size", whole, "N", "8", in_latency, 1, "Prompts in the batch"},
    offline_flag{"n", whole, "N", "1", in_throughput | in_priorities, 1, "Outputs of each prompt"},
    offline_flag{"n", whole, "N", "1", in_latency, 1,
                 "Outputs of each prompt, or the width of the beam"},
    offline_flag{"use-beam-search", toggle, nullptr, "false", in_latency, 0,
                 "Generate with beam search"},
    offline_flag{"num-prompts", whole, "N", "1000", in_throughput, 1, "Number of prompts"},
    offline_flag{"num-prompts", whole, "N", "10", in_mm, 1, "Number of prompts"},
    offline_flag{"num-prompts", whole, "N", "null", in_prefix, 1,
                 "Number of different prompts (required)"},
    offline_flag{"num-prompts", whole, "N", "200", in_priorities, 1, "Number of prompts"},
    offline_flag{"repeat-count", whole, "N", "1", in_prefix, 1, "Repetitions of each prompt"},
    offline_flag{"repeat-count", whole, "N", "2", in_documents, 1, "Repetitions of each document"},
    offline_flag{"repeat-mode", choice, "NAME", R"("random")", in_documents, 0,
                 "Order of the repetitions: random; tile: all documents, again and again; "
                 "interleave: all repetitions of a document one after the other"},
    offline_flag{"shuffle-seed", whole, "N", "0", in_documents, 0,
                 "Seed of the order of --repeat-mode random"},
    offline_flag{"sort", toggle, nullptr, "false", in_prefix, 0,
                 "Sort the repeated prompts by their length instead of shuffling them"},
    offline_flag{"num-warmups", whole, "N", "0", in_throughput, 0,
                 "Prompts before the measurement, which are not timed"},
    offline_flag{"num-warmups", whole, "N", "1", in_mm, 0,
                 "Prompts before the measurement, which are not timed"},
    offline_flag{"num-iters-warmup", whole, "N", "10", in_latency, 0,
                 "Iterations before the measurement, which are not timed"},
    offline_flag{"num-iters", whole, "N", "30", in_latency, 1, "Timed iterations"},
    offline_flag{"num-iters-cold", whole, "N", "3", in_startup, 1, "Starts with new, empty caches"},
    offline_flag{"num-iters-warmup", whole, "N", "1", in_startup, 0,
                 "Starts that fill the caches before the warm starts, which are not timed"},
    offline_flag{"num-iters-warm", whole, "N", "3", in_startup, 1, "Starts with filled caches"},
    offline_flag{"hf-max-batch-size", whole, "N", "null", in_throughput, 1,
                 "Largest batch of the engine hf, which needs it"},
    offline_flag{"hf-enable-torch-compile", toggle, nullptr, "false", in_throughput, 0,
                 "Compile the model of the engine hf"},
    offline_flag{"output-json", text, "FILE", "null", in_bench | in_priorities, 0,
                 "File for the result"},
    offline_flag{"energy-gpu-ids", text, "N,N", "null", in_throughput, 0,
                 "Measure the energy of these NVIDIA GPUs during the measured section", true},
    offline_flag{"async-engine", toggle, nullptr, "false", in_throughput, 0,
                 "Use the asynchronous engine: every prompt is a request of its own"},
    offline_flag{"disable-frontend-multiprocessing", toggle, nullptr, "false", in_throughput, 0,
                 nullptr},
    offline_flag{"prequeue-requests", toggle, nullptr, "false", in_throughput, 0,
                 "Queue all requests while the scheduler is paused, then resume it"},
    offline_flag{"disable-detokenize", toggle, nullptr, "false",
                 in_throughput | in_latency | in_prefix, 0, "Do not convert the output to text"},
    offline_flag{"detokenize", toggle, nullptr, "false", in_priorities, 0,
                 "Convert the output to text, which a server always does"},
    offline_flag{"profile", toggle, nullptr, "false", in_throughput, 0,
                 "Profile the measured section, which includes the profiler's time"},
    offline_flag{"profile", toggle, nullptr, "false", in_latency, 0,
                 "Profile one iteration after the warm-up, and measure nothing"},
    offline_flag{"lora-path", text, "PATH", "null", in_throughput, 0,
                 "Adapter (LoRA) for --enable-lora"},
    offline_flag{"lora-assignment", choice, "NAME", R"("random")", in_throughput, 0,
                 "Choice of the adapter of each request: random or round-robin"},
    offline_flag{"prefix-len", whole, "N", "0", in_throughput, 0,
                 "Tokens that all prompts begin with, for random, random-mm and sonnet"},
    offline_flag{"prefix-len", whole, "N", "0", in_prefix, 0,
                 "Tokens that all random prompts begin with"},
    offline_flag{"hf-subset", text, "NAME", "null", in_sampling, 0, "Subset of the data set hf"},
    offline_flag{"hf-split", text, "NAME", "null", in_sampling, 0, "Split of the data set hf"},
    offline_flag{"hf-name", text, "ID", "null", in_throughput, 0,
                 "Id of the data set if --dataset-path is a folder or file"},
    offline_flag{"prefix-repetition-prefix-len", whole, "N", "null", in_throughput, 0,
                 "Tokens of a shared prefix, for prefix_repetition"},
    offline_flag{"prefix-repetition-suffix-len", whole, "N", "null", in_throughput, 0,
                 "Tokens after the prefix, for prefix_repetition"},
    offline_flag{"prefix-repetition-num-prefixes", whole, "N", "null", in_throughput, 1,
                 "Number of different prefixes, for prefix_repetition"},
    offline_flag{"prefix-repetition-output-len", whole, "N", "null", in_throughput, 1,
                 "Output length in tokens, for prefix_repetition"},
    offline_flag{"random-input-len", whole, "N", "1024", in_sampling, 0,
                 "Prompt length in tokens, for random, random-mm and random-rerank"},
    offline_flag{"random-output-len", whole, "N", "128", in_sampling, 1,
                 "Output length in tokens, for random and random-mm"},
    offline_flag{"random-range-ratio", text, "RATIO", R"("0.0")", in_sampling, 0,
                 "Spread of the random lengths: a number from 0 to below 1, or a JSON object with "
                 "input and output"},
    offline_flag{"random-prefix-len", whole, "N", "0", in_sampling, 0,
                 "Tokens that all random prompts begin with"},
    offline_flag{"random-batch-size", whole, "N", "1", in_sampling, 1,
                 "Documents of a request, for random-rerank"},
    offline_flag{"no-reranker", toggle, nullptr, "false", in_sampling, 0,
                 "The model of random-rerank embeds texts and is no reranker"},
    offline_flag{"random-mm-base-items-per-request", whole, "N", "1", in_sampling, 0,
                 "Mean number of images and videos of a request, for random-mm"},
    offline_flag{"random-mm-num-mm-items-range-ratio", real, "X", "0.0", in_sampling, 0,
                 "Spread of that number, from 0 to 1"},
    offline_flag{"random-mm-limit-mm-per-prompt", json, "JSON", R"({"image": 255, "video": 1})",
                 in_sampling, 0, "Largest number of images and videos of a request"},
    offline_flag{"random-mm-bucket-config", text, "SIZES",
                 R"("{(256, 256, 1): 0.5, (720, 1280, 1): 0.5, (720, 1280, 16): 0.0}")",
                 in_sampling, 0,
                 "Weights of the sizes (height, width, frames) of images and videos"},
    offline_flag{"asr-min-audio-len-sec", real, "SECONDS", "0.0", in_throughput, any_number,
                 "Shortest recording of a speech data set"},
    offline_flag{"asr-max-audio-len-sec", real, "SECONDS", "Infinity", in_throughput, any_number,
                 "Longest recording of a speech data set"},
    offline_flag{"metric-percentiles", text, "P,...", R"("99")", in_mm, 0,
                 "Percentiles of stages and latencies"},
    offline_flag{"disable-tqdm", toggle, nullptr, "false", in_mm, 0, "Show no progress"},
    // The flags below are not upstream's.
    offline_flag{"skip-chat-template", toggle, nullptr, "false", in_throughput, 0,
                 "Send prompts of custom data sets without the chat template", true},
    offline_flag{"backend", choice, "NAME", R"("vllm")", in_prefix | in_documents, 0,
                 "Engine: vllm or an installed engine", true},
    offline_flag{"output-json", text, "FILE", "null", in_prefix | in_documents, 0,
                 "File for the result", true},
    offline_flag{"server-cmd", text, "COMMAND", "null", in_startup, 0,
                 "Measure the starts of this server, without an engine: 'vllm serve MODEL'; a "
                 "shell's quotation marks, but no shell",
                 true},
    offline_flag{"server-url", text, "URL", "null", in_startup, 0,
                 "Address of the server, also unix:PATH (otherwise --host and --port of the "
                 "command, or http://localhost:8000)",
                 true},
    offline_flag{"ready-path", text, "PATH", "null", in_startup, 0,
                 "Path that the server answers with a status of 200 to 299 when it is ready "
                 "(otherwise /health, and /v1/models if the server does not have it)",
                 true},
    offline_flag{"first-token", toggle, nullptr, "true", in_startup, 0,
                 "Ask the server for one token when it is ready, which is the default; "
                 "--no-first-token: do not",
                 true},
    offline_flag{"startup-timeout", real, "SECONDS", "1800.0", in_startup, 0,
                 "Longest time of one start of the server, with its first token", true},
    offline_flag{"cold-env", text, "NAME", "null", in_startup, 0,
                 "Environment variable that names a new, empty folder in cold starts, besides "
                 "VLLM_CACHE_ROOT, TORCHINDUCTOR_CACHE_DIR and TRITON_CACHE_DIR; may be repeated",
                 true, true},
    offline_flag{"base-url", text, "URL", "null", in_every & ~in_startup, 0,
                 "Measure this server; --backend and all other options are then those of "
                 "inferbench serve",
                 true, true},
    offline_flag{"reporter", text, "NAME[=FILE]", "null", in_every & ~in_startup, 0,
                 "Report the requests with this reporter, too: html=page.html; may be repeated",
                 true, true},
    offline_flag{"journal", text, "FILE", "null", in_every & ~in_startup, 0,
                 "Keep the requests in a journal, for inferbench report", true},
    offline_flag{"plugin-dir", text, "PATH", "null", in_every, 0,
                 "Folder that is searched for plugins first; may be repeated", true, true},
    offline_flag{"allow-unsafe-plugin", toggle, nullptr, "false", in_every, 0,
                 "Load plugins from files that other users can change", true},
};

}  // namespace

std::span<const offline_flag> all_offline_flags() { return offline_flag_table; }

}  // namespace inferbench::offline
