#include "model.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

namespace llama_cpp {

namespace {

constexpr std::array cache_types{GGML_TYPE_F16, GGML_TYPE_BF16, GGML_TYPE_F32, GGML_TYPE_Q8_0,
                                 GGML_TYPE_Q4_0};
constexpr std::array flash_types{LLAMA_FLASH_ATTN_TYPE_AUTO, LLAMA_FLASH_ATTN_TYPE_ENABLED,
                                 LLAMA_FLASH_ATTN_TYPE_DISABLED};

/// Callbacks of libllama. `self` is the model's sign to stop, or the model.
bool stops_decoding(void* self) { return *static_cast<const std::atomic<bool>*>(self); }
bool goes_on_loading(float, void* self) {
  const auto& owner = *static_cast<const model*>(self);
  return !owner.stopping && !owner.host().cancelled();
}

/// Cores of this process, each with one hardware thread: ggml's threads wait for each other in
/// short loops, and a second thread in a core only takes its time.
std::size_t cores() {
  const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
  std::set<std::string> siblings;
  for (std::size_t i = 0;; ++i) {
    std::ifstream in("/sys/devices/system/cpu/cpu" + std::to_string(i) +
                     "/topology/thread_siblings_list");
    std::string line;
    if (!std::getline(in, line)) break;
    siblings.insert(line);
  }
  return siblings.empty() ? threads : std::min(threads, siblings.size());
}

std::int32_t number_of_threads(std::int64_t wanted, std::int64_t otherwise) {
  if (wanted == 0) wanted = otherwise;
  if (wanted == 0) wanted = static_cast<std::int64_t>(cores());
  return static_cast<std::int32_t>(wanted);
}

}  // namespace

template <typename stage>
void model::measured(std::string_view name, stage&& body) {
  const std::uint64_t began = host_.now();
  body();
  const std::uint64_t ended = host_.now();
  log_.forget_errors();
  load_ns_ += ended - began;
  stages_.push_back({sizeof(ifb_measure), 0, ifb::str(name), ifb::str("s"),
                     static_cast<double>(ended - began) / 1e9, began, ended});
}

model::model(ifb::host host, const engine_options& options)
    : host_(host),
      library_(load_library(options.library.text)),
      log_(library_.api, host),
      weights_(nullptr, freed{&library_.api}),
      context_(nullptr, freed{&library_.api}) {
  start_library(library_);
  measured("model", [&] { load_weights(options); });
  vocabulary_ = api().llama_model_get_vocab(weights_.get());
  measured("context", [&] { make_context(options); });
  if (options.warm_up) measured("warm_up", [&] { warm_up(); });
  describe();
}

void model::load_weights(const engine_options& options) {
  if (options.model.empty())
    throw ifb::failure{IFB_E_CONFIG, "give the file of the model (GGUF)", "model"};
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(options.model, ignored))
    throw ifb::failure{IFB_E_CONFIG, "no file " + options.model, "model"};
  llama_model_params params = api().llama_model_default_params();
  params.n_gpu_layers = static_cast<std::int32_t>(options.n_gpu_layers);
  params.progress_callback = &goes_on_loading;
  params.progress_callback_user_data = this;
  weights_.reset(api().llama_model_load_from_file(options.model.c_str(), params));
  if (weights_ == nullptr) {
    if (stopping || host_.cancelled())
      throw ifb::failure{IFB_E_CANCELLED, "the run was stopped while the model was loaded"};
    throw ifb::failure{IFB_E_CONFIG, log_.with_reason("libllama cannot load " + options.model),
                       "model"};
  }
  if (!api().llama_model_has_decoder(weights_.get()) ||
      api().llama_model_has_encoder(weights_.get()))
    throw ifb::failure{IFB_E_UNSUPPORTED, options.model + " is no model that continues a text",
                       "model"};
}

void model::make_context(const engine_options& options) {
  if (options.n_batch < options.n_seq_max)
    throw ifb::failure{IFB_E_CONFIG, "must be at least n-seq-max", "n-batch"};
  if (static_cast<std::size_t>(options.n_seq_max) > api().llama_max_parallel_sequences())
    throw ifb::failure{IFB_E_CONFIG,
                       "this libllama decodes at most " +
                           std::to_string(api().llama_max_parallel_sequences()) + " sequences",
                       "n-seq-max"};
  const std::int64_t length =
      options.n_ctx != 0 ? options.n_ctx : api().llama_model_n_ctx_train(weights_.get());
  if (length * options.n_seq_max > 4294967295)
    throw ifb::failure{IFB_E_CONFIG, "n-ctx times n-seq-max is too large", "n-ctx"};
  llama_context_params params = api().llama_context_default_params();
  params.n_ctx = static_cast<std::uint32_t>(length * options.n_seq_max);
  params.n_batch = static_cast<std::uint32_t>(options.n_batch);
  params.n_ubatch = static_cast<std::uint32_t>(std::min(options.n_ubatch, options.n_batch));
  params.n_seq_max = static_cast<std::uint32_t>(options.n_seq_max);
  params.n_threads = number_of_threads(options.n_threads, 0);
  params.n_threads_batch = number_of_threads(options.n_threads_batch, params.n_threads);
  params.flash_attn_type = flash_types.at(static_cast<std::size_t>(options.flash_attention));
  params.type_k = params.type_v = cache_types.at(static_cast<std::size_t>(options.cache_type));
  params.kv_unified = false;  // each sequence has its own part of the context
  params.no_perf = true;
  params.abort_callback = &stops_decoding;
  params.abort_callback_data = &stopping;
  context_.reset(api().llama_init_from_model(weights_.get(), params));
  if (context_ == nullptr)
    throw ifb::failure{IFB_E_CONFIG, log_.with_reason("libllama cannot make a context")};
}

void model::warm_up() {
  const llama_token first = std::max(api().llama_vocab_bos(vocabulary_), 0);
  llama_batch batch = api().llama_batch_init(1, 0, 1);
  batch.n_tokens = 1;
  batch.token[0] = first;
  batch.pos[0] = 0;
  batch.n_seq_id[0] = 1;
  batch.seq_id[0][0] = 0;
  batch.logits[0] = 1;
  const std::int32_t status = api().llama_decode(context_.get(), batch);
  api().llama_synchronize(context_.get());
  api().llama_batch_free(batch);
  api().llama_memory_clear(api().llama_get_memory(context_.get()), true);
  if (status != 0)
    throw ifb::failure{IFB_E_REMOTE, log_.with_reason("llama_decode failed with status " +
                                                      std::to_string(status))};
}

void model::describe() {
  std::array<char, 256> name{};
  api().llama_model_desc(weights_.get(), name.data(), name.size());
  description_ = "llama.cpp " + library_.version + ", " + name.data();
  for (std::size_t i = 0; i < api().ggml_backend_dev_count(); ++i)
    description_ +=
        std::string(", ") + api().ggml_backend_dev_description(api().ggml_backend_dev_get(i));
}

std::int64_t model::context_of_sequence() const noexcept {
  return api().llama_n_ctx_seq(context_.get());
}
std::size_t model::sequences() const noexcept { return api().llama_n_seq_max(context_.get()); }
std::size_t model::batch_tokens() const noexcept { return api().llama_n_batch(context_.get()); }

std::vector<llama_token> model::tokens_of(std::string_view text, bool special) const {
  const auto refuse_text = [] {
    throw ifb::failure{IFB_E_DATA, "libllama cannot tokenize the prompt: it is too long"};
  };
  if (text.size() > INT32_MAX) refuse_text();
  std::vector<llama_token> out(text.size() / 3 + 16);
  for (int round = 0; round < 2; ++round) {
    const std::int32_t count =
        api().llama_tokenize(vocabulary_, text.data(), static_cast<std::int32_t>(text.size()),
                             out.data(), static_cast<std::int32_t>(out.size()), true, special);
    if (count == INT32_MIN) refuse_text();
    out.resize(static_cast<std::size_t>(count < 0 ? -count : count));
    if (count >= 0) return out;
  }
  throw ifb::failure{IFB_E_INTERNAL, "llama_tokenize asked for more room than it had said"};
}

void model::append_piece(llama_token token, std::string& to) const {
  std::array<char, 64> room;  // NOLINT(cppcoreguidelines-pro-type-member-init): an output
  const std::int32_t size = api().llama_token_to_piece(
      vocabulary_, token, room.data(), static_cast<std::int32_t>(room.size()), 0, false);
  if (size >= 0) {
    to.append(room.data(), static_cast<std::size_t>(size));
    return;
  }
  const std::size_t before = to.size();
  to.resize(before + static_cast<std::size_t>(-size));
  api().llama_token_to_piece(vocabulary_, token, to.data() + before, -size, 0, false);
}

std::string model::chat_prompt(std::span<const llama_chat_message> messages) const {
  const char* const chosen = api().llama_model_chat_template(weights_.get(), nullptr);
  if (chosen == nullptr) throw ifb::failure{IFB_E_UNSUPPORTED, "the model has no chat template"};
  std::string out(4096, '\0');
  for (int round = 0; round < 2; ++round) {
    const std::int32_t size =
        api().llama_chat_apply_template(chosen, messages.data(), messages.size(), true, out.data(),
                                        static_cast<std::int32_t>(out.size()));
    if (size < 0)
      throw ifb::failure{IFB_E_UNSUPPORTED, "libllama does not know the model's chat template"};
    const bool whole = static_cast<std::size_t>(size) <= out.size();
    out.resize(static_cast<std::size_t>(size));
    if (whole) break;
  }
  return out;
}

}  // namespace llama_cpp
