// The audio file player: regions, loops, times and rates of files against the frames that were written.
// SPDX-License-Identifier: Apache-2.0

#include "Files.h"

static void regions(AudioFileID file, UInt32 slice) {
  AudioUnit unit = openPlayer(kAudioUnitSubType_AudioFilePlayer);
  static float output[120000];
  Told first = {0}, second = {0}, third = {0};
  CHECK(add(unit, file, 0, 0, 10, 0, NULL) == kAudioUnitErr_FileNotSpecified);
  give(unit, file);
  CHECK_STATUS(add(unit, file, 100, 5000, 9000, 2, &first));
  CHECK_STATUS(add(unit, file, 40000, 20000, (UInt32)-1, 0, &second));
  CHECK_STATUS(add(unit, file, -1, 7, 100, 0, &third));
  prime(unit);
  startAt(unit, -1);
  renderFrames(unit, 0, output, 60000, slice);
  expectFile(output, 0, 100, -1);
  for (int pass = 0; pass < 3; pass++) expectFile(output, 100 + 9000 * pass, 9000, 5000);
  expectFile(output, 27100, 40000 - 27100, -1);
  expectFile(output, 40000, 10000, 20000);
  expectFile(output, 50000, 100, 7);
  expectFile(output, 50100, 9900, -1);
  CHECK(playTime(unit) == 60000);
  await(&first);
  await(&second);
  await(&third);
  CHECK(first.status == 0 && second.status == 0 && third.status == 0);
  // An endless loop of few frames, until a reset.
  Told endless = {0};
  CHECK_STATUS(add(unit, file, -1, 100, 50, (UInt32)-1, &endless));
  renderFrames(unit, 60000, output, 40000, slice);
  for (int pass = 0; pass < 800; pass++) expectFile(output, 50 * pass, 50, 100);
  CHECK_STATUS(AudioUnitReset(unit, kAudioUnitScope_Global, 0));
  await(&endless);
  CHECK(endless.status != 0 && playTime(unit) == -1);
  CHECK_STATUS(AudioComponentInstanceDispose(unit));
}

/// A region of which a part was played, and one of which none was, are cancelled: by a reset as by closing.
static void cancelled(AudioFileID file) {
  AudioUnit unit = openPlayer(kAudioUnitSubType_AudioFilePlayer);
  static float output[200];
  give(unit, file);
  for (int closes = 0; closes < 2; closes++) {
    Told begun = {0}, waits = {0};
    CHECK_STATUS(add(unit, file, -1, 0, 1000, 0, &begun));
    CHECK_STATUS(add(unit, file, -1, 0, 1000, 0, &waits));
    prime(unit);
    startAt(unit, -1);
    renderFrames(unit, 0, output, 200, 100);
    if (closes) {
      CHECK_STATUS(AudioComponentInstanceDispose(unit));
      // All completions have come by now: the memory is the caller's.
      CHECK(begun.calls == 1 && waits.calls == 1);
    } else {
      CHECK_STATUS(AudioUnitReset(unit, kAudioUnitScope_Global, 0));
      await(&begun);
      await(&waits);
    }
    CHECK(begun.status != 0 && waits.status != 0);
  }
}

/// Few and small buffers are enough: offline for any slice, else for a host that primes before each.
static void smallBuffers(AudioFileID file, UInt32 isOffline) {
  AudioUnit unit = openPlayer(kAudioUnitSubType_AudioFilePlayer);
  static float output[25600];
  Told all = {0};
  give(unit, file);
  CHECK_STATUS(AudioUnitUninitialize(unit));
  set(unit, kAudioUnitProperty_OfflineRender, isOffline);
  set(unit, kAudioUnitProperty_ScheduledFileBufferSizeFrames, 64);
  set(unit, kAudioUnitProperty_ScheduledFileNumberBuffers, 2);
  CHECK_STATUS(AudioUnitInitialize(unit));
  // Many regions of few frames, then one of many.
  for (int region = 0; region < 100; region++) CHECK_STATUS(add(unit, file, -1, 10 * region, 10, 0, &all));
  CHECK_STATUS(add(unit, file, -1, 1000, (UInt32)-1, 0, &all));
  startAt(unit, -1);
  UInt32 step = isOffline ? 800 : 10;
  for (UInt32 done = 0; done < 25600; done += step) {
    prime(unit);
    renderFrames(unit, done, output + done, step, step);
  }
  expectFile(output, 0, 25600, 0);
  CHECK_STATUS(AudioComponentInstanceDispose(unit));
  CHECK(all.calls == 101);
}

static void otherRate(AudioFileID file) {
  AudioUnit unit = openPlayer(kAudioUnitSubType_AudioFilePlayer);
  static float output[40000];
  Told end = {0};
  give(unit, file);
  CHECK_STATUS(add(unit, file, 0, 0, (UInt32)-1, 0, &end));
  prime(unit);
  startAt(unit, 0);
  renderFrames(unit, 0, output, 40000, 512);
  double noise = 0, power = 0;
  for (int frame = 500; frame < 32000; frame++) {
    double wanted = 0.5 * sin(2 * M_PI * 441 * frame / 48000.0);
    noise += (output[frame] - wanted) * (output[frame] - wanted);
    power += wanted * wanted;
  }
  double ratio = 10 * log10(power / noise);
  if (ratio < 90) fprintf(stderr, "only %.1f dB\n", ratio);
  CHECK(ratio >= 90);
  for (int frame = 32700; frame < 40000; frame++) CHECK(output[frame] == 0);
  await(&end);
  CHECK_STATUS(AudioComponentInstanceDispose(unit));
}

int main(int count, char **arguments) {
  CHECK(count == 2);
  char path[4096];
  snprintf(path, sizeof path, "%s/saw.wav", arguments[1]);
  AudioFileID saw = openFile(writeFile(path, 48000, 0));
  regions(saw, 512);
  regions(saw, 1000);
  cancelled(saw);
  smallBuffers(saw, 0);
  smallBuffers(saw, 1);
  snprintf(path, sizeof path, "%s/sine.wav", arguments[1]);
  AudioFileID sine = openFile(writeFile(path, 44100, 1));
  otherRate(sine);
  CHECK_STATUS(AudioFileClose(saw));
  CHECK_STATUS(AudioFileClose(sine));
  puts("regions play at their frames");
  return 0;
}
