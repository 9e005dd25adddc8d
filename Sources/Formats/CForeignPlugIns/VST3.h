// The binary interface of VST3 on Linux, in our own words: tables of functions, structures, identifiers.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "Guard.h"

// An identifier of an interface or a class: the bytes of its text, in order.
typedef struct {
  uint8_t bytes[16];
} AuricleVST3ID;

#define AURICLE_VST3_WORD(w) (uint8_t)((w) >> 24), (uint8_t)((w) >> 16), (uint8_t)((w) >> 8), (uint8_t)(w)
#define AURICLE_VST3_ID(name, a, b, c, d)                                                                   \
  static const AuricleVST3ID name = {                                                                       \
    {AURICLE_VST3_WORD(a##u), AURICLE_VST3_WORD(b##u), AURICLE_VST3_WORD(c##u), AURICLE_VST3_WORD(d##u)}}

AURICLE_VST3_ID(kVST3ID_Unknown, 0x00000000, 0x00000000, 0xC0000000, 0x00000046);
AURICLE_VST3_ID(kVST3ID_Factory, 0x7A4D811C, 0x52114A1F, 0xAED9D2EE, 0x0B43BF9F);
AURICLE_VST3_ID(kVST3ID_Factory2, 0x0007B650, 0xF24B4C0B, 0xA464EDB9, 0xF00B2ABB);
AURICLE_VST3_ID(kVST3ID_Factory3, 0x4555A2AB, 0xC1234E57, 0x9B122910, 0x36878931);
AURICLE_VST3_ID(kVST3ID_Component, 0xE831FF31, 0xF2D54301, 0x928EBBEE, 0x25697802);
AURICLE_VST3_ID(kVST3ID_Processor, 0x42043F99, 0xB7DA453C, 0xA569E79D, 0x9AAEC33D);
AURICLE_VST3_ID(kVST3ID_ContextRequirements, 0x2A654303, 0xEF764E3D, 0x95B5FE83, 0x730EF6D0);
AURICLE_VST3_ID(kVST3ID_PrefetchableSupport, 0x8AE54FDA, 0xE93046B9, 0xA28555BC, 0xDC98E21E);
AURICLE_VST3_ID(kVST3ID_Controller, 0xDCD7BBE3, 0x7742448D, 0xA874AACC, 0x979C759E);
AURICLE_VST3_ID(kVST3ID_Controller2, 0x7F4EFE59, 0xF3204967, 0xAC27A3AE, 0xAFB63038);
AURICLE_VST3_ID(kVST3ID_MIDIMapping, 0xDF0FF9F7, 0x49B74669, 0xB63AB732, 0x7ADBF5E5);
AURICLE_VST3_ID(kVST3ID_UnitInfo, 0x3D4BD6B5, 0x913A4FD2, 0xA886E768, 0xA5EB92C1);
AURICLE_VST3_ID(kVST3ID_ProgramListData, 0x8683B01F, 0x7B354F70, 0xA2651DEC, 0x353AF4FF);
AURICLE_VST3_ID(kVST3ID_UnitData, 0x6C389611, 0xD391455D, 0xB870B833, 0x94A0EFDD);
AURICLE_VST3_ID(kVST3ID_NoteExpression, 0xB7F8F859, 0x41234872, 0x91169581, 0x4F3721A3);
AURICLE_VST3_ID(kVST3ID_PhysicalMapping, 0xB03078FF, 0x94D24AC8, 0x90CCD303, 0xD4133324);
AURICLE_VST3_ID(kVST3ID_Connection, 0x70A4156F, 0x6E6E4026, 0x989148BF, 0xAA60D8D1);
AURICLE_VST3_ID(kVST3ID_HostApplication, 0x58E595CC, 0xDB2D4969, 0x8B6AAF8C, 0x36A664E5);
AURICLE_VST3_ID(kVST3ID_InterfaceSupport, 0x4FB58B9E, 0x9EAA4E0F, 0xAB361C1C, 0xCCB56FEA);
AURICLE_VST3_ID(kVST3ID_Handler, 0x93A0BEA3, 0x0BD045DB, 0x8E890B0C, 0xC1E46AC6);
AURICLE_VST3_ID(kVST3ID_Handler2, 0xF040B4B3, 0xA36045EC, 0xABCDC045, 0xB4D5A2CC);
AURICLE_VST3_ID(kVST3ID_BusActivation, 0x067D02C1, 0x5B4E274D, 0xA92D90FD, 0x6EAF7240);
AURICLE_VST3_ID(kVST3ID_Progress, 0x00C9DC5B, 0x9D904254, 0x91A388C8, 0xB4E91B69);
AURICLE_VST3_ID(kVST3ID_UnitHandler, 0x4B5147F8, 0x4654486B, 0x8DAB30BA, 0x163A3C56);
AURICLE_VST3_ID(kVST3ID_UnitHandler2, 0xF89F8CDF, 0x699E4BA5, 0x96AAC9A4, 0x81452B01);
AURICLE_VST3_ID(kVST3ID_Message, 0x936F033B, 0xC6C047DB, 0xBB0882F8, 0x13C1E613);
AURICLE_VST3_ID(kVST3ID_AttributeList, 0x1E5F0AEB, 0xCC7F4533, 0xA2544011, 0x38AD5EE4);
AURICLE_VST3_ID(kVST3ID_StreamAttributes, 0xD6CE2FFC, 0xEFAF4B8C, 0x9E74F1BB, 0x12DA44B4);
AURICLE_VST3_ID(kVST3ID_Stream, 0xC3BF6EA2, 0x30994752, 0x9B6BF990, 0x1EE33E9B);
AURICLE_VST3_ID(kVST3ID_SizeableStream, 0x04F9549E, 0xE02F4E6E, 0x87E86A87, 0x47F4E17F);
AURICLE_VST3_ID(kVST3ID_ParameterChanges, 0xA4779663, 0x0BB64A56, 0xB44384A8, 0x466FEB9D);
AURICLE_VST3_ID(kVST3ID_ValueQueue, 0x01263A18, 0xED074F6F, 0x98C9D356, 0x4686F9BA);
AURICLE_VST3_ID(kVST3ID_EventList, 0x3A2C4214, 0x346349FE, 0xB2C4F397, 0xB9695A44);
AURICLE_VST3_ID(kVST3ID_RunLoop, 0x18C35366, 0x97764F1A, 0x9C5B8385, 0x7A871389);

static inline bool auricle_vst3_same(const AuricleVST3ID* first, const void* second) {
  return second && !memcmp(first, second, sizeof *first);
}

typedef int32_t AuricleVST3Result;
enum {
  kVST3_NoInterface = -1,
  kVST3_OK = 0,
  kVST3_False = 1,
  kVST3_InvalidArgument = 2,
  kVST3_NotImplemented = 3,
  kVST3_InternalError = 4,
  kVST3_OutOfMemory = 6,
};

enum { kVST3_Audio = 0, kVST3_Event = 1 };
enum { kVST3_Input = 0, kVST3_Output = 1 };
enum { kVST3_Main = 0, kVST3_Auxiliary = 1 };
enum { kVST3_Sample32 = 0, kVST3_Sample64 = 1 };
enum { kVST3_Realtime = 0, kVST3_Offline = 2 };

// An object: the first word of it is its table, whose functions have the object as first argument. A table begins
// with the same three functions.
#define AURICLE_VST3_OBJECT(Name) \
  typedef struct Name {           \
    const struct Name##Table* table; \
  } Name
#define AURICLE_VST3_UNKNOWN(Name)                                                          \
  AuricleVST3Result (*query)(struct Name * self, const AuricleVST3ID* id, void** object); \
  uint32_t (*retain)(struct Name * self);                                                 \
  uint32_t (*release)(struct Name * self)

AURICLE_VST3_OBJECT(AuricleVST3Unknown);
typedef struct AuricleVST3UnknownTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3Unknown);
} AuricleVST3UnknownTable;

// Another interface of an object, with a reference; null without it.
static inline void* auricle_vst3_query(void* object, const AuricleVST3ID* id) {
  AuricleVST3Unknown* unknown = (AuricleVST3Unknown*)object;
  void* found = NULL;
  if (!unknown || unknown->table->query(unknown, id, &found) != kVST3_OK) return NULL;
  return found;
}

static inline void auricle_vst3_release(void* object) {
  AuricleVST3Unknown* unknown = (AuricleVST3Unknown*)object;
  if (unknown) unknown->table->release(unknown);
}

// The factory of a module.

typedef struct {
  char vendor[64], url[256], email[128];
  int32_t flags;
} AuricleVST3FactoryInfo;

typedef struct {
  AuricleVST3ID id;
  int32_t cardinality;
  char category[32], name[64];
} AuricleVST3Class;

typedef struct {
  AuricleVST3ID id;
  int32_t cardinality;
  char category[32], name[64];
  uint32_t flags;
  char sub_categories[128], vendor[64], version[64], sdk_version[64];
} AuricleVST3Class2;

typedef struct {
  AuricleVST3ID id;
  int32_t cardinality;
  char category[32];
  uint16_t name[64];
  uint32_t flags;
  char sub_categories[128];
  uint16_t vendor[64], version[64], sdk_version[64];
} AuricleVST3ClassUnicode;

// The functions of the three versions of a factory; an older one has the first of them only.
AURICLE_VST3_OBJECT(AuricleVST3Factory);
typedef struct AuricleVST3FactoryTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3Factory);
  AuricleVST3Result (*info)(AuricleVST3Factory*, AuricleVST3FactoryInfo* info);
  int32_t (*count)(AuricleVST3Factory*);
  AuricleVST3Result (*class_info)(AuricleVST3Factory*, int32_t index, AuricleVST3Class* info);
  AuricleVST3Result (*make)(
    AuricleVST3Factory*, const AuricleVST3ID* class_id, const AuricleVST3ID* id, void** object);
  AuricleVST3Result (*class_info2)(AuricleVST3Factory*, int32_t index, AuricleVST3Class2* info);
  AuricleVST3Result (*class_info_unicode)(AuricleVST3Factory*, int32_t index, AuricleVST3ClassUnicode* info);
  AuricleVST3Result (*set_context)(AuricleVST3Factory*, void* context);
} AuricleVST3FactoryTable;

// Streams, of the host.

AURICLE_VST3_OBJECT(AuricleVST3Stream);
typedef struct AuricleVST3StreamTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3Stream);
  AuricleVST3Result (*read)(AuricleVST3Stream*, void* bytes, int32_t count, int32_t* got);
  AuricleVST3Result (*write)(AuricleVST3Stream*, const void* bytes, int32_t count, int32_t* put);
  AuricleVST3Result (*seek)(AuricleVST3Stream*, int64_t position, int32_t mode, int64_t* result);
  AuricleVST3Result (*position)(AuricleVST3Stream*, int64_t* position);
} AuricleVST3StreamTable;

// The component, which processes. [main-thread] where nothing else is marked.

enum { kVST3Bus_DefaultActive = 1 };
typedef struct {
  int32_t media, direction, channel_count;
  uint16_t name[128];
  int32_t type;
  uint32_t flags;
} AuricleVST3Bus;

AURICLE_VST3_OBJECT(AuricleVST3Component);
typedef struct AuricleVST3ComponentTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3Component);
  AuricleVST3Result (*initialise)(AuricleVST3Component*, void* context);
  AuricleVST3Result (*terminate)(AuricleVST3Component*);
  AuricleVST3Result (*controller_class)(AuricleVST3Component*, AuricleVST3ID* id);
  AuricleVST3Result (*set_io_mode)(AuricleVST3Component*, int32_t mode);
  int32_t (*bus_count)(AuricleVST3Component*, int32_t media, int32_t direction);
  AuricleVST3Result (*bus_info)(
    AuricleVST3Component*, int32_t media, int32_t direction, int32_t index, AuricleVST3Bus* bus);
  AuricleVST3Result (*routing)(AuricleVST3Component*, void* input, void* output);
  AuricleVST3Result (*activate_bus)(
    AuricleVST3Component*, int32_t media, int32_t direction, int32_t index, uint8_t state);
  AuricleVST3Result (*set_active)(AuricleVST3Component*, uint8_t state);
  AuricleVST3Result (*set_state)(AuricleVST3Component*, AuricleVST3Stream* stream);
  AuricleVST3Result (*get_state)(AuricleVST3Component*, AuricleVST3Stream* stream);
} AuricleVST3ComponentTable;

typedef struct {
  int32_t mode, sample_size, maximum_frames;
  double sample_rate;
} AuricleVST3Setup;

typedef struct {
  int32_t channel_count;
  uint64_t silence;
  void** channels;  // Samples of float or double.
} AuricleVST3Buffers;

enum {
  kVST3Context_Playing = 1 << 1,
  kVST3Context_Cycle = 1 << 2,
  kVST3Context_Recording = 1 << 3,
  kVST3Context_SystemTime = 1 << 8,
  kVST3Context_Music = 1 << 9,
  kVST3Context_Tempo = 1 << 10,
  kVST3Context_Bar = 1 << 11,
  kVST3Context_CycleBounds = 1 << 12,
  kVST3Context_Signature = 1 << 13,
  kVST3Context_Continuous = 1 << 17,
};
// The parts of the context that a plug-in asks for.
enum {
  kVST3Needs_SystemTime = 1,
  kVST3Needs_Music = 4,
  kVST3Needs_Bar = 8,
  kVST3Needs_Cycle = 16,
  kVST3Needs_Tempo = 64,
  kVST3Needs_Signature = 128,
  kVST3Needs_Transport = 1024,
};
typedef struct {
  uint32_t state;
  double sample_rate;
  int64_t project_samples, system_time, continuous_samples;
  double music, bar, cycle_start, cycle_end, tempo;
  int32_t numerator, denominator;
  struct {
    uint8_t key, root;
    int16_t mask;
  } chord;
  int32_t smpte_offset;
  struct {
    uint32_t frames_per_second, flags;
  } frame_rate;
  int32_t samples_to_clock;
} AuricleVST3Context;

enum {
  kVST3Event_NoteOn = 0,
  kVST3Event_NoteOff = 1,
  kVST3Event_Data = 2,
  kVST3Event_PolyPressure = 3,
  kVST3Event_NoteExpression = 4,
  kVST3Event_LegacyCC = 65535,
};
enum { kVST3Event_IsLive = 1 };
typedef struct {
  int32_t bus, offset;
  double music;
  uint16_t flags, type;
  union {
    struct {
      int16_t channel, pitch;
      float tuning, velocity;
      int32_t length, note_id;
    } on;
    struct {
      int16_t channel, pitch;
      float velocity;
      int32_t note_id;
      float tuning;
    } off;
    struct {
      uint32_t size, type;
      const uint8_t* bytes;
    } data;
    struct {
      int16_t channel, pitch;
      float pressure;
      int32_t note_id;
    } pressure;
    struct {
      uint32_t type;
      int32_t note_id;
      double value;
    } expression;
    struct {
      uint8_t controller;
      int8_t channel, value, value2;
    } legacy;
    uint64_t words[3];
  };
} AuricleVST3Event;

// Lists of one slice, of the host. [audio-thread]

AURICLE_VST3_OBJECT(AuricleVST3EventList);
typedef struct AuricleVST3EventListTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3EventList);
  int32_t (*count)(AuricleVST3EventList*);
  AuricleVST3Result (*get)(AuricleVST3EventList*, int32_t index, AuricleVST3Event* event);
  AuricleVST3Result (*add)(AuricleVST3EventList*, AuricleVST3Event* event);
} AuricleVST3EventListTable;

AURICLE_VST3_OBJECT(AuricleVST3Queue);
typedef struct AuricleVST3QueueTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3Queue);
  uint32_t (*parameter)(AuricleVST3Queue*);
  int32_t (*count)(AuricleVST3Queue*);
  AuricleVST3Result (*get)(AuricleVST3Queue*, int32_t index, int32_t* offset, double* value);
  AuricleVST3Result (*add)(AuricleVST3Queue*, int32_t offset, double value, int32_t* index);
} AuricleVST3QueueTable;

AURICLE_VST3_OBJECT(AuricleVST3Changes);
typedef struct AuricleVST3ChangesTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3Changes);
  int32_t (*count)(AuricleVST3Changes*);
  AuricleVST3Queue* (*get)(AuricleVST3Changes*, int32_t index);
  AuricleVST3Queue* (*add)(AuricleVST3Changes*, const uint32_t* parameter, int32_t* index);
} AuricleVST3ChangesTable;

typedef struct {
  int32_t mode, sample_size, frame_count, input_count, output_count;
  AuricleVST3Buffers *inputs, *outputs;
  AuricleVST3Changes *input_changes, *output_changes;
  AuricleVST3EventList *input_events, *output_events;
  AuricleVST3Context* context;
} AuricleVST3Process;

AURICLE_VST3_OBJECT(AuricleVST3Processor);
typedef struct AuricleVST3ProcessorTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3Processor);
  AuricleVST3Result (*set_arrangements)(
    AuricleVST3Processor*, uint64_t* inputs, int32_t input_count, uint64_t* outputs, int32_t output_count);
  AuricleVST3Result (*arrangement)(
    AuricleVST3Processor*, int32_t direction, int32_t index, uint64_t* arrangement);
  AuricleVST3Result (*can_process)(AuricleVST3Processor*, int32_t sample_size);
  uint32_t (*latency)(AuricleVST3Processor*);
  AuricleVST3Result (*set_up)(AuricleVST3Processor*, AuricleVST3Setup* setup);
  AuricleVST3Result (*set_processing)(AuricleVST3Processor*, uint8_t state);
  AuricleVST3Result (*process)(AuricleVST3Processor*, AuricleVST3Process* data);  // [audio-thread]
  uint32_t (*tail)(AuricleVST3Processor*);
} AuricleVST3ProcessorTable;
enum { kVST3_InfiniteTail = 0xFFFFFFFFu };

AURICLE_VST3_OBJECT(AuricleVST3Requirements);
typedef struct AuricleVST3RequirementsTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3Requirements);
  uint32_t (*get)(AuricleVST3Requirements*);
} AuricleVST3RequirementsTable;

// The controller, which describes. [main-thread]

enum {
  kVST3Parameter_CanAutomate = 1,
  kVST3Parameter_ReadOnly = 2,
  kVST3Parameter_WrapsAround = 4,
  kVST3Parameter_List = 8,
  kVST3Parameter_Hidden = 16,
  kVST3Parameter_ProgramChange = 1 << 15,
  kVST3Parameter_Bypass = 1 << 16,
};
typedef struct {
  uint32_t id;
  uint16_t title[128], short_title[128], units[128];
  int32_t step_count;
  double default_value;
  int32_t unit_id, flags;
} AuricleVST3Parameter;

AURICLE_VST3_OBJECT(AuricleVST3Controller);
typedef struct AuricleVST3ControllerTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3Controller);
  AuricleVST3Result (*initialise)(AuricleVST3Controller*, void* context);
  AuricleVST3Result (*terminate)(AuricleVST3Controller*);
  AuricleVST3Result (*set_component_state)(AuricleVST3Controller*, AuricleVST3Stream* stream);
  AuricleVST3Result (*set_state)(AuricleVST3Controller*, AuricleVST3Stream* stream);
  AuricleVST3Result (*get_state)(AuricleVST3Controller*, AuricleVST3Stream* stream);
  int32_t (*parameter_count)(AuricleVST3Controller*);
  AuricleVST3Result (*parameter_info)(AuricleVST3Controller*, int32_t index, AuricleVST3Parameter* info);
  AuricleVST3Result (*text_of_value)(AuricleVST3Controller*, uint32_t id, double value, uint16_t* text);
  AuricleVST3Result (*value_of_text)(AuricleVST3Controller*, uint32_t id, uint16_t* text, double* value);
  double (*plain)(AuricleVST3Controller*, uint32_t id, double value);
  double (*normalised)(AuricleVST3Controller*, uint32_t id, double plain);
  double (*value)(AuricleVST3Controller*, uint32_t id);
  AuricleVST3Result (*set_value)(AuricleVST3Controller*, uint32_t id, double value);
  AuricleVST3Result (*set_handler)(AuricleVST3Controller*, void* handler);
  void* (*make_view)(AuricleVST3Controller*, const char* name);
} AuricleVST3ControllerTable;

AURICLE_VST3_OBJECT(AuricleVST3Controller2);
typedef struct AuricleVST3Controller2Table {
  AURICLE_VST3_UNKNOWN(AuricleVST3Controller2);
  AuricleVST3Result (*set_knob_mode)(AuricleVST3Controller2*, int32_t mode);
  AuricleVST3Result (*open_help)(AuricleVST3Controller2*, uint8_t only_check);
  AuricleVST3Result (*open_about_box)(AuricleVST3Controller2*, uint8_t only_check);
} AuricleVST3Controller2Table;

enum { kVST3Controller_Pressure = 128, kVST3Controller_Bend = 129, kVST3Controller_Count = 130 };
AURICLE_VST3_OBJECT(AuricleVST3Mapping);
typedef struct AuricleVST3MappingTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3Mapping);
  AuricleVST3Result (*assignment)(
    AuricleVST3Mapping*, int32_t bus, int16_t channel, int16_t controller, uint32_t* parameter);
} AuricleVST3MappingTable;

typedef struct {
  int32_t id, parent;
  uint16_t name[128];
  int32_t program_list;
} AuricleVST3Unit;

typedef struct {
  int32_t id;
  uint16_t name[128];
  int32_t program_count;
} AuricleVST3ProgramList;

AURICLE_VST3_OBJECT(AuricleVST3UnitInfo);
typedef struct AuricleVST3UnitInfoTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3UnitInfo);
  int32_t (*unit_count)(AuricleVST3UnitInfo*);
  AuricleVST3Result (*unit)(AuricleVST3UnitInfo*, int32_t index, AuricleVST3Unit* unit);
  int32_t (*list_count)(AuricleVST3UnitInfo*);
  AuricleVST3Result (*list)(AuricleVST3UnitInfo*, int32_t index, AuricleVST3ProgramList* list);
  AuricleVST3Result (*program_name)(AuricleVST3UnitInfo*, int32_t list, int32_t program, uint16_t* name);
  AuricleVST3Result (*program_info)(
    AuricleVST3UnitInfo*, int32_t list, int32_t program, const char* attribute, uint16_t* value);
  AuricleVST3Result (*has_pitch_names)(AuricleVST3UnitInfo*, int32_t list, int32_t program);
  AuricleVST3Result (*pitch_name)(
    AuricleVST3UnitInfo*, int32_t list, int32_t program, int16_t pitch, uint16_t* name);
  int32_t (*selected_unit)(AuricleVST3UnitInfo*);
  AuricleVST3Result (*select_unit)(AuricleVST3UnitInfo*, int32_t unit);
  AuricleVST3Result (*unit_by_bus)(
    AuricleVST3UnitInfo*, int32_t media, int32_t direction, int32_t bus, int32_t channel, int32_t* unit);
  AuricleVST3Result (*set_program_data)(
    AuricleVST3UnitInfo*, int32_t list_or_unit, int32_t program, AuricleVST3Stream* stream);
} AuricleVST3UnitInfoTable;

// Data of a program, by its list; the same three functions have those of a unit, without the program.
AURICLE_VST3_OBJECT(AuricleVST3ProgramData);
typedef struct AuricleVST3ProgramDataTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3ProgramData);
  AuricleVST3Result (*supports)(AuricleVST3ProgramData*, int32_t list);
  AuricleVST3Result (*get)(AuricleVST3ProgramData*, int32_t list, int32_t program, AuricleVST3Stream* stream);
  AuricleVST3Result (*set)(AuricleVST3ProgramData*, int32_t list, int32_t program, AuricleVST3Stream* stream);
} AuricleVST3ProgramDataTable;

enum { kVST3Expression_Volume = 0, kVST3Expression_Pan = 1, kVST3Expression_Tuning = 2, kVST3Expression_Brightness = 5 };
typedef struct {
  uint32_t type;
  uint16_t title[128], short_title[128], units[128];
  int32_t unit_id;
  struct {
    double initial, minimum, maximum;
    int32_t step_count;
  } value;
  uint32_t parameter;
  int32_t flags;
} AuricleVST3ExpressionType;

AURICLE_VST3_OBJECT(AuricleVST3Expression);
typedef struct AuricleVST3ExpressionTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3Expression);
  int32_t (*count)(AuricleVST3Expression*, int32_t bus, int16_t channel);
  AuricleVST3Result (*info)(
    AuricleVST3Expression*, int32_t bus, int16_t channel, int32_t index, AuricleVST3ExpressionType* info);
} AuricleVST3ExpressionTable;

enum { kVST3Physical_Vertical = 1, kVST3Physical_Pressure = 2 };
typedef struct {
  uint32_t control, expression;
} AuricleVST3PhysicalMap;
typedef struct {
  uint32_t count;
  AuricleVST3PhysicalMap* maps;
} AuricleVST3PhysicalMaps;
AURICLE_VST3_OBJECT(AuricleVST3Physical);
typedef struct AuricleVST3PhysicalTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3Physical);
  AuricleVST3Result (*mapping)(AuricleVST3Physical*, int32_t bus, int16_t channel, AuricleVST3PhysicalMaps* maps);
} AuricleVST3PhysicalTable;

// Messages between the two halves of a plug-in. Attributes, messages: of the host.

AURICLE_VST3_OBJECT(AuricleVST3Attributes);
typedef struct AuricleVST3AttributesTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3Attributes);
  AuricleVST3Result (*set_integer)(AuricleVST3Attributes*, const char* id, int64_t value);
  AuricleVST3Result (*get_integer)(AuricleVST3Attributes*, const char* id, int64_t* value);
  AuricleVST3Result (*set_number)(AuricleVST3Attributes*, const char* id, double value);
  AuricleVST3Result (*get_number)(AuricleVST3Attributes*, const char* id, double* value);
  AuricleVST3Result (*set_text)(AuricleVST3Attributes*, const char* id, const uint16_t* text);
  AuricleVST3Result (*get_text)(AuricleVST3Attributes*, const char* id, uint16_t* text, uint32_t byte_count);
  AuricleVST3Result (*set_data)(AuricleVST3Attributes*, const char* id, const void* data, uint32_t byte_count);
  AuricleVST3Result (*get_data)(
    AuricleVST3Attributes*, const char* id, const void** data, uint32_t* byte_count);
} AuricleVST3AttributesTable;

AURICLE_VST3_OBJECT(AuricleVST3Message);
typedef struct AuricleVST3MessageTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3Message);
  const char* (*id)(AuricleVST3Message*);
  void (*set_id)(AuricleVST3Message*, const char* id);
  AuricleVST3Attributes* (*attributes)(AuricleVST3Message*);  // Without a reference.
} AuricleVST3MessageTable;

AURICLE_VST3_OBJECT(AuricleVST3Connection);
typedef struct AuricleVST3ConnectionTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3Connection);
  AuricleVST3Result (*connect)(AuricleVST3Connection*, AuricleVST3Connection* other);
  AuricleVST3Result (*disconnect)(AuricleVST3Connection*, AuricleVST3Connection* other);
  AuricleVST3Result (*notify)(AuricleVST3Connection*, AuricleVST3Message* message);
} AuricleVST3ConnectionTable;

// Handlers of a plug-in that the host's run loop calls. [main-thread]

AURICLE_VST3_OBJECT(AuricleVST3FileListener);
typedef struct AuricleVST3FileListenerTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3FileListener);
  void (*is_ready)(AuricleVST3FileListener*, int descriptor);
} AuricleVST3FileListenerTable;

AURICLE_VST3_OBJECT(AuricleVST3TimerListener);
typedef struct AuricleVST3TimerListenerTable {
  AURICLE_VST3_UNKNOWN(AuricleVST3TimerListener);
  void (*is_due)(AuricleVST3TimerListener*);
} AuricleVST3TimerListenerTable;

// Flags by which a plug-in asks for a restart.
enum {
  kVST3Restart_Reload = 1,
  kVST3Restart_Buses = 2,
  kVST3Restart_Values = 4,
  kVST3Restart_Latency = 8,
  kVST3Restart_Titles = 16,
  kVST3Restart_Assignments = 32,
  kVST3Restart_Expressions = 64,
  kVST3Restart_All = 4095,
};

// The three functions that a module exports; null for one that is missing.

typedef bool (*AuricleVST3Enter)(void* library);
typedef bool (*AuricleVST3Leave)(void);
typedef AuricleVST3Factory* (*AuricleVST3GetFactory)(void);

typedef struct {
  AuricleVST3Enter enter;
  AuricleVST3Leave leave;
  AuricleVST3GetFactory get_factory;
} AuricleVST3Module;

// dlsym returns an untyped pointer; C may make a function of it.
static inline AuricleVST3Module auricle_vst3_module(void* library) {
  AuricleVST3Module module;
  module.enter = (AuricleVST3Enter)(uintptr_t)dlsym(library, "ModuleEntry");
  module.leave = (AuricleVST3Leave)(uintptr_t)dlsym(library, "ModuleExit");
  module.get_factory = (AuricleVST3GetFactory)(uintptr_t)dlsym(library, "GetPluginFactory");
  return module;
}

_Static_assert(sizeof(AuricleVST3FactoryInfo) == 452 && sizeof(AuricleVST3Class) == 116, "classes");
_Static_assert(sizeof(AuricleVST3Class2) == 440 && sizeof(AuricleVST3ClassUnicode) == 696, "classes");
_Static_assert(sizeof(AuricleVST3Bus) == 276 && sizeof(AuricleVST3Parameter) == 792, "buses and parameters");
_Static_assert(sizeof(AuricleVST3Unit) == 268 && sizeof(AuricleVST3ProgramList) == 264, "units");
_Static_assert(sizeof(AuricleVST3Setup) == 24 && sizeof(AuricleVST3Buffers) == 24, "buffers");
_Static_assert(sizeof(AuricleVST3Process) == 80 && sizeof(AuricleVST3Context) == 112, "slices");
_Static_assert(sizeof(AuricleVST3Event) == 48 && sizeof(AuricleVST3ExpressionType) == 816, "events");
