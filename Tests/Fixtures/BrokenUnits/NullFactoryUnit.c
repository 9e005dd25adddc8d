// A unit whose factory makes nothing.
// SPDX-License-Identifier: Apache-2.0

#include <stddef.h>

#include <AudioToolbox/AudioToolbox.h>

AudioComponentPlugInInterface *NullFactoryUnitFactory(const AudioComponentDescription *description) {
  (void)description;
  return NULL;
}
