// Units that programs publish: remote-control events between host and program, icons.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_INTER_APP_AUDIO_H
#define AURICLE_INTER_APP_AUDIO_H

#include "AUComponent.h"

AURICLE_BEGIN_DECLS

// RemoteControlToHost; the block of RemoteControlEventListener receives them.
typedef UInt32 AudioUnitRemoteControlEvent;
enum {
  kAudioUnitRemoteControlEvent_TogglePlayPause = 1,
  kAudioUnitRemoteControlEvent_ToggleRecord = 2,
  kAudioUnitRemoteControlEvent_Rewind = 3,
};
#ifdef __BLOCKS__
typedef void (^AudioUnitRemoteControlEventListener)(AudioUnitRemoteControlEvent event);
#endif

// The bytes of a PNG file; null without one. Those of Copy belong to the caller, those of Get to the library.
extern CFDataRef AudioComponentCopyIcon(AudioComponent component);
extern CFDataRef AudioComponentGetIcon(AudioComponent component, Float32 pointSize);
// The icon of the host that plays a published output unit.
extern CFDataRef AudioOutputUnitGetHostIcon(AudioUnit unit, Float32 pointSize);

AURICLE_END_DECLS

#endif
