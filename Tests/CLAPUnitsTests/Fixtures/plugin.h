// The tables of CLAP as the tests' plug-ins have them; they are not the host's.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { uint32_t a, b, c; } Version;
typedef struct {
  Version version;
  const char *id, *name, *vendor, *url, *manual, *support, *release, *text;
  const char* const* features;
} Descriptor;
typedef struct Host {
  Version version;
  void* data;
  const char *name, *vendor, *url, *release;
  const void* (*extension)(const struct Host*, const char*);
  void (*restart)(const struct Host*);
  void (*process)(const struct Host*);
  void (*callback)(const struct Host*);
} Host;
typedef struct { float** floats; double** doubles; uint32_t channels, latency; uint64_t constant; } Buffer;
typedef struct { uint32_t size, time; uint16_t space, type; uint32_t flags; } Header;
typedef struct { Header header; int32_t id; int16_t port, channel, key; double velocity; } Note;
typedef struct {
  Header header;
  uint32_t id;
  void* cookie;
  int32_t note;
  int16_t port, channel, key;
  double value;
} Value;
typedef struct { Header header; uint16_t port; uint8_t bytes[3]; } Midi;
typedef struct In { void* context; uint32_t (*size)(const struct In*); const Header* (*get)(const struct In*, uint32_t); } In;
typedef struct Out { void* context; bool (*push)(const struct Out*, const Header*); } Out;
typedef struct {
  int64_t steady;
  uint32_t frames;
  const void* transport;
  const Buffer* inputs;
  Buffer* outputs;
  uint32_t input_count, output_count;
  const In* in;
  const Out* out;
} Process;
typedef struct Plugin {
  const Descriptor* descriptor;
  void* data;
  bool (*init)(const struct Plugin*);
  void (*destroy)(const struct Plugin*);
  bool (*activate)(const struct Plugin*, double, uint32_t, uint32_t);
  void (*deactivate)(const struct Plugin*);
  bool (*start)(const struct Plugin*);
  void (*stop)(const struct Plugin*);
  void (*reset)(const struct Plugin*);
  int32_t (*process)(const struct Plugin*, const Process*);
  const void* (*extension)(const struct Plugin*, const char*);
  void (*on_main)(const struct Plugin*);
} Plugin;
typedef struct { bool (*is_main)(const Host*); bool (*is_audio)(const Host*); } Threads;
typedef struct { uint32_t id; char name[256]; uint32_t flags, channels; const char* type; uint32_t pair; } AudioPort;
typedef struct { uint32_t id, supported, preferred; char name[256]; } NotePort;
typedef struct { uint32_t id, flags; void* cookie; char name[256], module[1024]; double least, most, start; } Info;
typedef struct Reader { void* context; int64_t (*read)(const struct Reader*, void*, uint64_t); } Reader;
typedef struct Writer { void* context; int64_t (*write)(const struct Writer*, const void*, uint64_t); } Writer;
