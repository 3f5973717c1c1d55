#include <inferbench/draft/batch_engine.hpp>
#include <inferbench/plugin.hpp>

#include "llama_plugin.hpp"

INFERBENCH_PLUGINS(ifb::draft::batch_engine<llama_cpp::llama_plugin>)
