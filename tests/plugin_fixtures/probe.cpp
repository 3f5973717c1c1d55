// The child process of plugin_test: what `inferbench plugin probe` is to the program.
#include "plugin/library.hpp"

int main(int argc, char** argv) { return argc == 2 ? inferbench::plugin::probe_main(argv[1]) : 2; }
