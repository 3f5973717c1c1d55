// The functions of libllama that the plugin calls, found by name in the loaded library. The types
// are those of the llama.h found at build.
#pragma once

#include <ggml-backend.h>
#include <llama.h>

// A row for each function: X(name).
#define LLAMA_CPP_FUNCTIONS(X)          \
  X(ggml_backend_dev_count)             \
  X(ggml_backend_dev_description)       \
  X(ggml_backend_dev_get)               \
  X(ggml_backend_load_all)              \
  X(ggml_backend_load_all_from_path)    \
  X(llama_backend_init)                 \
  X(llama_batch_free)                   \
  X(llama_batch_init)                   \
  X(llama_chat_apply_template)          \
  X(llama_context_default_params)       \
  X(llama_decode)                       \
  X(llama_free)                         \
  X(llama_get_memory)                   \
  X(llama_init_from_model)              \
  X(llama_log_set)                      \
  X(llama_max_parallel_sequences)       \
  X(llama_memory_clear)                 \
  X(llama_memory_seq_rm)                \
  X(llama_model_chat_template)          \
  X(llama_model_default_params)         \
  X(llama_model_desc)                   \
  X(llama_model_free)                   \
  X(llama_model_get_vocab)              \
  X(llama_model_has_decoder)            \
  X(llama_model_has_encoder)            \
  X(llama_model_load_from_file)         \
  X(llama_model_n_ctx_train)            \
  X(llama_n_batch)                      \
  X(llama_n_ctx_seq)                    \
  X(llama_n_seq_max)                    \
  X(llama_sampler_chain_add)            \
  X(llama_sampler_chain_default_params) \
  X(llama_sampler_chain_init)           \
  X(llama_sampler_free)                 \
  X(llama_sampler_init_dist)            \
  X(llama_sampler_init_greedy)          \
  X(llama_sampler_init_temp)            \
  X(llama_sampler_init_top_p)           \
  X(llama_sampler_sample)               \
  X(llama_synchronize)                  \
  X(llama_token_to_piece)               \
  X(llama_tokenize)                     \
  X(llama_version)                      \
  X(llama_vocab_bos)                    \
  X(llama_vocab_is_eog)                 \
  X(llama_vocab_n_tokens)

namespace llama_cpp {

/// The functions have their names and rules of llama.h.
struct llama_api {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define LLAMA_CPP_MEMBER(name) decltype(&::name) name = nullptr;
  LLAMA_CPP_FUNCTIONS(LLAMA_CPP_MEMBER)
#undef LLAMA_CPP_MEMBER
};

}  // namespace llama_cpp
