// Functions looked up in a framework by its path, as base classes of units do.
// SPDX-License-Identifier: Apache-2.0
#include <AudioUnit/AudioUnit.h>
#include <CoreServices/../Frameworks/CarbonCore.framework/Headers/Components.h>
#include <dlfcn.h>

int main(void) {
  void *services =
      dlopen("/System/Library/Frameworks/CoreServices.framework/CoreServices", RTLD_LAZY);
  void *audio = dlopen("/System/Library/Frameworks/AudioUnit.framework/AudioUnit", RTLD_LAZY);
  // The call keeps the library linked.
  if (CountComponents(NULL) != 0) return 1;
  if (!services || !dlsym(services, "GetComponentInfo")) return 2;
  if (!audio || !dlsym(audio, "AudioComponentGetDescription")) return 3;
  if (dlopen("/nowhere/library.so", RTLD_LAZY)) return 4;
  return 0;
}
