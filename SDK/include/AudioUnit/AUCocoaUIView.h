// The view of a unit is named by a property (CocoaUI); there are no views here.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOUNIT_AUCOCOAUIVIEW_H
#define AURICLE_AUDIOUNIT_AUCOCOAUIVIEW_H

#include "../AudioToolbox/AudioUnitProperties.h"

#endif
