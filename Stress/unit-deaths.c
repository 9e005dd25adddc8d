// Ends the process of a chain of units inside of a render, again and again, and compares each sample with what may be heard.
// SPDX-License-Identifier: Apache-2.0
//
// usage: unit-deaths KILLS SEED virtual|real|pipelined|hostile
//
// A model of each unit follows the output: wet, or dry joined by the fade of 5 ms. In each slice the first units may be wet
// and the others dry. A slice that none of these explains is a fault, and so is a missing one in virtual time. A hostile process
// writes at random into the memory that it shares: the host goes on, and waits no longer than ever. A pipelined unit is alone, its
// sound and the one without it come a slice later, and the host never waits.
#include "isolated-chain.h"

#include <linux/futex.h>
#include <math.h>
#include <sys/syscall.h>

enum { frames = 64, fadeFrames = 240, mostModels = 3 };
/// The units of the chain, and the frames by which its sound is late.
static uint32_t unitCount = mostModels, delay = 0;
static const double period = 1e9 * frames / 48000;

typedef struct {
  float part, last, rest, dryBefore;
  uint32_t fadeLeft;
  bool wasWet;
} Model;

static OSStatus giveInput(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp, UInt32 bus,
                          UInt32 count, AudioBufferList *list) {
  (void)context, (void)flags, (void)bus;
  const uint64_t first = (uint64_t)stamp->mSampleTime;
  float *samples = list->mBuffers[0].mData;
  for (UInt32 frame = 0; frame < count; frame++) samples[frame] = inputAt(first + frame);
  return 0;
}

/// Has a model follow a frame.
static float followed(Model *model, float dry, float wet, bool isWet) {
  if (!isWet && model->wasWet) {
    model->rest = model->last - model->dryBefore;
    model->fadeLeft = fadeFrames;
    model->part = 0;
  }
  model->wasWet = isWet;
  if (isWet) model->part = fminf(1, model->part + 1.0f / fadeFrames);
  if (!isWet) model->part = 0;
  if (model->fadeLeft) model->fadeLeft--;
  float sample = isWet ? dry + (wet - dry) * model->part : dry;
  if (model->fadeLeft) sample += model->rest * (float)model->fadeLeft / fadeFrames;
  model->last = sample;
  model->dryBefore = dry;
  return sample;
}

/// The greatest difference between a slice and the models where so many units are wet; they then are as behind it.
static float differenceOf(Model *models, const float *factors, uint32_t wetCount, uint64_t first, const float *made) {
  float worst = 0;
  for (uint32_t frame = 0; frame < frames; frame++) {
    const uint64_t place = first + frame;
    float sample = place < delay ? 0 : inputAt(place - delay), inside = sample;
    for (uint32_t unit = 0; unit < unitCount; unit++) {
      inside *= factors[unit];
      sample = followed(&models[unit], sample, inside, unit < wetCount);
    }
    const float difference = fabsf(sample - made[frame]);
    if (!(difference <= worst)) worst = difference;
  }
  return worst;
}

/// Follows a slice; the number of wet units, or -1 where nothing explains it.
static int follow(Model *models, const float *factors, uint64_t first, const float *made) {
  for (int wetCount = (int)unitCount; wetCount >= 0; wetCount--) {
    Model tried[mostModels];
    memcpy(tried, models, sizeof tried);
    if (differenceOf(tried, factors, (uint32_t)wetCount, first, made) > 2e-5f) continue;
    memcpy(models, tried, sizeof tried);
    return wetCount;
  }
  return -1;
}

typedef struct {
  AuricleSliceClock *clock;
  Chain *chain;
  Model models[mostModels];
  float factors[mostModels];
  uint64_t frame, start, slices, absent, faults, partly, waits;
  double *over, *bare;
  uint32_t overCount, bareCount;
} Run;

static uint64_t due(const Run *run) { return run->start + (uint64_t)(period * (double)run->slices); }

/// Waits for the next slice's time.
static void pace(const Run *run) {
  const uint64_t time = due(run);
  const struct timespec until = {(time_t)(time / 1000000000), (long)(time % 1000000000)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {}
}

/// The overshoot of a bare wait of the same length, in microseconds.
static double overshootOfFutex(void) {
  static uint32_t word;
  const uint64_t end = AuricleLinkNow() + (uint64_t)(period * 0.65);
  const struct timespec until = {(time_t)(end / 1000000000), (long)(end % 1000000000)};
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, &until, NULL, FUTEX_BITSET_MATCH_ANY);
  return ((double)AuricleLinkNow() - (double)end) / 1000;
}

/// Renders and checks a slice; whether all units were there.
static bool slice(Run *run) {
  float made[frames];
  const uint64_t begun = AuricleLinkNow();
  if (run->clock) AuricleSliceClockBegin(run->clock, (uint64_t)period);
  const OSStatus status = renderChain(run->chain, (double)run->frame, made);
  const uint64_t ended = AuricleLinkNow();
  const int wet = status ? -1 : follow(run->models, run->factors, run->frame, made);
  if (wet < 0 && run->faults++ < 5)
    fprintf(stderr, "frame %llu: status %d, and neither the wet nor the dry sound\n", (unsigned long long)run->frame, status);
  const bool isAbsent = wet >= 0 && (uint32_t)wet < unitCount;
  if (isAbsent) run->absent++;
  if (isAbsent && wet) run->partly++;
  const double over = ((double)ended - (double)begun) / 1000 - period * 0.65 / 1000;
  if (run->clock && isAbsent) run->over[run->overCount++] = over > 0 ? over : 0;
  run->frame += frames;
  run->slices++;
  return wet == (int)unitCount;
}

/// One life of a process: some slices, its end, the time without it.
static void live(Run *run, uint64_t *seed) {
  const uint32_t lives = 6 + (uint32_t)(seeded(seed) % 12);
  const DeathPlace death = {lives, (uint32_t)(seeded(seed) % unitCount), (uint32_t)(seeded(seed) % frames)};
  startChain(run->chain, death, run->clock != NULL);
  run->start = AuricleLinkNow();
  run->slices = 0;
  uint32_t after = 0;
  for (uint32_t count = 0; after < 6 && count < 100; count++) {
    if (run->clock) pace(run);
    const bool isThere = slice(run);
    // In virtual time nobody is late: the slice that the process ended in is the first without a unit.
    if (!run->clock && isThere != (count + 1 < lives)) {
      if (run->faults++ < 5) fprintf(stderr, "slice %u of %u: %s\n", count + 1, lives, isThere ? "there" : "missing");
    }
    if (count + 1 >= lives) after++;
  }
  if (delay) run->waits += AuricleLinkReadFigures(run->chain->links[0]).waits;
  stopChain(run->chain);
  const uint32_t gap = (uint32_t)(seeded(seed) % 6);
  for (uint32_t count = 0; count < gap; count++)
    if (slice(run)) run->faults++;
  if (run->clock) run->bare[run->bareCount++] = overshootOfFutex();
}

static int ascending(const void *one, const void *other) {
  const double a = *(const double *)one, b = *(const double *)other;
  return a < b ? -1 : a > b;
}

static double percentile(double *values, uint32_t count, double part) {
  qsort(values, count, sizeof *values, ascending);
  return count ? values[(uint32_t)((count - 1) * part)] : 0;
}

/// Lives of a process that does nothing but harm; every slice is rendered.
static void liveWithHostility(Run *run, uint64_t *seed) {
  startProcess(run->chain, (DeathPlace){0, 0, 0}, false, seeded(seed) | 1);
  for (uint32_t count = 0; count < 200; count++) {
    float made[frames];
    const uint64_t begun = AuricleLinkNow();
    AuricleSliceClockBegin(run->clock, (uint64_t)period);
    const OSStatus status = renderChain(run->chain, (double)run->frame, made);
    const double over = (double)(AuricleLinkNow() - begun) / 1000 - period * 0.9 / 1000;
    // A status is the unit's word for its own failure; what the host makes by itself is none of these.
    if (status == kAudioUnitErr_TooManyFramesToProcess) run->faults++;
    run->over[run->overCount++] = over > 0 ? over : 0;
    run->frame += frames;
  }
  stopChain(run->chain);
  run->bare[run->bareCount++] = overshootOfFutex();
}

int main(int argc, char **argv) {
  if (argc != 4) return 64;
  const uint32_t kills = (uint32_t)atoi(argv[1]);
  uint64_t seed = strtoull(argv[2], NULL, 10);
  const bool isHostile = !strcmp(argv[3], "hostile"), isPipelined = !strcmp(argv[3], "pipelined");
  const bool isReal = isHostile || isPipelined || !strcmp(argv[3], "real");
  if (isPipelined) unitCount = 1, delay = frames;
  Run run = {.clock = isReal ? AuricleSliceClockMake() : NULL, .factors = {-0.75f, 0.5f, -1.5f}};
  run.over = calloc((size_t)kills * 256 + 1, sizeof *run.over);
  run.bare = calloc(kills + 1, sizeof *run.bare);
  for (uint32_t unit = 0; unit < unitCount; unit++) run.models[unit] = (Model){.part = 1, .wasWet = true};
  run.chain = makeChain(unitCount, frames, run.clock, isPipelined, giveInput, NULL, run.factors);
  if (isReal) raisePriority();
  for (uint32_t count = 0; count < kills; count++) (isHostile ? liveWithHostility : live)(&run, &seed);
  printf("%u kills, %llu slices, %llu without a unit, %llu of them with those in front, %llu faults\n", kills,
         (unsigned long long)(run.frame / frames), (unsigned long long)run.absent, (unsigned long long)run.partly,
         (unsigned long long)run.faults);
  if (isPipelined) printf("%llu waits\n", (unsigned long long)run.waits);
  if (isReal) {
    const double ours = percentile(run.over, run.overCount, 0.99), bare = percentile(run.bare, run.bareCount, 0.99);
    printf("past the deadline, 99 %%: %.1f us, a bare wait %.1f us, difference %.1f us\n", ours, bare, ours - bare);
  }
  return run.faults || run.waits ? 1 : 0;
}
