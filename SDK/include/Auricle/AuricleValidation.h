// What the details of a validation are called, where Core Audio names none.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_VALIDATION_H
#define AURICLE_VALIDATION_H

#include "../AudioToolbox/AudioComponent.h"

// Keys of the dictionary that AudioComponentValidateWithResults gives to its block. Each value is a CFArray
// of CFString, one sentence a fault: what hosts may do without the unit for, and what they can live with.
#define kAuricleValidationDetail_Errors "Errors"
#define kAuricleValidationDetail_Warnings "Warnings"

#endif
