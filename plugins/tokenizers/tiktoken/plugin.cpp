#include <inferbench/plugin.hpp>

#include "tokenizer.hpp"

INFERBENCH_PLUGINS(ifb::tokenizer<tokenizers::tiktoken::tokenizer>);
