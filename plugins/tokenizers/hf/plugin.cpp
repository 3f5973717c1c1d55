#include <inferbench/plugin.hpp>

#include "model_tokenizer.hpp"

INFERBENCH_PLUGINS(ifb::tokenizer<hf::model_tokenizer>);
