// A substitute for the header of that name in base classes for units: the parts that ComponentEntry.h needs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <AudioUnit/AudioUnit.h>

// Like the real one where there are no entries: nothing.
#define COMPONENT_ENTRY(Class)

#if defined(OLDEST_CLASSES)

template <class Class>
struct ComponentEntryPoint {
  static ComponentResult Dispatch(ComponentParameters *call, Class *) {
    return call->what == kComponentOpenSelect ? (ComponentResult)noErr : badComponentSelector;
  }
};

#else

#define AUDIOCOMPONENT_ENTRY(FactoryType, Class)                                      \
  extern "C" void *Class##Factory(const AudioComponentDescription *description) {     \
    return FactoryType<Class>::Factory(description);                                  \
  }

#endif
