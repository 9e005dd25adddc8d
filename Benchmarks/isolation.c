// A chain of units in another process at 64 frames and 48 kHz, beside a bare futex ping-pong in the same periods.
// SPDX-License-Identifier: Apache-2.0
//
// usage: isolation SECONDS UNITS
//
// In each period of 1.33 ms: the ping-pong (a block there and back between two processes, futexes, nothing else), the chain in
// another process, the same chain in this one, and the chain with its sound one slice later; their order turns. A way
// there and back that takes more than 65 % of the period is a miss. Prints NAME TAB FIGURE TAB VALUE TAB UNIT.
#include "isolated-chain.h"

#include <linux/futex.h>
#include <math.h>
#include <sys/syscall.h>

enum { frames = 64, firstSlices = 200 };
static const double period = 1e9 * frames / 48000;

// The floor.

typedef struct {
  _Alignas(64) atomic_uint turn;
  _Alignas(64) atomic_uint answer;
  float there[frames], back[frames];
} Table;

static void sleepOn(atomic_uint *word, uint32_t value, const struct timespec *until) {
  syscall(SYS_futex, word, FUTEX_WAIT_BITSET, value, until, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void wake(atomic_uint *word) { syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0); }

static pid_t startPartner(Table *table) {
  const pid_t host = getpid(), partner = fork();
  if (partner) return partner;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != host) _exit(0);
  raisePriority();
  for (uint32_t turn = 0;; turn++) {
    while (atomic_load(&table->turn) == turn) sleepOn(&table->turn, turn, NULL);
    memcpy(table->back, table->there, sizeof table->back);
    atomic_store(&table->answer, turn + 1);
    wake(&table->answer);
  }
}

/// One ping-pong; false where the block is not back in time, or the one before is not back yet.
static bool pingPong(Table *table, float *samples, uint64_t begun) {
  const uint32_t turn = atomic_load(&table->turn);
  if (atomic_load(&table->answer) != turn) return false;
  const uint64_t end = begun + (uint64_t)(period * 0.65);
  const struct timespec until = {(time_t)(end / 1000000000), (long)(end % 1000000000)};
  memcpy(table->there, samples, sizeof table->there);
  atomic_store(&table->turn, turn + 1);
  wake(&table->turn);
  while (atomic_load(&table->answer) == turn) {
    if (AuricleLinkNow() >= end) return false;
    sleepOn(&table->answer, turn, &until);
  }
  memcpy(samples, table->back, sizeof table->back);
  return true;
}

// The chain.

static OSStatus giveInput(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus,
                          UInt32 count, AudioBufferList *list) {
  (void)flags, (void)bus, (void)stamp;
  memcpy(list->mBuffers[0].mData, context, count * sizeof(float));
  return 0;
}

static uint64_t missesOf(const Chain *chain) { return AuricleIsolatedMissed(chain->units[chain->count - 1]); }

static void inProcess(const Chain *chain, const float *input, float *samples) {
  memcpy(samples, input, frames * sizeof(float));
  for (uint32_t unit = 0; unit < chain->count; unit++)
    for (uint32_t frame = 0; frame < frames; frame++) samples[frame] *= chain->factors[unit];
}

// Figures.

typedef struct {
  const char *name;
  double *times;
  uint64_t count, misses;
} Series;

static int ascending(const void *one, const void *other) {
  const double a = *(const double *)one, b = *(const double *)other;
  return a < b ? -1 : a > b;
}

static void print(const char *name, const char *figure, double value, const char *unit) {
  printf("%s\t%s\t%.3f\t%s\n", name, figure, value, unit);
}

static double report(Series *series) {
  qsort(series->times, series->count, sizeof *series->times, ascending);
  const double median = series->times[series->count / 2];
  print(series->name, "median", median, "us");
  print(series->name, "99 %", series->times[series->count * 99 / 100], "us");
  print(series->name, "worst", series->times[series->count - 1], "us");
  print(series->name, "misses", (double)series->misses, "");
  return median;
}

/// Seconds that were stolen from all processors of this machine until now.
static double stolen(void) {
  unsigned long long parts[8] = {0};
  FILE *file = fopen("/proc/stat", "r");
  if (!file) return 0;
  const int count = fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &parts[0], &parts[1], &parts[2], &parts[3],
                           &parts[4], &parts[5], &parts[6], &parts[7]);
  fclose(file);
  return count == 8 ? (double)parts[7] / (double)sysconf(_SC_CLK_TCK) : 0;
}

static double since(uint64_t begun) { return (double)(AuricleLinkNow() - begun) / 1000; }

/// Slices against no clock: none may be without a unit.
static uint64_t virtualMisses(uint32_t count, float *input, const float *factors, uint32_t slices) {
  Chain *chain = makeChain(count, frames, NULL, false, giveInput, input, factors);
  startChain(chain, (DeathPlace){0, 0, 0}, false);
  float samples[frames];
  for (uint32_t slice = 0; slice < slices; slice++) renderChain(chain, (double)slice * frames, samples);
  const uint64_t misses = missesOf(chain);
  stopChain(chain);
  return misses;
}

typedef struct {
  Table *table;
  AuricleSliceClock *clock;
  Chain *chain, *late;
  float input[frames], factors[mostUnits];
  Series bare, isolated, here, pipelined;
} Bench;

static void measure(Bench *bench, uint64_t slice, uint32_t kind) {
  float samples[frames];
  const double time = (double)slice * frames;
  const uint64_t begun = AuricleLinkNow();
  if (kind == 0) {
    if (!pingPong(bench->table, samples, begun)) bench->bare.misses++;
    bench->bare.times[bench->bare.count++] = since(begun);
  } else if (kind == 1) {
    AuricleSliceClockBegin(bench->clock, (uint64_t)period);
    renderChain(bench->chain, time, samples);
    bench->isolated.times[bench->isolated.count++] = since(begun);
  } else if (kind == 2) {
    inProcess(bench->chain, bench->input, samples);
    bench->here.times[bench->here.count++] = since(begun);
  } else {
    AuricleSliceClockBegin(bench->clock, (uint64_t)period);
    renderChain(bench->late, time, samples);
    bench->pipelined.times[bench->pipelined.count++] = since(begun);
  }
}

/// Measures all kinds in each of some periods. A period that begins late makes all that follow late, as a card does that ran
/// dry.
static void measureAll(Bench *bench, uint64_t first, uint64_t count) {
  double time = (double)AuricleLinkNow() + 1e7;
  for (uint64_t slice = first; slice < first + count; slice++) {
    time = fmax(time + period, (double)AuricleLinkNow());
    const struct timespec until = {(time_t)(time / 1e9), (long)fmod(time, 1e9)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {}
    for (uint32_t step = 0; step < 4; step++) measure(bench, slice, (uint32_t)(slice + step) % 4);
  }
}

static double ratio(double value, double floor) { return floor > 0 ? value / floor : 0; }

int main(int argc, char **argv) {
  const double seconds = argc > 1 ? atof(argv[1]) : 20;
  const uint32_t units = argc > 2 ? (uint32_t)atoi(argv[2]) : 10;
  if (!(seconds > 0) || units < 1 || units > mostUnits) return 64;
  const uint64_t slices = (uint64_t)(seconds * 1e9 / period) + 1;
  static Bench bench;
  for (uint32_t unit = 0; unit < units; unit++) bench.factors[unit] = unit % 2 ? 0.5f : 2;
  Series *all[] = {&bench.bare, &bench.isolated, &bench.here, &bench.pipelined};
  const char *names[] = {"bare futex ping-pong", "chain in another process", "chain in this process",
                         "chain in another process, pipelined"};
  for (uint32_t kind = 0; kind < 4; kind++) *all[kind] = (Series){names[kind], calloc(slices + firstSlices, sizeof(double)), 0, 0};
  bench.table = mmap(NULL, sizeof(Table), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const pid_t partner = startPartner(bench.table);
  bench.clock = AuricleSliceClockMake();
  bench.chain = makeChain(units, frames, bench.clock, false, giveInput, bench.input, bench.factors);
  bench.late = makeChain(units, frames, bench.clock, true, giveInput, bench.input, bench.factors);
  startChain(bench.chain, (DeathPlace){0, 0, 0}, true);
  startChain(bench.late, (DeathPlace){0, 0, 0}, true);
  raisePriority();
  const double stolenBefore = stolen();
  // Until all processes run.
  measureAll(&bench, 0, firstSlices);
  const uint64_t before[] = {missesOf(bench.chain), missesOf(bench.late)};
  for (uint32_t kind = 0; kind < 4; kind++) all[kind]->count = all[kind]->misses = 0;
  measureAll(&bench, firstSlices, slices);
  const double stolenAfter = stolen();
  bench.isolated.misses = missesOf(bench.chain) - before[0];
  bench.pipelined.misses = missesOf(bench.late) - before[1];
  uint64_t waits = 0;
  for (uint32_t unit = 0; unit < units; unit++) waits += AuricleLinkReadFigures(bench.late->links[unit]).waits;
  const double floor = report(&bench.bare), cost = report(&bench.isolated);
  report(&bench.here);
  report(&bench.pipelined);
  print(names[1], "median, to the ping-pong's", ratio(cost, floor), "");
  print(names[3], "waits", (double)waits, "");
  stopChain(bench.chain);
  stopChain(bench.late);
  kill(partner, SIGKILL);
  waitpid(partner, NULL, 0);
  print("virtual time, 50000 slices", "misses", (double)virtualMisses(units, bench.input, bench.factors, 50000), "");
  print("machine", "stolen time", stolenAfter - stolenBefore, "s");
  return 0;
}
