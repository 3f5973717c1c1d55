#include <inferbench/plugin.hpp>

#include "sentencepiece.hpp"

INFERBENCH_PLUGINS(ifb::tokenizer<tokenizers::spm::tokenizer>);
