// The binary interface of CLAP 1.2 as a plug-in needs it, in our own words.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct Version {
  uint32_t major, minor, revision;
};

struct Descriptor {
  struct Version version;
  const char *id, *name, *vendor, *url, *manualURL, *supportURL, *pluginVersion, *description;
  const char *const *features;
};

struct Host {
  struct Version version;
  void *data;
  const char *name, *vendor, *url, *hostVersion;
  const void *(*getExtension)(const struct Host *, const char *id);
  void (*requestRestart)(const struct Host *);
  void (*requestProcess)(const struct Host *);
  void (*requestCallback)(const struct Host *);
};

struct AudioBuffers {
  float **data32;
  double **data64;
  uint32_t channelCount, latency;
  uint64_t constantMask;
};

// Events: a header, then the fields of its type.
struct EventHeader {
  uint32_t size, time;
  uint16_t space, type;
  uint32_t flags;
};

enum {
  kNoteOn, kNoteOff, kNoteChoke, kNoteEnd, kNoteExpression, kParameterValue, kParameterModulation, kGestureBegin, kGestureEnd,
  kTransportEvent, kMIDIEvent, kExclusiveEvent, kMIDI2Event
};

struct NoteEvent {
  struct EventHeader header;
  int32_t noteID;
  int16_t port, channel, key;
  double velocity;
};

struct ValueEvent {
  struct EventHeader header;
  uint32_t parameter;
  void *cookie;
  int32_t noteID;
  int16_t port, channel, key;
  double value;
};

struct ShortEvent {
  struct EventHeader header;
  uint16_t port;
  uint8_t bytes[3];
};

struct ExclusiveEvent {
  struct EventHeader header;
  uint16_t port;
  const uint8_t *bytes;
  uint32_t count;
};

// Beats and seconds are multiples of 2^-31.
struct TransportEvent {
  struct EventHeader header;
  uint32_t flags;
  int64_t beats, seconds;
  double tempo, tempoIncrement;
  int64_t loopStartBeats, loopEndBeats, loopStartSeconds, loopEndSeconds, barStart;
  int32_t barNumber;
  uint16_t numerator, denominator;
};

enum { kHasTempo = 1, kHasBeats = 2, kHasSeconds = 4, kHasSignature = 8, kIsPlaying = 16, kIsRecording = 32, kIsLooping = 64 };

struct InputEvents {
  void *context;
  uint32_t (*size)(const struct InputEvents *);
  const struct EventHeader *(*get)(const struct InputEvents *, uint32_t index);
};

struct OutputEvents {
  void *context;
  bool (*tryPush)(const struct OutputEvents *, const struct EventHeader *);
};

struct Process {
  int64_t steadyTime;
  uint32_t frames;
  const struct TransportEvent *transport;
  const struct AudioBuffers *inputs;
  struct AudioBuffers *outputs;
  uint32_t inputCount, outputCount;
  const struct InputEvents *events;
  const struct OutputEvents *sent;
};

enum { kProcessError, kProcessContinue, kProcessContinueIfNotQuiet, kProcessTail, kProcessSleep };

struct ClapPlugin {
  const struct Descriptor *descriptor;
  void *data;
  bool (*init)(const struct ClapPlugin *);
  void (*destroy)(const struct ClapPlugin *);
  bool (*activate)(const struct ClapPlugin *, double rate, uint32_t least, uint32_t most);
  void (*deactivate)(const struct ClapPlugin *);
  bool (*startProcessing)(const struct ClapPlugin *);
  void (*stopProcessing)(const struct ClapPlugin *);
  void (*reset)(const struct ClapPlugin *);
  int32_t (*process)(const struct ClapPlugin *, const struct Process *);
  const void *(*getExtension)(const struct ClapPlugin *, const char *id);
  void (*onMainThread)(const struct ClapPlugin *);
};

struct Factory {
  uint32_t (*count)(const struct Factory *);
  const struct Descriptor *(*descriptor)(const struct Factory *, uint32_t index);
  const struct ClapPlugin *(*create)(const struct Factory *, const struct Host *, const char *id);
};

struct ClapEntry {
  struct Version version;
  bool (*init)(const char *path);
  void (*deinit)(void);
  const void *(*getFactory)(const char *id);
};

// ---- Extensions.

struct AudioPortInfo {
  uint32_t id;
  char name[256];
  uint32_t flags;  // 1: the main one
  uint32_t channelCount;
  const char *type;
  uint32_t inPlacePair;
};

struct AudioPorts {
  uint32_t (*count)(const struct ClapPlugin *, bool isInput);
  bool (*get)(const struct ClapPlugin *, uint32_t index, bool isInput, struct AudioPortInfo *);
};

struct PortRequest {
  bool isInput;
  uint32_t port, channelCount;
  const char *type;
  const void *details;
};

struct ConfigurablePorts {
  bool (*canApply)(const struct ClapPlugin *, const struct PortRequest *, uint32_t count);
  bool (*apply)(const struct ClapPlugin *, const struct PortRequest *, uint32_t count);
};

struct NotePortInfo {
  uint32_t id, supported, preferred;  // dialects: 1 notes of CLAP, 2 MIDI
  char name[256];
};

struct NotePorts {
  uint32_t (*count)(const struct ClapPlugin *, bool isInput);
  bool (*get)(const struct ClapPlugin *, uint32_t index, bool isInput, struct NotePortInfo *);
};

enum {
  kParameterStepped = 1, kParameterHidden = 4, kParameterReadOnly = 8, kParameterBypass = 16, kParameterAutomatable = 32,
  kParameterEnum = 1 << 16
};

struct ParameterInfo {
  uint32_t id, flags;
  void *cookie;
  char name[256], module[1024];
  double minimum, maximum, initial;
};

struct Parameters {
  uint32_t (*count)(const struct ClapPlugin *);
  bool (*getInfo)(const struct ClapPlugin *, uint32_t index, struct ParameterInfo *);
  bool (*getValue)(const struct ClapPlugin *, uint32_t id, double *value);
  bool (*valueToText)(const struct ClapPlugin *, uint32_t id, double value, char *text, uint32_t size);
  bool (*textToValue)(const struct ClapPlugin *, uint32_t id, const char *text, double *value);
  void (*flush)(const struct ClapPlugin *, const struct InputEvents *, const struct OutputEvents *);
};

struct HostParameters {
  void (*rescan)(const struct Host *, uint32_t flags);  // 1: values
  void (*clear)(const struct Host *, uint32_t id, uint32_t flags);
  void (*requestFlush)(const struct Host *);
};

struct ReadStream {
  void *context;
  int64_t (*read)(const struct ReadStream *, void *bytes, uint64_t count);
};

struct WriteStream {
  void *context;
  int64_t (*write)(const struct WriteStream *, const void *bytes, uint64_t count);
};

struct StateTable {
  bool (*save)(const struct ClapPlugin *, const struct WriteStream *);
  bool (*load)(const struct ClapPlugin *, const struct ReadStream *);
};

struct Frames {
  uint32_t (*get)(const struct ClapPlugin *);
};

struct RenderTable {
  bool (*hasHardRealtimeRequirement)(const struct ClapPlugin *);
  bool (*set)(const struct ClapPlugin *, int32_t mode);
};

struct PresetLoad {
  bool (*fromLocation)(const struct ClapPlugin *, uint32_t kind, const char *location, const char *key);
};

struct HostPresetLoad {
  void (*onError)(const struct Host *, uint32_t kind, const char *location, const char *key, int32_t error, const char *message);
  void (*loaded)(const struct Host *, uint32_t kind, const char *location, const char *key);
};

// ---- Discovery of presets.

struct UniversalID {
  const char *abi, *id;
};

struct Receiver {
  void *data;
  void (*onError)(const struct Receiver *, int32_t error, const char *message);
  bool (*beginPreset)(const struct Receiver *, const char *name, const char *key);
  void (*addPluginID)(const struct Receiver *, const struct UniversalID *);
  void (*setSoundpackID)(const struct Receiver *, const char *id);
  void (*setFlags)(const struct Receiver *, uint32_t flags);  // 1: of a factory
  void (*addCreator)(const struct Receiver *, const char *creator);
};

struct Location {
  uint32_t flags;
  const char *name;
  uint32_t kind;  // 0: a file, 1: the plug-in
  const char *path;
};

struct Indexer {
  struct Version version;
  const char *name, *vendor, *url, *indexerVersion;
  void *data;
  bool (*declareFileType)(const struct Indexer *, const void *);
  bool (*declareLocation)(const struct Indexer *, const struct Location *);
  bool (*declareSoundpack)(const struct Indexer *, const void *);
  const void *(*getExtension)(const struct Indexer *, const char *id);
};

struct ProviderDescriptor {
  struct Version version;
  const char *id, *name, *vendor;
};

struct Provider {
  const struct ProviderDescriptor *descriptor;
  void *data;
  bool (*init)(const struct Provider *);
  void (*destroy)(const struct Provider *);
  bool (*getMetadata)(const struct Provider *, uint32_t kind, const char *location, const struct Receiver *);
  const void *(*getExtension)(const struct Provider *, const char *id);
};

struct DiscoveryFactory {
  uint32_t (*count)(const struct DiscoveryFactory *);
  const struct ProviderDescriptor *(*descriptor)(const struct DiscoveryFactory *, uint32_t index);
  const struct Provider *(*create)(const struct DiscoveryFactory *, const struct Indexer *, const char *id);
};
