// The least a host can do with a chain of LV2 plug-ins and a list of files: the floor of Benchmarks/batch.
// SPDX-License-Identifier: Apache-2.0
//
//   cc -O2 -o bare-lv2-chain bare-lv2-chain.c $(pkg-config --cflags --libs lilv-0 sndfile)
//   bare-lv2-chain BLOCK [--paced] [--plugin URI [symbol=value ...]]... --files in out [in out ...]
//
// One process for all files, one instance of each plug-in a file, blocks of BLOCK frames. Every result has the length and the
// format of its input. The plug-ins are stereo; one channel goes to both inputs and is the mean of both outputs, after each.
// With --paced each block waits for its time, as a sound card's does, on a thread with the priority of one. Caches are then as
// cold, and clocks as low, as after every wake. The share of the time that blocks used is printed.
#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <math.h>
#include <sched.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

enum { MOST_PLUGINS = 16, MOST_URIS = 1024, MOST_SETTINGS = 64 };

static const char *uris[MOST_URIS];
static uint32_t uriCount;

static LV2_URID mapURI(LV2_URID_Map_Handle handle, const char *uri) {
  (void)handle;
  for (uint32_t i = 0; i < uriCount; i++)
    if (!strcmp(uris[i], uri)) return i + 1;
  if (uriCount == MOST_URIS) return 0;
  uris[uriCount++] = strdup(uri);
  return uriCount;
}
static const char *unmapURI(LV2_URID_Unmap_Handle handle, LV2_URID urid) {
  (void)handle;
  return urid > 0 && urid <= uriCount ? uris[urid - 1] : NULL;
}

typedef struct {
  const LV2_Worker_Interface *interface;
  LV2_Handle handle;
} Worker;

static LV2_Worker_Status respond(LV2_Worker_Respond_Handle handle, uint32_t size, const void *body) {
  Worker *worker = handle;
  return worker->interface->work_response ? worker->interface->work_response(worker->handle, size, body)
                                          : LV2_WORKER_SUCCESS;
}
static LV2_Worker_Status schedule(LV2_Worker_Schedule_Handle handle, uint32_t size, const void *body) {
  Worker *worker = handle;
  if (!worker->interface) return LV2_WORKER_ERR_UNKNOWN;
  return worker->interface->work(worker->handle, respond, worker, size, body);
}

typedef struct {
  const char *uri;
  const char *settings[MOST_SETTINGS];
  int settingCount;
  const LilvPlugin *plugin;
} Stage;

typedef struct {
  LilvInstance *instance;
  Worker worker;
  float *controls;
  void **atoms;
  uint32_t *atomSizes;
  uint32_t portCount;
} Running;

static LilvWorld *world;
static int block, isPaced;
static LV2_URID sequence, chunk;

static int fail(const char *what, const char *whom) {
  fprintf(stderr, "bare-lv2-chain: %s: %s\n", whom, what);
  return 1;
}

static int begin(const Stage *stage, Running *running, double rate, float **in, float **out) {
  static LV2_URID_Map map = {NULL, mapURI};
  static LV2_URID_Unmap unmap = {NULL, unmapURI};
  const float floatRate = (float)rate;
  const int32_t one = 1, size = 8192, length = block;
  const LV2_URID integer = mapURI(NULL, LV2_ATOM__Int), number = mapURI(NULL, LV2_ATOM__Float);
  const LV2_Options_Option options[] = {
      {LV2_OPTIONS_INSTANCE, 0, mapURI(NULL, LV2_PARAMETERS__sampleRate), 4, number, &floatRate},
      {LV2_OPTIONS_INSTANCE, 0, mapURI(NULL, LV2_BUF_SIZE__minBlockLength), 4, integer, &one},
      {LV2_OPTIONS_INSTANCE, 0, mapURI(NULL, LV2_BUF_SIZE__maxBlockLength), 4, integer, &length},
      {LV2_OPTIONS_INSTANCE, 0, mapURI(NULL, LV2_BUF_SIZE__nominalBlockLength), 4, integer, &length},
      {LV2_OPTIONS_INSTANCE, 0, mapURI(NULL, LV2_BUF_SIZE__sequenceSize), 4, integer, &size},
      {LV2_OPTIONS_INSTANCE, 0, 0, 0, 0, NULL},
  };
  LV2_Worker_Schedule scheduler = {&running->worker, schedule};
  const LV2_Feature list[] = {
      {LV2_URID__map, &map}, {LV2_URID__unmap, &unmap}, {LV2_OPTIONS__options, (void *)options},
      {LV2_BUF_SIZE__boundedBlockLength, NULL}, {LV2_WORKER__schedule, &scheduler},
  };
  const LV2_Feature *features[] = {&list[0], &list[1], &list[2], &list[3], &list[4], NULL};
  LilvInstance *instance = lilv_plugin_instantiate(stage->plugin, rate, features);
  if (!instance) return fail("cannot be instantiated", stage->uri);
  running->instance = instance;
  running->worker.interface = lilv_instance_get_extension_data(instance, LV2_WORKER__interface);
  running->worker.handle = lilv_instance_get_handle(instance);
  const uint32_t ports = running->portCount = lilv_plugin_get_num_ports(stage->plugin);
  running->controls = calloc(ports, sizeof(float));
  running->atoms = calloc(ports, sizeof(void *));
  running->atomSizes = calloc(ports, sizeof(uint32_t));
  lilv_plugin_get_port_ranges_float(stage->plugin, NULL, NULL, running->controls);
  LilvNode *audio = lilv_new_uri(world, LILV_URI_AUDIO_PORT), *input = lilv_new_uri(world, LILV_URI_INPUT_PORT),
           *control = lilv_new_uri(world, LILV_URI_CONTROL_PORT), *atom = lilv_new_uri(world, LILV_URI_ATOM_PORT);
  int ins = 0, outs = 0;
  for (uint32_t i = 0; i < ports; i++) {
    const LilvPort *port = lilv_plugin_get_port_by_index(stage->plugin, i);
    const int isIn = lilv_port_is_a(stage->plugin, port, input);
    if (lilv_port_is_a(stage->plugin, port, audio)) {
      lilv_instance_connect_port(instance, i, isIn ? in[ins++ & 1] : out[outs++ & 1]);
    } else if (lilv_port_is_a(stage->plugin, port, control)) {
      if (!isfinite(running->controls[i])) running->controls[i] = 0;
      const char *symbol = lilv_node_as_string(lilv_port_get_symbol(stage->plugin, port));
      for (int s = 0; s < stage->settingCount; s++) {
        const size_t length = strlen(symbol);
        if (!strncmp(stage->settings[s], symbol, length) && stage->settings[s][length] == '=')
          running->controls[i] = strtof(stage->settings[s] + length + 1, NULL);
      }
      lilv_instance_connect_port(instance, i, &running->controls[i]);
    } else if (lilv_port_is_a(stage->plugin, port, atom)) {
      running->atomSizes[i] = isIn ? 0 : 65536;
      running->atoms[i] = calloc(1, 65536 + 64);
      lilv_instance_connect_port(instance, i, running->atoms[i]);
    } else {
      lilv_instance_connect_port(instance, i, NULL);
    }
  }
  lilv_node_free(audio), lilv_node_free(input), lilv_node_free(control), lilv_node_free(atom);
  lilv_instance_activate(instance);
  return 0;
}

static void run(Running *running, uint32_t frames) {
  for (uint32_t i = 0; i < running->portCount; i++) {
    LV2_Atom_Sequence *atom = running->atoms[i];
    if (!atom) continue;
    atom->atom.size = running->atomSizes[i] ? running->atomSizes[i] : sizeof(LV2_Atom_Sequence_Body);
    atom->atom.type = running->atomSizes[i] ? chunk : sequence;
    atom->body.unit = atom->body.pad = 0;
  }
  lilv_instance_run(running->instance, frames);
  if (running->worker.interface && running->worker.interface->end_run)
    running->worker.interface->end_run(running->worker.handle);
}

static void end(Running *running) {
  lilv_instance_deactivate(running->instance);
  lilv_instance_free(running->instance);
  for (uint32_t i = 0; i < running->portCount; i++) free(running->atoms[i]);
  free(running->controls), free(running->atoms), free(running->atomSizes);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void waitUntil(double when) {
  const struct timespec time = {(time_t)when, (long)((when - (double)(time_t)when) * 1e9)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

static int process(const Stage *stages, int count, const char *from, const char *to) {
  SF_INFO info = {0};
  SNDFILE *in = sf_open(from, SFM_READ, &info);
  if (!in) return fail(sf_strerror(NULL), from);
  SNDFILE *out = sf_open(to, SFM_WRITE, &info);
  if (!out) return fail(sf_strerror(NULL), to);
  sf_command(out, SFC_SET_CLIPPING, NULL, SF_TRUE);
  const int channels = info.channels;
  float *wide = calloc((size_t)block * (size_t)channels, sizeof(float));
  float *rows[2][2];
  for (int i = 0; i < 4; i++) rows[i / 2][i % 2] = calloc((size_t)block, sizeof(float));
  Running running[MOST_PLUGINS];
  memset(running, 0, sizeof running);
  for (int s = 0; s < count; s++)
    if (begin(&stages[s], &running[s], info.samplerate, rows[s & 1], rows[(s + 1) & 1])) return 1;
  sf_count_t got, done = 0;
  double spent = 0;
  const double start = now();
  while ((got = sf_readf_float(in, wide, block)) > 0) {
    if (isPaced) waitUntil(start + (double)done / info.samplerate);
    const double before = now();
    for (int c = 0; c < 2; c++)
      for (sf_count_t f = 0; f < got; f++) rows[0][c][f] = wide[f * channels + (c < channels ? c : 0)];
    for (int s = 0; s < count; s++) {
      run(&running[s], (uint32_t)got);
      float **result = rows[(s + 1) & 1];
      if (channels == 1)
        for (sf_count_t f = 0; f < got; f++) result[0][f] = result[1][f] = (result[0][f] + result[1][f]) * 0.5f;
    }
    for (int c = 0; c < channels; c++)
      for (sf_count_t f = 0; f < got; f++) wide[f * channels + c] = rows[count & 1][c & 1][f];
    spent += now() - before;
    done += got;
    if (sf_writef_float(out, wide, got) != got) return fail("cannot be written", to);
  }
  if (isPaced && done > 0) printf("%.5f\n", spent * info.samplerate / (double)done);
  for (int s = 0; s < count; s++) end(&running[s]);
  for (int i = 0; i < 4; i++) free(rows[i / 2][i % 2]);
  free(wide);
  sf_close(in);
  return sf_close(out) ? fail("cannot be closed", to) : 0;
}

int main(int argc, char **argv) {
  if (argc < 2) return fail("usage: bare-lv2-chain BLOCK --plugin URI ... --files in out ...", "usage");
  block = atoi(argv[1]);
  Stage stages[MOST_PLUGINS];
  memset(stages, 0, sizeof stages);
  int count = 0, next = 2;
  if (argc > next && !strcmp(argv[next], "--paced")) isPaced = 1, next++;
  world = lilv_world_new();
  lilv_world_load_all(world);
  sequence = mapURI(NULL, LV2_ATOM__Sequence), chunk = mapURI(NULL, LV2_ATOM__Chunk);
  for (; next + 1 < argc && !strcmp(argv[next], "--plugin") && count < MOST_PLUGINS; count++) {
    Stage *stage = &stages[count];
    stage->uri = argv[next + 1];
    for (next += 2; next < argc && strncmp(argv[next], "--", 2) && stage->settingCount < MOST_SETTINGS; next++)
      stage->settings[stage->settingCount++] = argv[next];
    LilvNode *uri = lilv_new_uri(world, stage->uri);
    stage->plugin = lilv_plugins_get_by_uri(lilv_world_get_all_plugins(world), uri);
    if (!stage->plugin) return fail("no such plug-in", stage->uri);
  }
  const struct sched_param priority = {50};
  if (isPaced) sched_setscheduler(0, SCHED_FIFO, &priority);
#if defined(__SSE__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
  for (next++; next + 1 < argc; next += 2)
    if (process(stages, count, argv[next], argv[next + 1])) return 1;
  return 0;
}
