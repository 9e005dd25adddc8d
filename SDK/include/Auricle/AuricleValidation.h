// The keys of the details of a validation, where Core Audio names none.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_VALIDATION_H
#define AURICLE_VALIDATION_H

#include "../AudioToolbox/AudioComponent.h"

// Keys of the dictionary that AudioComponentValidateWithResults passes to its block. Each value is a
// CFArray of CFString, one sentence a fault: faults for which hosts may reject the unit, and lesser ones.
#define kAuricleValidationDetail_Errors "Errors"
#define kAuricleValidationDetail_Warnings "Warnings"

#endif
