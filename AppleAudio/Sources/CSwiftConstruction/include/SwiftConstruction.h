// Making an object of a class that is known at run time alone, by an initializer that is not required.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_SWIFTCONSTRUCTION_H
#define AURICLE_SWIFTCONSTRUCTION_H

#include <stdint.h>

// The arguments of an initializer: a description of a component and a number of options.
typedef struct AuricleInitialArguments {
  uint32_t componentType;
  uint32_t componentSubType;
  uint32_t componentManufacturer;
  uint32_t componentFlags;
  uint32_t componentFlagsMask;
} AuricleInitialArguments;

// Calls the initializer of AUAudioUnit as a class overrides it. Returns the object, which the caller owns; NULL with an
// error that it owns, or without one where the class does not derive from the base.
void *AuricleMakeAudioUnit(
    const void *baseClass, const void *ownClass, AuricleInitialArguments arguments, uint32_t options, void **outError);

#endif
