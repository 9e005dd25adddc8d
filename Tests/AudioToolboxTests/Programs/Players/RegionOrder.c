// The audio file player: regions out of order, loops at another rate and buffers that come back at once.
// SPDX-License-Identifier: Apache-2.0

#include "../AwaitSleep.h"
#include "Files.h"

static void initialize(AudioUnit unit, UInt32 isOffline, UInt32 frames, UInt32 count) {
  CHECK_STATUS(AudioUnitUninitialize(unit));
  set(unit, kAudioUnitProperty_OfflineRender, isOffline);
  set(unit, kAudioUnitProperty_ScheduledFileBufferSizeFrames, frames);
  set(unit, kAudioUnitProperty_ScheduledFileNumberBuffers, count);
  CHECK_STATUS(AudioUnitInitialize(unit));
}

/// Plays regions that are scheduled in the reverse order of their times: each is whole.
static void backwards(AudioFileID file, UInt32 isOffline) {
  AudioUnit unit = openPlayer(kAudioUnitSubType_AudioFilePlayer);
  static float output[60000];
  Told all = {0}, last = {0};
  give(unit, file);
  initialize(unit, isOffline, 64, 4);
  CHECK_STATUS(add(unit, file, 50000, 0, 10000, 0, &last));
  CHECK_STATUS(add(unit, file, -1, 0, 1000, 0, &all));
  prime(unit);
  for (int region = 9; region >= 0; region--)
    CHECK_STATUS(add(unit, file, 5000 * region, 100 * region, 1000, 0, &all));
  prime(unit);
  startAt(unit, -1);
  for (UInt32 done = 0; done < 60000; done += 64) {
    UInt32 frames = 60000 - done < 64 ? 60000 - done : 64;
    if (!isOffline) prime(unit);
    renderFrames(unit, done, output + done, frames, frames);
  }
  for (int region = 0; region < 10; region++) {
    expectFile(output, 5000 * region, 1000, 100 * region);
    expectFile(output, 5000 * region + 1000, 4000, -1);
  }
  expectFile(output, 50000, 10000, 0);
  await(&last);
  CHECK(all.calls >= 10 && all.status == 0 && last.status == 0);
  CHECK_STATUS(AudioComponentInstanceDispose(unit));
}

/// Schedules a region while others, of later times, occupy all buffers.
static void between(AudioFileID file, UInt32 isOffline) {
  AudioUnit unit = openPlayer(kAudioUnitSubType_AudioFilePlayer);
  static float output[40000];
  Told early = {0}, late = {0}, cancelled = {0};
  give(unit, file);
  initialize(unit, isOffline, 64, 4);
  startAt(unit, -1);
  renderFrames(unit, 0, output, 100, 100);
  CHECK_STATUS(add(unit, file, 30000, 0, (UInt32)-1, 0, &late));
  prime(unit);
  renderFrames(unit, 100, output + 100, 100, 100);
  CHECK_STATUS(add(unit, file, 1000, 500, 2000, 0, &early));
  for (UInt32 done = 200; done < 40000; done += 40) {
    if (!isOffline) prime(unit);
    renderFrames(unit, done, output + done, 40, 40);
  }
  expectFile(output, 0, 1000, -1);
  expectFile(output, 1000, 2000, 500);
  expectFile(output, 3000, 27000, -1);
  expectFile(output, 30000, 10000, 0);
  await(&early);
  CHECK(early.status == 0 && late.calls == 0);
  CHECK_STATUS(add(unit, file, 35000, 0, 10, 0, &cancelled));
  CHECK_STATUS(AudioUnitReset(unit, kAudioUnitScope_Global, 0));
  await(&late);
  await(&cancelled);
  CHECK(late.status != 0 && cancelled.status != 0);
  CHECK_STATUS(AudioComponentInstanceDispose(unit));
}

/// Returns the frames before a region that follows a loop of so many passes, in a file that is all ones.
static int heardAfter(AudioFileID ones, AudioFileID twos, SInt64 start, UInt32 frames, UInt32 passes, int limit) {
  AudioUnit unit = openPlayer(kAudioUnitSubType_AudioFilePlayer);
  static float output[512];
  AudioFileID both[2] = {ones, twos};
  CHECK_STATUS(AudioUnitSetProperty(
      unit, kAudioUnitProperty_ScheduledFileIDs, kAudioUnitScope_Global, 0, both, sizeof both));
  Told loop = {0}, next = {0};
  CHECK_STATUS(add(unit, ones, -1, start, frames, passes - 1, &loop));
  CHECK_STATUS(add(unit, twos, -1, 0, 2000, 0, &next));
  startAt(unit, -1);
  for (int done = 0; done < limit; done += 512) {
    renderFrames(unit, done, output, 512, 512);
    for (int frame = 0; frame < 512; frame++)
      if (output[frame] < -0.25) {
        CHECK_STATUS(AudioComponentInstanceDispose(unit));
        return done + frame;
      }
  }
  fprintf(stderr, "the region after %u passes is not heard\n", (unsigned)passes);
  exit(1);
}

/// A thousand passes at another rate end within a frame of where they belong.
static void passes(AudioFileID ones, AudioFileID twos, Float64 rate) {
  struct { SInt64 start; UInt32 frames; } loops[] = {
    {0, 100}, {1000, 137}, {29900, (UInt32)-1}, {29963, (UInt32)-1}, {29800, 200}};
  for (size_t loop = 0; loop < sizeof loops / sizeof *loops; loop++) {
    SInt64 frames = loops[loop].frames == (UInt32)-1 ? written - loops[loop].start : loops[loop].frames;
    double wanted = 1000 * (double)frames * 48000 / rate;
    int heard = heardAfter(ones, twos, loops[loop].start, loops[loop].frames, 1000, (int)wanted + 5000);
    if (fabs(heard - wanted) > 1.5) {
      fprintf(stderr, "%g Hz, loop %zu: heard at %d, not %.1f\n", rate, loop, heard, wanted);
      exit(2);
    }
  }
}

/// Checks two small buffers: played parts are read anew before the next slice, not some slices later.
static void wakes(AudioFileID file) {
  AudioUnit unit = openPlayer(kAudioUnitSubType_AudioFilePlayer);
  static float output[64];
  Told all = {0};
  give(unit, file);
  initialize(unit, 0, 64, 2);
  int heard = 0;
  CHECK_STATUS(add(unit, file, -1, 0, 30000, (UInt32)-1, &all));
  prime(unit);
  startAt(unit, -1);
  for (int done = 0; done < 64 * 1000; done += 64) {
    renderFrames(unit, done, output, 64, 64);
    for (int frame = 0; frame < 64; frame++) heard += output[frame] != 0;
    // The reader has read all that it reads before another slice.
    awaitSleep();
  }
  if (heard <= 64 * 800) fprintf(stderr, "%d frames of 64000 were heard\n", heard);
  CHECK(heard > 64 * 800);
  CHECK_STATUS(AudioComponentInstanceDispose(unit));
}

/// Writes a file that is one value throughout.
static AudioFileID writeLevel(const char *folder, const char *name, Float64 rate, float level) {
  static float samples[written];
  char path[4096];
  for (int frame = 0; frame < written; frame++) samples[frame] = level;
  snprintf(path, sizeof path, "%s/%s-%g.wav", folder, name, rate);
  return openFile(writeSamples(path, rate, samples));
}

int main(int count, char **arguments) {
  CHECK(count == 2);
  char path[4096];
  snprintf(path, sizeof path, "%s/saw.wav", arguments[1]);
  AudioFileID saw = openFile(writeFile(path, 48000, 0));
  backwards(saw, 1);
  backwards(saw, 0);
  between(saw, 1);
  between(saw, 0);
  Float64 rates[] = {44100, 32000, 22050, 96000};
  for (int rate = 0; rate < 4; rate++)
    passes(
        writeLevel(arguments[1], "ones", rates[rate], 0.5f),
        writeLevel(arguments[1], "twos", rates[rate], -0.5f), rates[rate]);
  wakes(saw);
  puts("orders play at their frames");
  return 0;
}
