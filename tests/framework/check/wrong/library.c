/* A backend library whose faults show before any of its plugins is used. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "plugin.h"

static ifb_status create(const ifb_host* host, const ifb_config* config, ifb_instance** out,
                         ifb_error* error) {
  (void)host, (void)config, (void)out;
  return refuse(error, IFB_E_UNSUPPORTED, "nothing works here");
}
static void destroy(ifb_instance* self) { (void)self; }
static const void* query(const ifb_plugin* self, const char* id) {
  (void)self, (void)id;
  return NULL;
}

#if defined(WRONG_EXPORTS_MORE)
IFB_EXPORT int helper_of_the_author(void);
int helper_of_the_author(void) { return 1; }
#elif defined(WRONG_EXPORTS_UNIQUE)
__asm__(
    ".data\n.globl shared_by_all\n.type shared_by_all, \"gnu_unique_object\"\n"
    ".size shared_by_all, 4\nshared_by_all: .long 1\n.text\n");
#elif defined(WRONG_UNRESOLVED)
void there_is_no_such_function(void);
#endif

#if defined(WRONG_ENTRY_THREAD)
static void* wait_for_ever(void* nothing) {
  pause();
  return nothing;
}
#endif

static const ifb_plugin one = {sizeof(ifb_plugin),
                               IFB_BACKEND,
                               "one",
                               "1.0.0",
                               "One.",
                               "MIT",
                               NULL,
                               0,
                               0,
                               create,
                               destroy,
                               NULL,
                               query};
#if defined(WRONG_ID_TWICE)
static const ifb_plugin* const plugins[] = {&one, &one};
#else
static const ifb_plugin* const plugins[] = {&one};
#endif
#define COUNT (uint32_t)(sizeof plugins / sizeof plugins[0])
#if defined(WRONG_RESERVED)
#define RESERVED 7
#else
#define RESERVED 0
#endif
static const ifb_library library[2] = {
    {sizeof(ifb_library), IFB_ABI_MAJOR, IFB_ABI_MINOR, "c", plugins, COUNT, RESERVED},
    {sizeof(ifb_library), IFB_ABI_MAJOR, IFB_ABI_MINOR, "c", plugins, COUNT, RESERVED}};

const ifb_library* inferbench_plugin_v1_rc2(uint32_t major, uint32_t minor) {
  static int calls = 0;
  (void)major, (void)minor;
  ++calls;
#if defined(WRONG_UNRESOLVED)
  if (major == 0) there_is_no_such_function();
#elif defined(WRONG_ENTRY_TALKS)
  if (calls == 1) printf("Acme plugin, evaluation copy\n"), fflush(stdout);
#elif defined(WRONG_ENTRY_FILE)
  if (calls == 1 && open("/dev/null", O_RDONLY) < 0) return NULL;
#elif defined(WRONG_ENTRY_THREAD)
  pthread_t thread;
  if (calls == 1 && pthread_create(&thread, NULL, wait_for_ever, NULL) != 0) return NULL;
  if (calls == 1) pthread_detach(thread);
#elif defined(WRONG_ENTRY_SLOW)
  for (const clock_t end = clock() + CLOCKS_PER_SEC / 4; calls == 1 && clock() < end;) {
  }
#elif defined(WRONG_ENTRY_POINTER)
  return &library[calls % 2];
#elif defined(WRONG_ENTRY_CRASHES)
  abort();
#elif defined(WRONG_ENTRY_REFUSES)
  return NULL;
#endif
  return &library[0];
}
