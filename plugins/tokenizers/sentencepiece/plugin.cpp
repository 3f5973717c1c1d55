#include <inferbench/plugin.hpp>

#include "sentencepiece.hpp"

INFERBENCH_PLUGINS(ifb::tokenizer<spm::tokenizer>);
