// What the ways into the unit share: making one with its selectors, and the methods that all have.
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "CallingUnit.hpp"

namespace calling {

// The methods of every unit.
AudioComponentMethod lookUp(SInt16 selector);
OSStatus uninitializeUnit(void *self);

// A new unit; null without memory.
AudioComponentPlugInInterface *make(Kind kind, AudioComponentMethod (*lookUp)(SInt16));

template <typename Method>
AudioComponentMethod erased(Method method) {
  return reinterpret_cast<AudioComponentMethod>(method);
}

}  // namespace calling
