// The structs to which an AudioComponent and an AudioUnit point: the records a host makes.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AURICLEINSTANCE_H
#define AURICLE_AURICLEINSTANCE_H

#include "../AudioToolbox/AUComponent.h"

// Records are C structs, never language objects: units, hosts and the toolbox library use any
// handle through them, independent of its maker. They grow at the end; recordSize holds the size of
// one.

// 'AuCo' and 'AuIn'. A handle that does not begin with its magic number is refused.
AURICLE_ENUM(UInt32) {
  kAuricleComponentMagic = 0x4175436f,
  kAuricleInstanceMagic = 0x4175496e,
};

// A component. It outlives its instances.
struct OpaqueAudioComponent {
  UInt32 magic;                           // kAuricleComponentMagic
  UInt32 recordSize;                      // sizeof(struct OpaqueAudioComponent) where it was made
  AudioComponentDescription description;
  UInt32 version;                         // 0xMMMMmmbb
  const char *name;                       // UTF-8, "Maker: Unit"
  void *host;                             // the host's own
};

// An instance. It is complete before Open is called, and every method's `self` is plugIn. The
// methods are the results of Lookup for their selectors, NULL where it had none.
struct ComponentInstanceRecord {
  UInt32 magic;       // kAuricleInstanceMagic
  UInt32 recordSize;  // sizeof(struct ComponentInstanceRecord) where it was made
  AudioComponent component;
  AudioComponentPlugInInterface *plugIn;
  void *host;         // the host's own
  AudioUnitRenderProc render;
  AudioUnitGetPropertyProc getProperty;
  AudioUnitSetPropertyProc setProperty;
  AudioUnitGetPropertyInfoProc getPropertyInfo;
  AudioUnitGetParameterProc getParameter;
  AudioUnitSetParameterProc setParameter;
  AudioUnitResetProc reset;
  AudioUnitProcessProc process;
  AudioUnitScheduleParametersProc scheduleParameters;
};

#endif
