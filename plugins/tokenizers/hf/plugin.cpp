#include <inferbench/plugin.hpp>

#include "model_tokenizer.hpp"

INFERBENCH_PLUGINS(ifb::tokenizer<tokenizers::hf::model_tokenizer>);
