// What the files of the wrong units share.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_WRONG_UNIT_H
#define AURICLE_WRONG_UNIT_H

#include "../../../Plugins/SampleDelay/SampleDelayUnit.h"

#define FAULT(a, b, c, d) ((OSType)(a) << 24 | (OSType)(b) << 16 | (OSType)(c) << 8 | (OSType)(d))

/// The fault of a unit: the subtype of its description.
static inline OSType faultOf(const void *self) {
  return ((const struct Unit *)self)->description.componentSubType;
}

/// Stands for a call that is no matter of the fault.
enum { kNotTouched = 1 };

/// Faults in what a host gives a unit and what is shown of it; kNotTouched for all else.
HIDDEN OSStatus hostFaultInfo(
    void *self, AudioUnitPropertyID property, UInt32 *size, Boolean *isWritable);
HIDDEN OSStatus hostFaultGet(
    void *self, AudioUnitPropertyID property, AudioUnitElement element, void *data, UInt32 *size);
HIDDEN OSStatus hostFaultSet(
    void *self, AudioUnitPropertyID property, const void *data, UInt32 size);

/// Asks the host for its time where the fault is to do so: while it renders or at any other moment.
HIDDEN void askHost(const void *self, bool isRendering);

#endif
