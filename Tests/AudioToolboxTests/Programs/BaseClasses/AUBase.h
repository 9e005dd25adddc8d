// A substitute for the header of that name in base classes for units: the families that have factories.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ComponentBase.h"

#if !defined(OLDEST_CLASSES)

// A factory that answers its own family.
#define TEST_FACTORY(Name, number)                                 \
  template <class Unit>                                            \
  struct Name {                                                    \
    static void *Factory(const AudioComponentDescription *) {      \
      static int family = number;                                  \
      return &family;                                              \
    }                                                              \
  };
TEST_FACTORY(AUBaseFactory, 1)
TEST_FACTORY(AUMIDIEffectFactory, 2)
TEST_FACTORY(AUMusicDeviceFactory, 3)
TEST_FACTORY(AUOutputBaseFactory, 4)

#endif
