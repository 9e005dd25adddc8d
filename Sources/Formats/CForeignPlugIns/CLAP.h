// The binary interface of CLAP 1.2, in our own words.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint32_t major, minor, revision;
} AuricleCLAPVersion;

typedef struct {
  AuricleCLAPVersion version;
  const char *id, *name, *vendor, *url, *manual_url, *support_url, *plugin_version, *description;
  const char* const* features;
} AuricleCLAPDescriptor;

// The host, as a plug-in has it. [thread-safe]
typedef struct AuricleCLAPHost {
  AuricleCLAPVersion version;
  void* data;
  const char *name, *vendor, *url, *host_version;
  const void* (*get_extension)(const struct AuricleCLAPHost* host, const char* id);
  void (*request_restart)(const struct AuricleCLAPHost* host);
  void (*request_process)(const struct AuricleCLAPHost* host);
  void (*request_callback)(const struct AuricleCLAPHost* host);
} AuricleCLAPHost;

typedef struct {
  float** data32;
  double** data64;
  uint32_t channel_count;
  uint32_t latency;
  uint64_t constant_mask;
} AuricleCLAPBuffer;

typedef struct {
  uint32_t size;
  uint32_t time;
  uint16_t space;
  uint16_t type;
  uint32_t flags;
} AuricleCLAPEvent;

// A bit of an event's flags: a person plays or turns something.
enum { kCLAPEvent_IsLive = 1 };

enum {
  kCLAPEvent_NoteOn = 0,
  kCLAPEvent_NoteOff = 1,
  kCLAPEvent_NoteChoke = 2,
  kCLAPEvent_NoteExpression = 4,
  kCLAPEvent_ParameterValue = 5,
  kCLAPEvent_ParameterModulation = 6,
  kCLAPEvent_GestureBegin = 7,
  kCLAPEvent_GestureEnd = 8,
  kCLAPEvent_Transport = 9,
  kCLAPEvent_MIDI = 10,
  kCLAPEvent_SystemExclusive = 11,
};

typedef struct {
  AuricleCLAPEvent header;
  int32_t note_id;
  int16_t port, channel, key;
  double velocity;
} AuricleCLAPNote;

typedef struct {
  AuricleCLAPEvent header;
  uint32_t parameter;
  void* cookie;
  int32_t note_id;
  int16_t port, channel, key;
  double value;
} AuricleCLAPValue;

// Expressions of notes.
enum {
  kCLAPExpression_Volume = 0,
  kCLAPExpression_Pan = 1,
  kCLAPExpression_Tuning = 2,
  kCLAPExpression_Vibrato = 3,
  kCLAPExpression_Expression = 4,
  kCLAPExpression_Brightness = 5,
  kCLAPExpression_Pressure = 6,
};

typedef struct {
  AuricleCLAPEvent header;
  int32_t expression;
  int32_t note_id;
  int16_t port, channel, key;
  double value;
} AuricleCLAPExpression;

typedef struct {
  AuricleCLAPEvent header;
  uint16_t port;
  uint8_t bytes[3];
} AuricleCLAPMIDI;

typedef struct {
  AuricleCLAPEvent header;
  uint16_t port;
  const uint8_t* bytes;
  uint32_t byte_count;
} AuricleCLAPSystemExclusive;

// Times of beats and seconds are whole numbers: this many are one.
#define kCLAPTimeFactor 2147483648.0

enum {
  kCLAPTransport_HasTempo = 1,
  kCLAPTransport_HasBeats = 2,
  kCLAPTransport_HasSeconds = 4,
  kCLAPTransport_HasSignature = 8,
  kCLAPTransport_IsPlaying = 16,
  kCLAPTransport_IsRecording = 32,
  kCLAPTransport_IsLooping = 64,
};

typedef struct {
  AuricleCLAPEvent header;
  uint32_t flags;
  int64_t beats, seconds;
  double tempo, tempo_increment;
  int64_t loop_start_beats, loop_end_beats, loop_start_seconds, loop_end_seconds;
  int64_t bar_start;
  int32_t bar_number;
  uint16_t numerator, denominator;
} AuricleCLAPTransport;

typedef struct AuricleCLAPInput {
  void* context;
  uint32_t (*size)(const struct AuricleCLAPInput* list);
  const AuricleCLAPEvent* (*get)(const struct AuricleCLAPInput* list, uint32_t index);
} AuricleCLAPInput;

typedef struct AuricleCLAPOutput {
  void* context;
  bool (*try_push)(const struct AuricleCLAPOutput* list, const AuricleCLAPEvent* event);
} AuricleCLAPOutput;

typedef struct {
  int64_t steady_time;
  uint32_t frame_count;
  const void* transport;
  const AuricleCLAPBuffer* inputs;
  AuricleCLAPBuffer* outputs;
  uint32_t input_count, output_count;
  const AuricleCLAPInput* events_in;
  const AuricleCLAPOutput* events_out;
} AuricleCLAPProcess;

typedef struct AuricleCLAPPlugin {
  const AuricleCLAPDescriptor* descriptor;
  void* data;
  bool (*initialise)(const struct AuricleCLAPPlugin*);                                      // [main-thread]
  void (*destroy)(const struct AuricleCLAPPlugin*);                                         // [main-thread & !active]
  bool (*activate)(const struct AuricleCLAPPlugin*, double rate, uint32_t least, uint32_t most);  // [main-thread & !active]
  void (*deactivate)(const struct AuricleCLAPPlugin*);                                      // [main-thread & active]
  bool (*start_processing)(const struct AuricleCLAPPlugin*);                                // [audio-thread & active]
  void (*stop_processing)(const struct AuricleCLAPPlugin*);                                 // [audio-thread & processing]
  void (*reset)(const struct AuricleCLAPPlugin*);                                           // [audio-thread & active]
  int32_t (*process)(const struct AuricleCLAPPlugin*, const AuricleCLAPProcess*);           // [audio-thread & processing]
  const void* (*get_extension)(const struct AuricleCLAPPlugin*, const char* id);            // [thread-safe]
  void (*on_main_thread)(const struct AuricleCLAPPlugin*);                                  // [main-thread]
} AuricleCLAPPlugin;

typedef struct AuricleCLAPFactory {
  uint32_t (*count)(const struct AuricleCLAPFactory*);
  const AuricleCLAPDescriptor* (*descriptor)(const struct AuricleCLAPFactory*, uint32_t index);
  const AuricleCLAPPlugin* (*create)(const struct AuricleCLAPFactory*, const AuricleCLAPHost*, const char* id);
} AuricleCLAPFactory;

// The symbol `clap_entry` of a file.
typedef struct {
  AuricleCLAPVersion version;
  bool (*start)(const char* path);
  void (*end)(void);
  const void* (*get_factory)(const char* id);
} AuricleCLAPEntry;

typedef struct {
  uint32_t id;
  char name[256];
  uint32_t flags;
  uint32_t channel_count;
  const char* port_type;
  uint32_t in_place_pair;
} AuricleCLAPAudioPort;

typedef struct {
  uint32_t (*count)(const AuricleCLAPPlugin*, bool is_input);
  bool (*get)(const AuricleCLAPPlugin*, uint32_t index, bool is_input, AuricleCLAPAudioPort* port);
} AuricleCLAPAudioPorts;

// One of the layouts of ports that a plug-in offers.
typedef struct {
  uint32_t id;
  char name[256];
  uint32_t input_count, output_count;
  bool has_main_input;
  uint32_t main_input_channel_count;
  const char* main_input_type;
  bool has_main_output;
  uint32_t main_output_channel_count;
  const char* main_output_type;
} AuricleCLAPConfiguration;

typedef struct {
  uint32_t (*count)(const AuricleCLAPPlugin*);
  bool (*get)(const AuricleCLAPPlugin*, uint32_t index, AuricleCLAPConfiguration*);
  bool (*select)(const AuricleCLAPPlugin*, uint32_t id);  // [main-thread & !active]
} AuricleCLAPConfigurations;

typedef struct {
  bool (*can_activate_while_processing)(const AuricleCLAPPlugin*);
  bool (*set_active)(const AuricleCLAPPlugin*, bool is_input, uint32_t port, bool is_active, uint32_t sample_size);
} AuricleCLAPPortActivation;

typedef struct {
  bool (*is_mask_supported)(const AuricleCLAPPlugin*, uint64_t mask);
  uint32_t (*get_map)(const AuricleCLAPPlugin*, bool is_input, uint32_t port, uint8_t* map, uint32_t capacity);
} AuricleCLAPSurround;

typedef struct {
  uint32_t ordering, normalization;
} AuricleCLAPAmbisonicForm;

typedef struct {
  bool (*is_supported)(const AuricleCLAPPlugin*, const AuricleCLAPAmbisonicForm*);
  bool (*get)(const AuricleCLAPPlugin*, bool is_input, uint32_t port, AuricleCLAPAmbisonicForm*);
} AuricleCLAPAmbisonic;

enum { kCLAPDialect_CLAP = 1, kCLAPDialect_MIDI = 2, kCLAPPort_None = 0xFFFFFFFF, kCLAPPort_Main = 1 };

typedef struct {
  uint32_t id;
  uint32_t supported;
  uint32_t preferred;
  char name[256];
} AuricleCLAPNotePort;

typedef struct {
  uint32_t (*count)(const AuricleCLAPPlugin*, bool is_input);
  bool (*get)(const AuricleCLAPPlugin*, uint32_t index, bool is_input, AuricleCLAPNotePort* port);
} AuricleCLAPNotePorts;

enum {
  kCLAPParameter_Stepped = 1,
  kCLAPParameter_Periodic = 2,
  kCLAPParameter_Hidden = 4,
  kCLAPParameter_ReadOnly = 8,
  kCLAPParameter_Bypass = 16,
  kCLAPParameter_Automatable = 32,
  kCLAPParameter_Modulatable = 1 << 10,
  kCLAPParameter_Enumeration = 1 << 16,
};

typedef struct {
  uint32_t id;
  uint32_t flags;
  void* cookie;
  char name[256];
  char module[1024];
  double minimum, maximum, default_value;
} AuricleCLAPParameter;

typedef struct {
  uint32_t (*count)(const AuricleCLAPPlugin*);
  bool (*get_info)(const AuricleCLAPPlugin*, uint32_t index, AuricleCLAPParameter* info);
  bool (*get_value)(const AuricleCLAPPlugin*, uint32_t id, double* value);
  bool (*value_to_text)(const AuricleCLAPPlugin*, uint32_t id, double value, char* text, uint32_t size);
  bool (*text_to_value)(const AuricleCLAPPlugin*, uint32_t id, const char* text, double* value);
  void (*flush)(const AuricleCLAPPlugin*, const AuricleCLAPInput*, const AuricleCLAPOutput*);
} AuricleCLAPParameters;

typedef struct AuricleCLAPReadStream {
  void* context;
  int64_t (*read)(const struct AuricleCLAPReadStream*, void* bytes, uint64_t count);
} AuricleCLAPReadStream;

typedef struct AuricleCLAPWriteStream {
  void* context;
  int64_t (*write)(const struct AuricleCLAPWriteStream*, const void* bytes, uint64_t count);
} AuricleCLAPWriteStream;

typedef struct {
  bool (*save)(const AuricleCLAPPlugin*, const AuricleCLAPWriteStream*);
  bool (*load)(const AuricleCLAPPlugin*, const AuricleCLAPReadStream*);
} AuricleCLAPState;

typedef struct {
  uint32_t (*get)(const AuricleCLAPPlugin*);
} AuricleCLAPFrames;

typedef struct {
  bool (*has_hard_realtime_requirement)(const AuricleCLAPPlugin*);
  bool (*set)(const AuricleCLAPPlugin*, int32_t mode);
} AuricleCLAPRender;

typedef struct {
  bool (*save)(const AuricleCLAPPlugin*, const AuricleCLAPWriteStream*, uint32_t context);
  bool (*load)(const AuricleCLAPPlugin*, const AuricleCLAPReadStream*, uint32_t context);
} AuricleCLAPStateContext;

enum { kCLAPStateContext_Preset = 1, kCLAPStateContext_Duplicate = 2, kCLAPStateContext_Project = 3 };

typedef struct {
  char name[256];
  int16_t port, key, channel;
} AuricleCLAPNoteName;

typedef struct {
  uint32_t (*count)(const AuricleCLAPPlugin*);
  bool (*get)(const AuricleCLAPPlugin*, uint32_t index, AuricleCLAPNoteName*);
} AuricleCLAPNoteNames;

typedef struct {
  uint32_t count, capacity;
  uint64_t flags;
} AuricleCLAPVoices;

typedef struct {
  bool (*get)(const AuricleCLAPPlugin*, AuricleCLAPVoices*);  // [main-thread & active]
} AuricleCLAPVoiceInfo;

typedef struct {
  void (*exec)(const AuricleCLAPPlugin*, uint32_t task);
} AuricleCLAPThreadPool;

typedef struct {
  void (*on_timer)(const AuricleCLAPPlugin*, uint32_t id);  // [main-thread]
} AuricleCLAPTimers;

enum { kCLAPDescriptor_Read = 1, kCLAPDescriptor_Write = 2, kCLAPDescriptor_Error = 4 };
typedef struct {
  void (*on_descriptor)(const AuricleCLAPPlugin*, int descriptor, uint32_t flags);  // [main-thread]
} AuricleCLAPDescriptors;

// Presets: their places, and their descriptions by a provider.

enum { kCLAPLocation_File = 0, kCLAPLocation_PlugIn = 1 };

typedef struct {
  bool (*load)(const AuricleCLAPPlugin*, uint32_t kind, const char* location, const char* key);  // [main-thread]
} AuricleCLAPPresetLoading;

typedef struct {
  const char *abi, *id;
} AuricleCLAPUniversalID;

typedef struct AuricleCLAPReceiver {
  void* context;
  void (*on_error)(const struct AuricleCLAPReceiver*, int32_t code, const char* message);
  bool (*begin_preset)(const struct AuricleCLAPReceiver*, const char* name, const char* key);
  void (*add_plugin_id)(const struct AuricleCLAPReceiver*, const AuricleCLAPUniversalID*);
  void (*set_soundpack_id)(const struct AuricleCLAPReceiver*, const char* id);
  void (*set_flags)(const struct AuricleCLAPReceiver*, uint32_t flags);
  void (*add_creator)(const struct AuricleCLAPReceiver*, const char* creator);
  void (*set_description)(const struct AuricleCLAPReceiver*, const char* text);
  void (*set_timestamps)(const struct AuricleCLAPReceiver*, uint64_t made, uint64_t changed);
  void (*add_feature)(const struct AuricleCLAPReceiver*, const char* feature);
  void (*add_extra_info)(const struct AuricleCLAPReceiver*, const char* key, const char* value);
} AuricleCLAPReceiver;

typedef struct {
  const char *name, *description, *ending;
} AuricleCLAPFileType;

typedef struct {
  uint32_t flags;
  const char* name;
  uint32_t kind;
  const char* location;
} AuricleCLAPLocation;

typedef struct AuricleCLAPIndexer {
  AuricleCLAPVersion version;
  const char *name, *vendor, *url, *host_version;
  void* context;
  bool (*declare_file_type)(const struct AuricleCLAPIndexer*, const AuricleCLAPFileType*);
  bool (*declare_location)(const struct AuricleCLAPIndexer*, const AuricleCLAPLocation*);
  bool (*declare_soundpack)(const struct AuricleCLAPIndexer*, const void* soundpack);
  const void* (*get_extension)(const struct AuricleCLAPIndexer*, const char* id);
} AuricleCLAPIndexer;

typedef struct {
  AuricleCLAPVersion version;
  const char *id, *name, *vendor;
} AuricleCLAPProviderDescriptor;

typedef struct AuricleCLAPProvider {
  const AuricleCLAPProviderDescriptor* descriptor;
  void* data;
  bool (*initialise)(const struct AuricleCLAPProvider*);
  void (*destroy)(const struct AuricleCLAPProvider*);
  bool (*get_metadata)(
    const struct AuricleCLAPProvider*, uint32_t kind, const char* location, const AuricleCLAPReceiver*);
  const void* (*get_extension)(const struct AuricleCLAPProvider*, const char* id);
} AuricleCLAPProvider;

typedef struct AuricleCLAPDiscoveryFactory {
  uint32_t (*count)(const struct AuricleCLAPDiscoveryFactory*);
  const AuricleCLAPProviderDescriptor* (*descriptor)(const struct AuricleCLAPDiscoveryFactory*, uint32_t index);
  const AuricleCLAPProvider* (*create)(
    const struct AuricleCLAPDiscoveryFactory*, const AuricleCLAPIndexer*, const char* id);
} AuricleCLAPDiscoveryFactory;

// Places on which a file of plug-ins depends: another file there may change its plug-ins.

typedef struct {
  const char *folder, *pattern;
  bool is_deep;
} AuricleCLAPSource;

typedef struct AuricleCLAPInvalidationFactory {
  uint32_t (*count)(const struct AuricleCLAPInvalidationFactory*);
  const AuricleCLAPSource* (*get)(const struct AuricleCLAPInvalidationFactory*, uint32_t index);
  bool (*refresh)(const struct AuricleCLAPInvalidationFactory*);
} AuricleCLAPInvalidationFactory;
