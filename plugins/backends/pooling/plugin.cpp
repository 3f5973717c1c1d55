#include <inferbench/plugin.hpp>

#include "embeddings.hpp"
#include "infinity.hpp"
#include "vllm.hpp"

INFERBENCH_PLUGINS(ifb::backend<openai::pooling<openai::embeddings>>,
                   ifb::backend<openai::pooling<openai::embeddings_chat>>,
                   ifb::backend<openai::pooling<openai::embeddings_clip>>,
                   ifb::backend<openai::pooling<openai::embeddings_vlm2vec>>,
                   ifb::backend<openai::infinity>, ifb::backend<openai::infinity_clip>,
                   ifb::backend<openai::vllm_pooling>,
                   ifb::backend<openai::pooling<openai::rerank>>);
