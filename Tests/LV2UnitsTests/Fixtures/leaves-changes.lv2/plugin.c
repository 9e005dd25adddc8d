// Changes locale, umask, folder, a signal handler and the rounding when instantiated.
// SPDX-License-Identifier: Apache-2.0
#include "../fixture.h"

static void run(LV2_Handle handle, uint32_t frames) {
  Fixture* self = handle;
  for (uint32_t i = 0; i < frames; ++i) self->out[i] = self->in[i];
}

#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
static void handler(int signal) { (void)signal; }
static LV2_Handle instantiate(
  const LV2_Descriptor* d, double rate, const char* path, const LV2_Feature* const* features) {
  setlocale(LC_ALL, "C.UTF-8");
  umask(0);
  if (chdir("/") != 0) return NULL;
  signal(SIGUSR2, handler);
  fesetround(FE_UPWARD);
  return fixture_instantiate(d, rate, path, features);
}
FIXTURE("urn:auricle:test:leaves-changes", instantiate, NULL)
