// An instrument that shows its messages: each is a step in its output, at its very frame.
// SPDX-License-Identifier: Apache-2.0
#ifndef CLICK_INSTRUMENT_H
#define CLICK_INSTRUMENT_H

#include "Expect.h"
#include "../CanonicalFormat.h"

enum { kClickEvents = 4096 };

// A received message, with the frame of its offset.
typedef struct Heard {
  UInt64 frame;
  UInt8 status, data1, data2;
  Float32 value;  // of a parameter or an extended note
} Heard;

typedef struct Click {
  AudioComponentPlugInInterface interface;  // first: the address of both is `self`
  AudioStreamBasicDescription format;
  UInt32 maximumFrames;
  UInt64 frame;
  Float32 pending[8192];
} Click;

static Heard heard[kClickEvents];
static int heardCount = 0;
static int clickTakesLists = 1;

static void note(Click *unit, UInt32 offset, UInt32 status, UInt32 data1, UInt32 data2, Float32 value) {
  if (heardCount < kClickEvents) {
    const Heard one = {unit->frame + offset, (UInt8)status, (UInt8)data1, (UInt8)data2, value};
    heard[heardCount++] = one;
  }
  if ((status & 0xF0) == 0x90 && offset < 8192) unit->pending[offset] += (Float32)data2 / 128;
}

static OSStatus clickNothing(void *self) {
  (void)self;
  return noErr;
}

static void *clickPlace(Click *unit, AudioUnitPropertyID property, UInt32 *size) {
  switch (property) {
    case kAudioUnitProperty_StreamFormat: *size = sizeof unit->format; return &unit->format;
    case kAudioUnitProperty_MaximumFramesPerSlice: *size = sizeof unit->maximumFrames; return &unit->maximumFrames;
    default: return NULL;
  }
}

static OSStatus clickInfo(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    UInt32 *size, Boolean *isWritable) {
  if (scope == kAudioUnitScope_Input || element != 0) return kAudioUnitErr_InvalidElement;
  if (clickPlace((Click *)self, property, size) == NULL) return kAudioUnitErr_InvalidProperty;
  *isWritable = true;
  return noErr;
}

static OSStatus clickGet(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    void *data, UInt32 *size) {
  UInt32 wanted = 0;
  void *value = clickPlace((Click *)self, property, &wanted);
  if (scope == kAudioUnitScope_Input || element != 0) return kAudioUnitErr_InvalidElement;
  if (value == NULL) return kAudioUnitErr_InvalidProperty;
  memcpy(data, value, wanted);
  *size = wanted;
  return noErr;
}

static OSStatus clickSet(
    void *self, AudioUnitPropertyID property, AudioUnitScope scope, AudioUnitElement element,
    const void *data, UInt32 size) {
  UInt32 wanted = 0;
  void *value = clickPlace((Click *)self, property, &wanted);
  if (scope == kAudioUnitScope_Input || element != 0) return kAudioUnitErr_InvalidElement;
  if (value == NULL || size != wanted) return kAudioUnitErr_InvalidProperty;
  memcpy(value, data, wanted);
  return noErr;
}

static OSStatus clickReset(void *self, AudioUnitScope scope, AudioUnitElement element) {
  (void)self;
  (void)scope;
  (void)element;
  return noErr;
}

static OSStatus clickRender(
    void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 outputElement, UInt32 frameCount, AudioBufferList *buffers) {
  Click *unit = (Click *)self;
  (void)flags;
  (void)timeStamp;
  (void)outputElement;
  for (UInt32 channel = 0; channel < buffers->mNumberBuffers; ++channel) {
    Float32 *samples = (Float32 *)buffers->mBuffers[channel].mData;
    for (UInt32 frame = 0; frame < frameCount; ++frame) {
      samples[frame] = frame < 8192 ? unit->pending[frame] : 0;
    }
  }
  memset(unit->pending, 0, sizeof unit->pending);
  unit->frame += frameCount;
  return noErr;
}

static OSStatus clickMIDI(void *self, UInt32 status, UInt32 data1, UInt32 data2, UInt32 offset) {
  note((Click *)self, offset, status, data1, data2, 0);
  return noErr;
}

static OSStatus clickSysEx(void *self, const UInt8 *data, UInt32 length) {
  note((Click *)self, 0, 0xF0, length > 1 ? data[1] : 0, length, 0);
  return noErr;
}

// Records SysEx in universal packets: once it is whole, with its bytes counted.
static OSStatus clickEventList(void *self, UInt32 offset, const struct MIDIEventList *list) {
  static UInt32 length, first;
  const MIDIEventPacket *packet = &list->packet[0];
  for (UInt32 index = 0; index < list->numPackets; ++index, packet = MIDIEventPacketNext(packet)) {
    for (UInt32 word = 0; word + 1 < packet->wordCount; word += 2) {
      const UInt32 one = packet->words[word], part = one >> 20 & 15, count = one >> 16 & 15;
      if (one >> 28 != 3) return kAudio_ParamError;
      if (part <= 1) {
        length = 0;
        first = one >> 8 & 0x7F;
      }
      length += count;
      // Every other byte after the first has a value that follows from its position.
      for (UInt32 byte = 0; byte < count; ++byte) {
        const UInt32 place = length - count + byte;
        const UInt32 value = (byte < 2 ? one >> (8 - 8 * byte) : packet->words[word + 1] >> (40 - 8 * byte)) & 0xFF;
        if (first == 0x7E && place > 0) TRUE_(value == place % 128);
      }
      if (part == 0 || part == 3) note((Click *)self, offset, 0xF0, first, length, 0);
    }
  }
  return noErr;
}

static OSStatus clickStart(
    void *self, MusicDeviceInstrumentID instrument, MusicDeviceGroupID group, NoteInstanceID *id,
    UInt32 offset, const MusicDeviceNoteParams *parameters) {
  (void)instrument;
  *id = 77;
  note((Click *)self, offset, 1, group, (UInt32)parameters->mVelocity, parameters->mPitch);
  return noErr;
}

static OSStatus clickStop(void *self, MusicDeviceGroupID group, NoteInstanceID id, UInt32 offset) {
  note((Click *)self, offset, 2, group, id, 0);
  return noErr;
}

static OSStatus clickSetParameter(
    void *self, AudioUnitParameterID id, AudioUnitScope scope, AudioUnitElement element,
    AudioUnitParameterValue value, UInt32 offset) {
  (void)scope;
  (void)element;
  note((Click *)self, offset, 3, id, 0, value);
  return noErr;
}

static OSStatus clickSchedule(void *self, const AudioUnitParameterEvent *events, UInt32 count) {
  for (UInt32 index = 0; index < count; ++index) {
    const Float32 slope = events[index].eventValues.ramp.endValue - events[index].eventValues.ramp.startValue;
    const SInt32 start = events[index].eventValues.ramp.startBufferOffset;
    // The value at the slice's first frame, or at the ramp's.
    note((Click *)self, start > 0 ? (UInt32)start : 0, 4, events[index].parameter, 0,
         events[index].eventValues.ramp.startValue
             + (start < 0 ? slope * (Float32)-start / (Float32)events[index].eventValues.ramp.durationInFrames : 0));
  }
  return noErr;
}

static AudioComponentMethod clickLookup(SInt16 selector) {
#define METHOD(name) return (AudioComponentMethod)(void (*)(void))name
  switch (selector) {
    case kAudioUnitInitializeSelect:
    case kAudioUnitUninitializeSelect: METHOD(clickNothing);
    case kAudioUnitGetPropertyInfoSelect: METHOD(clickInfo);
    case kAudioUnitGetPropertySelect: METHOD(clickGet);
    case kAudioUnitSetPropertySelect: METHOD(clickSet);
    case kAudioUnitResetSelect: METHOD(clickReset);
    case kAudioUnitRenderSelect: METHOD(clickRender);
    case kAudioUnitSetParameterSelect: METHOD(clickSetParameter);
    case kAudioUnitScheduleParametersSelect: METHOD(clickSchedule);
    case kMusicDeviceMIDIEventSelect: METHOD(clickMIDI);
    case kMusicDeviceSysExSelect: METHOD(clickSysEx);
    case kMusicDeviceMIDIEventListSelect:
      if (clickTakesLists) METHOD(clickEventList);
      return NULL;
    case kMusicDeviceStartNoteSelect: METHOD(clickStart);
    case kMusicDeviceStopNoteSelect: METHOD(clickStop);
    default: return NULL;
  }
}

static OSStatus clickOpen(void *self, AudioComponentInstance instance) {
  (void)self;
  (void)instance;
  return noErr;
}

static OSStatus clickClose(void *self) {
  free(self);
  return noErr;
}

static AudioComponentPlugInInterface *clickFactory(const AudioComponentDescription *description) {
  Click *unit = (Click *)calloc(1, sizeof(Click));
  (void)description;
  if (unit == NULL) return NULL;
  unit->interface.Open = clickOpen;
  unit->interface.Close = clickClose;
  unit->interface.Lookup = clickLookup;
  unit->maximumFrames = 1156;
  unit->format = canonicalFormat(48000);
  return &unit->interface;
}

static const AudioComponentDescription clickDescription = {
    kAudioUnitType_MusicDevice, 0x636C636B, 0x54735463, 0, 0};  // 'clck' 'TsTc'

// A graph of the instrument and an output.
static AUGraph clickGraph(OSType output, AudioUnit *head, AUNode *instrument) {
  AUGraph graph = NULL;
  AUNode node;
  const AudioComponentDescription description = {kAudioUnitType_Output, output, kAudioUnitManufacturer_Apple, 0, 0};
  AudioComponentRegister(&clickDescription, CFSTR("Test: Click"), 0x10000, clickFactory);
  OK(NewAUGraph(&graph));
  OK(AUGraphAddNode(graph, &clickDescription, instrument));
  OK(AUGraphAddNode(graph, &description, &node));
  OK(AUGraphConnectNodeInput(graph, *instrument, 0, node, 0));
  OK(AUGraphOpen(graph));
  OK(AUGraphNodeInfo(graph, node, NULL, head));
  return graph;
}

// Pulls frames in slices; keeps the first channel.
static Float64 pulledTime = 0;
static inline void pull(AudioUnit head, UInt32 frames, UInt32 slice, Float32 *sound) {
  static Float32 memory[2][8192];
  while (frames > 0) {
    const UInt32 count = frames < slice ? frames : slice;
    struct {
      AudioBufferList list;
      AudioBuffer second;
    } buffers;
    AudioUnitRenderActionFlags flags = 0;
    AudioTimeStamp stamp;
    memset(&stamp, 0, sizeof stamp);
    stamp.mSampleTime = pulledTime;
    stamp.mFlags = kAudioTimeStampSampleTimeValid;
    buffers.list.mNumberBuffers = 2;
    for (int channel = 0; channel < 2; ++channel) {
      AudioBuffer *buffer = &buffers.list.mBuffers[0] + channel;
      buffer->mNumberChannels = 1;
      buffer->mDataByteSize = count * (UInt32)sizeof(Float32);
      buffer->mData = memory[channel];
    }
    OK(AudioUnitRender(head, &flags, &stamp, 0, count, &buffers.list));
    if (sound != NULL) {
      memcpy(sound, memory[0], count * sizeof(Float32));
      sound += count;
    }
    pulledTime += count;
    frames -= count;
  }
}

#endif
