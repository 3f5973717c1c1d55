#include <inferbench/plugin.hpp>

#include "chat.hpp"
#include "completions.hpp"
#include "responses.hpp"

INFERBENCH_PLUGINS(ifb::backend<openai::completions>, ifb::backend<openai::chat>,
                   ifb::backend<openai::responses>);
