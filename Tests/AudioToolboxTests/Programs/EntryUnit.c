// A unit of one function through today's interface; the Component Manager; MIDI packets; the host clock.
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include <Auricle/ComponentEntry.h>

#define CHECK(condition)                                                    \
  do {                                                                      \
    if (!(condition)) {                                                     \
      printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);        \
      return 1;                                                             \
    }                                                                       \
  } while (0)

// ---- The unit: a gain. Its type decides whether it is played by notes.

typedef struct Gain {
  ComponentInstance instance;
  OSType type;
  Float32 gain;
  UInt32 notes;
} Gain;

static int openCount = 0;

static OSStatus openGain(ComponentInstance instance) {
  ComponentDescription description;
  Gain *gain = (Gain *)calloc(1, sizeof(Gain));
  // As base classes of that time ask: the instance in the component's place.
  if (GetComponentInfo((Component)(void *)instance, &description, NULL, NULL, NULL) != noErr)
    return paramErr;
  if (description.componentSubType == 0x6f646421) {  // 'odd!' cannot be opened
    free(gain);
    return memFullErr;
  }
  gain->instance = instance;
  gain->type = description.componentType;
  gain->gain = 1;
  SetComponentInstanceStorage(instance, (Handle)(void *)gain);
  openCount += 1;
  return noErr;
}

ComponentResult GainEntry(ComponentParameters *call, Handle storage) {
  Gain *gain = (Gain *)(void *)storage;
  const long *values = call->params + 1;  // after the instance
  if (call->what == kComponentOpenSelect) {
    ComponentInstance instance;
    memcpy(&instance, &call->params[0], sizeof(instance));
    return openGain(instance);
  }
  if (!gain || memcmp(&call->params[0], &gain->instance, sizeof(gain->instance)) != 0)
    return paramErr;
  switch (call->what) {
    case kComponentCloseSelect:
      openCount -= 1;
      free(gain);
      return noErr;
    case kAudioUnitInitializeSelect: return call->paramSize == 8 ? noErr : paramErr;
    case kAudioUnitSetParameterSelect:
      if (call->paramSize != 48 || values[0] != 7 || values[4] != 3) return paramErr;
      memcpy(&gain->gain, &values[3], sizeof(gain->gain));
      return noErr;
    case kAudioUnitGetParameterSelect: {
      AudioUnitParameterValue *value;
      memcpy(&value, &values[3], sizeof(value));
      *value = gain->gain;
      return noErr;
    }
    case kAudioUnitRenderSelect: {
      AudioBufferList *list;
      UInt32 frames;
      memcpy(&frames, &values[3], sizeof(frames));
      memcpy(&list, &values[4], sizeof(list));
      for (UInt32 i = 0; i < frames; ++i) ((Float32 *)list->mBuffers[0].mData)[i] = gain->gain;
      return noErr;
    }
    case kMusicDeviceMIDIEventSelect:
      gain->notes += (UInt32)values[1];
      return (ComponentResult)gain->notes;
    default: return badComponentSelector;
  }
}

AURICLE_COMPONENT_FACTORY(Gain)

// ---- The host's view.

static AudioComponent registerGain(OSType type, OSType subtype) {
  AudioComponentDescription description = {type, subtype, 0x54735443, 0, 0};
  return AudioComponentRegister(&description, CFSTR("Test: Gain"), 0x10203, GainFactory);
}

static int checkUnit(void) {
  AudioComponentInstance unit = NULL;
  AudioComponent component = registerGain(kAudioUnitType_Effect, 0x6761696e);
  Float32 samples[4] = {0, 0, 0, 0};
  AudioBufferList list = {1, {{1, sizeof(samples), samples}}};
  AudioTimeStamp time;
  AudioUnitParameterValue value = 0;
  CHECK(component != NULL);
  CHECK(AudioComponentInstanceNew(component, &unit) == noErr && openCount == 1);
  CHECK(AudioUnitInitialize(unit) == noErr);
  CHECK(AudioUnitSetParameter(unit, 7, kAudioUnitScope_Global, 0, 0.25f, 3) == noErr);
  CHECK(AudioUnitGetParameter(unit, 7, kAudioUnitScope_Global, 0, &value) == noErr);
  CHECK(value == 0.25f);
  memset(&time, 0, sizeof(time));
  CHECK(AudioUnitRender(unit, NULL, &time, 0, 4, &list) == noErr);
  CHECK(samples[0] == 0.25f && samples[3] == 0.25f);
  // Selectors that the function does not know are unimplemented in today's interface.
  CHECK(AudioUnitReset(unit, kAudioUnitScope_Global, 0) == kAudio_UnimplementedError);
  CHECK(!AudioComponentInstanceCanDo(unit, kMusicDeviceMIDIEventSelect));
  CHECK(MusicDeviceMIDIEvent(unit, 0x90, 60, 1, 0) == kAudio_UnimplementedError);
  CHECK(AudioComponentInstanceDispose(unit) == noErr && openCount == 0);
  return 0;
}

static int checkFamilies(void) {
  AudioComponentInstance unit = NULL;
  AudioComponent instrument = registerGain(kAudioUnitType_MusicDevice, 0x6e6f7465);
  AudioComponent closed = registerGain(kAudioUnitType_Effect, 0x6f646421);
  CHECK(AudioComponentInstanceNew(instrument, &unit) == noErr);
  CHECK(AudioComponentInstanceCanDo(unit, kMusicDeviceStartNoteSelect));
  CHECK(!AudioComponentInstanceCanDo(unit, kAudioOutputUnitStartSelect));
  CHECK(MusicDeviceMIDIEvent(unit, 0x90, 60, 1, 0) == 60);
  CHECK(AudioComponentInstanceDispose(unit) == noErr);
  CHECK(AudioComponentInstanceNew(closed, &unit) == memFullErr && openCount == 0);
  return 0;
}

static int checkComponentManager(void) {
  ComponentDescription wanted = {kAudioUnitType_Effect, 0x6761696e, 0, 0, 0}, found;
  Component component = FindNextComponent(NULL, &wanted);
  ComponentInstance instance = NULL;
  CHECK(component != NULL && CountComponents(&wanted) == 1);
  CHECK(FindNextComponent(component, &wanted) == NULL);
  CHECK(GetComponentInfo(component, &found, NULL, NULL, NULL) == noErr);
  CHECK(found.componentSubType == 0x6761696e && found.componentManufacturer == 0x54735443);
  CHECK(OpenAComponent(component, &instance) == noErr && openCount == 1);
  CHECK(GetComponentVersion(instance) == 0x10203);
  CHECK(GetComponentInstanceStorage(instance) != NULL);
  CHECK(CloseComponent(instance) == noErr && openCount == 0);
  CHECK(GetComponentInstanceStorage(instance) == NULL);
  CHECK(OpenAComponent(NULL, &instance) == paramErr && !OpenComponent(NULL));
  CHECK(GetComponentInfo(NULL, &found, NULL, NULL, NULL) == paramErr);
  return 0;
}

// ---- Packets of MIDI, and the clock.

static int checkPackets(void) {
  Byte memory[64];
  MIDIPacketList *list = (MIDIPacketList *)(void *)memory;
  const Byte on[3] = {0x90, 60, 100}, off[3] = {0x80, 60, 0}, exclusive[4] = {0xf0, 1, 2, 0xf7};
  MIDIPacket *packet = MIDIPacketListInit(list), *first = packet;
  CHECK(list->numPackets == 0 && packet == list->packet);
  packet = MIDIPacketListAdd(list, sizeof(memory), packet, 5, 3, on);
  CHECK(packet == first && list->numPackets == 1 && packet->length == 3);
  packet = MIDIPacketListAdd(list, sizeof(memory), packet, 5, 3, off);
  CHECK(packet == first && list->numPackets == 1 && packet->length == 6 && packet->data[3] == 0x80);
  packet = MIDIPacketListAdd(list, sizeof(memory), packet, 5, 4, exclusive);
  CHECK(packet == MIDIPacketNext(first) && list->numPackets == 2);
  CHECK(packet->timeStamp == 5 && packet->length == 4);
  packet = MIDIPacketListAdd(list, sizeof(memory), packet, 9, 3, on);
  CHECK(list->numPackets == 3 && packet->timeStamp == 9 && packet->data[2] == 100);
  // 4 + (10 + 6) + (10 + 4) + (10 + 3) bytes are used; 16 more fit, not 17.
  CHECK(!MIDIPacketListAdd(list, sizeof(memory), packet, 10, 8, memory));
  CHECK(!MIDIPacketListAdd(list, sizeof(memory), packet, 9, 18, memory));
  CHECK(list->numPackets == 3 && packet->length == 3);
  CHECK(MIDIPacketListAdd(list, sizeof(memory), packet, 10, 7, memory) && list->numPackets == 4);
  return 0;
}

static int checkClock(void) {
  UInt64 now = AudioGetCurrentHostTime(), later = AudioGetCurrentHostTime();
  CHECK(now > 0 && later >= now && AudioGetHostClockMinimumTimeDelta() == 1);
  CHECK(AudioGetHostClockFrequency() == 1e9);
  CHECK(AudioConvertHostTimeToNanos(now) == now && AudioConvertNanosToHostTime(now) == now);
  CHECK(pi > 3.14159265358979 && pi < 3.14159265358980);
  return 0;
}

int main(void) {
  return checkUnit() || checkFamilies() || checkComponentManager() || checkPackets()
      || checkClock();
}
