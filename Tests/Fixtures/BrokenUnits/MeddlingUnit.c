// A unit that changes state of the process: in its constructor and in its factory.
// SPDX-License-Identifier: Apache-2.0

#include <locale.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#define GAIN_UNIT_FACTORY MakeGain
#include "../GainUnit/GainUnit.c"

__attribute__((constructor)) static void meddle(void) {
  umask(0);
  signal(SIGTERM, SIG_IGN);
  if (chdir("/")) return;
}

AudioComponentPlugInInterface *MeddlingUnitFactory(const AudioComponentDescription *description) {
  setlocale(LC_ALL, "C.UTF-8");
  return MakeGain(description);
}
