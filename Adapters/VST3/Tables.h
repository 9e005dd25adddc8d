// The binary interface of VST3 as a plug-in needs it: tables of functions and structures, in our own words.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdint.h>

typedef int32_t Result;
enum { kNoInterface = -1, kOk = 0, kFalse = 1, kInvalidArgument = 2, kNotImplemented = 3, kInternalError = 4 };
typedef uint16_t Text128[128];

// The functions of every table; `self` is the address of the table's pointer.
#define UNKNOWN                                                        \
  Result (*queryInterface)(void *self, const char *iid, void **object); \
  uint32_t (*addRef)(void *self);                                       \
  uint32_t (*release)(void *self);

struct UnknownTable {
  UNKNOWN
};

struct FactoryInfo {
  char vendor[64], url[256], email[128];
  int32_t flags;  // 16: texts are Unicode
};

struct ClassInfo {
  char cid[16];
  int32_t cardinality;
  char category[32], name[64];
};

struct ClassInfo2 {
  char cid[16];
  int32_t cardinality;
  char category[32], name[64];
  uint32_t flags;
  char subCategories[128], vendor[64], version[64], sdkVersion[64];
};

struct ClassInfoW {
  char cid[16];
  int32_t cardinality;
  char category[32];
  uint16_t name[64];
  uint32_t flags;
  char subCategories[128];
  uint16_t vendor[64], version[64], sdkVersion[64];
};

struct FactoryTable {
  UNKNOWN
  Result (*getFactoryInfo)(void *self, struct FactoryInfo *);
  int32_t (*countClasses)(void *self);
  Result (*getClassInfo)(void *self, int32_t index, struct ClassInfo *);
  Result (*createInstance)(void *self, const char *cid, const char *iid, void **object);
  Result (*getClassInfo2)(void *self, int32_t index, struct ClassInfo2 *);
  Result (*getClassInfoUnicode)(void *self, int32_t index, struct ClassInfoW *);
  Result (*setHostContext)(void *self, void *context);
};

struct BusInfo {
  int32_t media, direction, channelCount;  // media 0 audio, 1 events; direction 0 in, 1 out
  Text128 name;
  int32_t type;    // 0 main, 1 auxiliary
  uint32_t flags;  // 1: active by default
};

struct RoutingInfo {
  int32_t media, bus, channel;
};

struct StreamTable {
  UNKNOWN
  Result (*read)(void *self, void *bytes, int32_t count, int32_t *done);
  Result (*write)(void *self, const void *bytes, int32_t count, int32_t *done);
  Result (*seek)(void *self, int64_t place, int32_t mode, int64_t *result);
  Result (*tell)(void *self, int64_t *place);
};

struct ComponentTable {
  UNKNOWN
  Result (*initialize)(void *self, void *context);
  Result (*terminate)(void *self);
  Result (*getControllerClassId)(void *self, char *cid);
  Result (*setIoMode)(void *self, int32_t mode);
  int32_t (*getBusCount)(void *self, int32_t media, int32_t direction);
  Result (*getBusInfo)(void *self, int32_t media, int32_t direction, int32_t index, struct BusInfo *);
  Result (*getRoutingInfo)(void *self, struct RoutingInfo *in, struct RoutingInfo *out);
  Result (*activateBus)(void *self, int32_t media, int32_t direction, int32_t index, uint8_t state);
  Result (*setActive)(void *self, uint8_t state);
  Result (*setState)(void *self, void *stream);
  Result (*getState)(void *self, void *stream);
};

struct ProcessSetup {
  int32_t mode, sampleSize, maximumFrames;  // mode 2: offline; sample size 0: 32 bits
  double sampleRate;
};

struct BusBuffers {
  int32_t channelCount;
  uint64_t silenceFlags;
  float **channels;
};

struct ProcessContext {
  uint32_t state;
  double sampleRate;
  int64_t projectSamples, systemTime, continuousSamples;
  double projectBeats, barBeats, cycleStartBeats, cycleEndBeats, tempo;
  int32_t numerator, denominator;
  uint8_t chord[4];
  int32_t smpteOffset;
  uint32_t frameRate[2];
  int32_t samplesToClock;
};

enum {
  kPlaying = 1 << 1, kCycleActive = 1 << 2, kRecording = 1 << 3, kBeatsValid = 1 << 9, kTempoValid = 1 << 10, kBarValid = 1 << 11,
  kCycleValid = 1 << 12, kSignatureValid = 1 << 13
};

struct ProcessData {
  int32_t mode, sampleSize, frames, inputCount, outputCount;
  struct BusBuffers *inputs, *outputs;
  void *inputChanges, *outputChanges, *inputEvents, *outputEvents;
  struct ProcessContext *context;
};

struct ProcessorTable {
  UNKNOWN
  Result (*setBusArrangements)(void *self, uint64_t *inputs, int32_t inputCount, uint64_t *outputs, int32_t outputCount);
  Result (*getBusArrangement)(void *self, int32_t direction, int32_t index, uint64_t *arrangement);
  Result (*canProcessSampleSize)(void *self, int32_t size);
  uint32_t (*getLatencySamples)(void *self);
  Result (*setupProcessing)(void *self, struct ProcessSetup *);
  Result (*setProcessing)(void *self, uint8_t state);
  Result (*process)(void *self, struct ProcessData *);
  uint32_t (*getTailSamples)(void *self);
};

struct RequirementsTable {
  UNKNOWN
  uint32_t (*getProcessContextRequirements)(void *self);
};

struct ChangesTable {
  UNKNOWN
  int32_t (*getParameterCount)(void *self);
  void *(*getParameterData)(void *self, int32_t index);
  void *(*addParameterData)(void *self, const uint32_t *id, int32_t *index);
};

struct QueueTable {
  UNKNOWN
  uint32_t (*getParameterId)(void *self);
  int32_t (*getPointCount)(void *self);
  Result (*getPoint)(void *self, int32_t index, int32_t *offset, double *value);
  Result (*addPoint)(void *self, int32_t offset, double value, int32_t *index);
};

enum { kNoteOn = 0, kNoteOff = 1, kData = 2, kPolyPressure = 3, kControllerOut = 65535 };

struct Event {
  int32_t bus, offset;
  double beat;
  uint16_t flags, type;
  union {
    struct {
      int16_t channel, pitch;
      float tuning, velocity;
      int32_t length, noteID;
    } on;
    struct {
      int16_t channel, pitch;
      float velocity;
      int32_t noteID;
      float tuning;
    } off;
    struct {
      uint32_t size, type;
      const uint8_t *bytes;
    } data;
    struct {
      int16_t channel, pitch;
      float pressure;
      int32_t noteID;
    } pressure;
    struct {
      uint8_t controller;
      int8_t channel, value, value2;
    } controller;
  };
};

struct EventsTable {
  UNKNOWN
  int32_t (*getEventCount)(void *self);
  Result (*getEvent)(void *self, int32_t index, struct Event *);
  Result (*addEvent)(void *self, struct Event *);
};

struct ParameterInfo {
  uint32_t id;
  Text128 title, shortTitle, units;
  int32_t stepCount;
  double initial;
  int32_t unit, flags;
};

enum { kCanAutomate = 1, kIsReadOnly = 2, kIsList = 8, kIsHidden = 16, kIsProgramChange = 1 << 15, kIsBypass = 1 << 16 };

struct ControllerTable {
  UNKNOWN
  Result (*initialize)(void *self, void *context);
  Result (*terminate)(void *self);
  Result (*setComponentState)(void *self, void *stream);
  Result (*setState)(void *self, void *stream);
  Result (*getState)(void *self, void *stream);
  int32_t (*getParameterCount)(void *self);
  Result (*getParameterInfo)(void *self, int32_t index, struct ParameterInfo *);
  Result (*getParamStringByValue)(void *self, uint32_t id, double value, uint16_t *text);
  Result (*getParamValueByString)(void *self, uint32_t id, const uint16_t *text, double *value);
  double (*normalizedParamToPlain)(void *self, uint32_t id, double value);
  double (*plainParamToNormalized)(void *self, uint32_t id, double value);
  double (*getParamNormalized)(void *self, uint32_t id);
  Result (*setParamNormalized)(void *self, uint32_t id, double value);
  Result (*setComponentHandler)(void *self, void *handler);
  void *(*createView)(void *self, const char *name);
};

struct HandlerTable {
  UNKNOWN
  Result (*beginEdit)(void *self, uint32_t id);
  Result (*performEdit)(void *self, uint32_t id, double value);
  Result (*endEdit)(void *self, uint32_t id);
  Result (*restartComponent)(void *self, int32_t flags);  // 4: values changed, 8: latency changed
};

struct MappingTable {
  UNKNOWN
  Result (*getMidiControllerAssignment)(void *self, int32_t bus, int16_t channel, int16_t controller, uint32_t *id);
};

struct UnitInfo {
  int32_t id, parent;
  Text128 name;
  int32_t programList;
};

struct ProgramListInfo {
  int32_t id;
  Text128 name;
  int32_t count;
};

struct UnitsTable {
  UNKNOWN
  int32_t (*getUnitCount)(void *self);
  Result (*getUnitInfo)(void *self, int32_t index, struct UnitInfo *);
  int32_t (*getProgramListCount)(void *self);
  Result (*getProgramListInfo)(void *self, int32_t index, struct ProgramListInfo *);
  Result (*getProgramName)(void *self, int32_t list, int32_t program, uint16_t *name);
  Result (*getProgramInfo)(void *self, int32_t list, int32_t program, const char *attribute, uint16_t *value);
  Result (*hasProgramPitchNames)(void *self, int32_t list, int32_t program);
  Result (*getProgramPitchName)(void *self, int32_t list, int32_t program, int16_t pitch, uint16_t *name);
  int32_t (*getSelectedUnit)(void *self);
  Result (*selectUnit)(void *self, int32_t unit);
  Result (*getUnitByBus)(void *self, int32_t media, int32_t direction, int32_t bus, int32_t channel, int32_t *unit);
  Result (*setUnitProgramData)(void *self, int32_t listOrUnit, int32_t program, void *stream);
};

_Static_assert(sizeof(struct ClassInfo2) == 440 && sizeof(struct ClassInfoW) == 696 && sizeof(struct FactoryInfo) == 452, "classes");
_Static_assert(sizeof(struct BusInfo) == 276 && sizeof(struct ParameterInfo) == 792 && sizeof(struct Event) == 48, "structures");
_Static_assert(sizeof(struct ProcessData) == 80 && sizeof(struct ProcessContext) == 112 && sizeof(struct BusBuffers) == 24, "processing");
_Static_assert(sizeof(struct ProcessSetup) == 24 && sizeof(struct UnitInfo) == 268 && sizeof(struct ProgramListInfo) == 264, "units");
