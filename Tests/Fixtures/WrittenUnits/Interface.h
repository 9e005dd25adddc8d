// The binary interface of units, as far as these need it: numbers and layouts, and no header of Auricle.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int32_t Status;
typedef const void *Object;  // of CoreFoundation

typedef struct { uint32_t type, subtype, manufacturer, flags, mask; } Description;
typedef Status (*Method)(void *self, ...);
typedef struct {
  Status (*open)(void *self, void *instance);
  Status (*close)(void *self);
  Method (*lookup)(int16_t selector);
  void *reserved;
} PlugIn;

typedef struct {
  double rate;
  uint32_t id, flags, bytesPerPacket, framesPerPacket, bytesPerFrame, channels, bits, reserved;
} Format;
typedef struct { uint32_t channels, byteSize; void *data; } Buffer;
typedef struct { uint32_t count; Buffer buffers[8]; } List;  // of a variable length in the interface
typedef struct { double sampleTime; uint64_t hostTime; uint8_t rest[48]; } Stamp;
typedef Status (*RenderCallback)(
    void *data, uint32_t *flags, const Stamp *stamp, uint32_t bus, uint32_t frames, List *list);
typedef struct { RenderCallback procedure; void *data; } Callback;
typedef void (*PropertyListener)(
    void *data, void *instance, uint32_t id, uint32_t scope, uint32_t element);
typedef struct { void *source; uint32_t output, input; } Connection;
typedef struct { int32_t number; Object name; } Preset;
typedef struct {
  char name[52];
  Object unitName;
  uint32_t clump;
  Object longName;
  uint32_t unit;
  float minimum, maximum, initial;
  uint32_t flags;
} ParameterInfo;
typedef struct {
  uint32_t scope, element, parameter, type;  // type 1: at once, 2: a ramp
  union {
    struct { int32_t start; uint32_t duration; float from, to; } ramp;
    struct { uint32_t offset; float value; } immediate;
  } values;
} ParameterEvent;
typedef struct { uint32_t count; float pitch, velocity; } NoteParameters;
typedef Status (*MIDICallback)(
    void *data, const Stamp *stamp, uint32_t output, const void *packetList);
typedef struct { MIDICallback procedure; void *data; } MIDIOutput;
typedef struct { Object file; uint8_t type, bankHigh, bankLow, preset; } InstrumentFile;

// Packed to four bytes, as CoreMIDI's are.
#pragma pack(push, 4)
typedef struct { uint64_t time; uint32_t wordCount, words[64]; } EventPacket;
typedef struct { int32_t protocol; uint32_t count; EventPacket packets[1]; } EventList;
typedef struct { uint64_t time; uint16_t length; uint8_t bytes[256]; } Packet;
typedef struct { uint32_t count; Packet packets[1]; } PacketList;
#pragma pack(pop)

enum { kGlobal = 0, kInput = 1, kOutput = 2, kGroup = 3 };
enum { kPreRender = 0x4, kPostRender = 0x8, kSilence = 0x10, kPreflight = 0x20, kRenderError = 0x100 };
enum {
  kFileNotFound = -43, kTooManyFiles = -42, kFilePermission = -54, kBadFilePath = 0x21707468,
  kUnimplemented = -4, kBadParameter = -50, kNoMemory = -108, kInvalidProperty = -10879,
  kInvalidParameter = -10878, kInvalidElement = -10877, kNoConnection = -10876,
  kFailedInitialization = -10875, kTooManyFrames = -10874, kIllegalInstrument = -10873,
  kInstrumentTypeNotFound = -10872, kInvalidFile = -10871, kUnknownFileType = -10870,
  kFileNotSpecified = -10869, kFormatNotSupported = -10868, kUninitialized = -10867,
  kInvalidScope = -10866, kNotWritable = -10865, kBusy = -10863, kInvalidValue = -10851,
  kNotInUse = -10850, kInitialized = -10849, kInvalidOfflineRender = -10848, kUnauthorized = -10847,
  kInvalidParameterValue = -66743, kInvalidFilePath = -66742, kMissingKey = -66741,
  kMIDIOutputFull = -66753,
};

// The used parts of CoreFoundation and of the host.
extern Object CFStringCreateWithCString(Object, const char *, uint32_t);
extern bool CFStringGetCString(Object, char *, long, uint32_t);
extern Object CFNumberCreate(Object, long, const void *);
extern bool CFNumberGetValue(Object, long, void *);
extern Object CFDataCreate(Object, const uint8_t *, long);
extern const uint8_t *CFDataGetBytePtr(Object);
extern long CFDataGetLength(Object);
extern Object CFDictionaryCreateMutable(Object, long, const void *, const void *);
extern void CFDictionarySetValue(Object, Object, Object);
extern Object CFDictionaryGetValue(Object, Object);
extern long CFArrayGetCount(Object);
extern Object CFArrayGetValueAtIndex(Object, long);
extern bool CFURLGetFileSystemRepresentation(Object, bool, uint8_t *, long);
extern unsigned long CFGetTypeID(Object);
extern unsigned long CFStringGetTypeID(void), CFNumberGetTypeID(void), CFDataGetTypeID(void);
extern unsigned long CFDictionaryGetTypeID(void), CFArrayGetTypeID(void), CFURLGetTypeID(void);
extern Object CFRetain(Object);
extern void CFRelease(Object);
extern const char kCFTypeDictionaryKeyCallBacks[], kCFTypeDictionaryValueCallBacks[];
extern void *AudioComponentInstanceGetComponent(void *instance);
extern Status AudioComponentGetDescription(void *component, Description *);
extern Status AudioUnitRender(
    void *unit, uint32_t *flags, const Stamp *, uint32_t bus, uint32_t frames, List *);
enum { kUTF8 = 0x08000100, kInt32Number = 3 };
