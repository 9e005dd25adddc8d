// Units as sources of before 2010 end: COMPONENT_ENTRY and nothing else. Compiled with
// -include Auricle/ComponentEntry.h, each has a factory of its family.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "AUBase.h"

class AUMIDIBase {};
class MusicDeviceBase : public AUMIDIBase {};
class AUOutputBase {};

class Filter {};
class Arpeggio : public AUMIDIBase {};
class Organ : public MusicDeviceBase {};
class Speaker : public AUOutputBase {};

COMPONENT_ENTRY(Filter)
COMPONENT_ENTRY(Arpeggio)
COMPONENT_ENTRY(Organ)
COMPONENT_ENTRY(Speaker)

int main() {
#if defined(OLDEST_CLASSES)
  const AudioComponentDescription effect = {kAudioUnitType_Effect, 0, 0, 0, 0};
  AudioComponentPlugInInterface *unit = FilterFactory(&effect);
  const bool isGood = unit && unit->Lookup(kAudioUnitRenderSelect)
      && !unit->Lookup(kMusicDeviceMIDIEventSelect) && !unit->Lookup(999);
  std::printf("%s\n", isGood ? "entry" : "nothing");
#else
  void *const families[] = {
      FilterFactory(nullptr), ArpeggioFactory(nullptr), OrganFactory(nullptr),
      SpeakerFactory(nullptr)};
  for (void *family : families) std::printf("%d", *static_cast<int *>(family));
  std::printf("\n");
#endif
}
