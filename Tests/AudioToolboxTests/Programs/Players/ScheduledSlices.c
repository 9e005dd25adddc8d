// The scheduled sound player: slices at their frame, late, looped, interrupted; flags, completions, times.
// SPDX-License-Identifier: Apache-2.0

#include "Players.h"

enum { frameCount = 100 };

typedef struct {
  ScheduledAudioSlice slice;
  AudioBufferList list;
  float samples[frameCount];
  int completions;
} Piece;

static void completed(void *data, ScheduledAudioSlice *slice) {
  Piece *piece = data;
  if (slice != &piece->slice || !(slice->mFlags & kScheduledAudioSliceFlag_Complete)) exit(3);
  piece->completions++;
}

/// A piece of 100 frames: value, value + 1, ...; without a time where it is below 0.
static Piece *piece(float value, Float64 time, UInt32 flags) {
  Piece *made = calloc(1, sizeof *made);
  for (int frame = 0; frame < frameCount; frame++) made->samples[frame] = value + frame;
  made->list.mNumberBuffers = 1;
  made->list.mBuffers[0] = (AudioBuffer){1, sizeof made->samples, made->samples};
  if (time >= 0) {
    made->slice.mTimeStamp.mSampleTime = time;
    made->slice.mTimeStamp.mFlags = kAudioTimeStampSampleTimeValid;
  }
  made->slice.mCompletionProc = completed;
  made->slice.mCompletionProcUserData = made;
  made->slice.mFlags = flags;
  made->slice.mNumberFrames = frameCount;
  made->slice.mBufferList = &made->list;
  return made;
}

static void schedule(AudioUnit unit, Piece *piece) {
  CHECK_STATUS(AudioUnitSetProperty(
      unit, kAudioUnitProperty_ScheduleAudioSlice, kAudioUnitScope_Global, 0, &piece->slice,
      sizeof piece->slice));
}

static void expectRun(const float *output, int from, int count, float value) {
  for (int frame = 0; frame < count; frame++) {
    float wanted = value < 0 ? 0 : value + frame;
    if (output[from + frame] != wanted) {
      fprintf(stderr, "frame %d is %g, not %g\n", from + frame, output[from + frame], wanted);
      exit(2);
    }
  }
}

static void timesAndOrder(UInt32 slice) {
  AudioUnit unit = openPlayer(kAudioUnitSubType_ScheduledSoundPlayer);
  float output[1000];
  Piece *second = piece(5000, 300, 0), *first = piece(1000, 50, 0), *follows = piece(9000, -1, 0);
  schedule(unit, second);
  schedule(unit, first);
  schedule(unit, follows);
  CHECK(playTime(unit) == -1);
  renderFrames(unit, 0, output, 200, slice);
  expectRun(output, 0, 200, -1);
  CHECK(first->slice.mFlags == 0);
  startAt(unit, 210);
  renderFrames(unit, 200, output, 700, slice);
  expectRun(output, 0, 60, -1);
  expectRun(output, 60, 100, 1000);
  expectRun(output, 160, 150, -1);
  expectRun(output, 310, 100, 5000);
  expectRun(output, 410, 100, 9000);
  expectRun(output, 510, 190, -1);
  CHECK(playTime(unit) == 690);
  UInt32 whole = kScheduledAudioSliceFlag_Complete | kScheduledAudioSliceFlag_BeganToRender;
  CHECK(first->slice.mFlags == whole && first->completions == 1);
  CHECK(second->slice.mFlags == whole && follows->slice.mFlags == whole);
  // A late slice keeps its time: its first frames are left out.
  Piece *late = piece(2000, 660, 0), *past = piece(3000, 100, 0);
  schedule(unit, late);
  schedule(unit, past);
  renderFrames(unit, 900, output, 200, slice);
  expectRun(output, 0, 70, 2030);
  expectRun(output, 70, 130, -1);
  CHECK(late->slice.mFlags == (whole | kScheduledAudioSliceFlag_BeganToRenderLate));
  CHECK(past->slice.mFlags ==
        (kScheduledAudioSliceFlag_Complete | kScheduledAudioSliceFlag_BeganToRenderLate));
  CHECK_STATUS(AudioComponentInstanceDispose(unit));
}

static void loopsAndInterrupts(UInt32 slice) {
  AudioUnit unit = openPlayer(kAudioUnitSubType_ScheduledSoundPlayer);
  float output[1000];
  Piece *loop = piece(1000, -1, kScheduledAudioSliceFlag_Loop);
  Piece *next = piece(5000, 250, kScheduledAudioSliceFlag_InterruptAtLoop);
  Piece *cut = piece(7000, 330, kScheduledAudioSliceFlag_Interrupt);
  schedule(unit, loop);
  startAt(unit, -1);
  schedule(unit, next);
  schedule(unit, cut);
  renderFrames(unit, 4000, output, 500, slice);
  expectRun(output, 0, 100, 1000);
  expectRun(output, 100, 100, 1000);
  expectRun(output, 200, 100, 1000);
  CHECK(loop->completions == 1 && next->completions == 1 && cut->completions == 1);
  // It wanted to begin at 250, and keeps that time.
  expectRun(output, 300, 30, 5050);
  expectRun(output, 330, 100, 7000);
  expectRun(output, 430, 70, -1);
  // A reset completes waiting slices, and forgets the start.
  Piece *waits = piece(1, 10000, 0), *plays = piece(2, -1, kScheduledAudioSliceFlag_Loop);
  schedule(unit, plays);
  schedule(unit, waits);
  renderFrames(unit, 4500, output, 50, slice);
  expectRun(output, 0, 50, 2);
  CHECK_STATUS(AudioUnitReset(unit, kAudioUnitScope_Global, 0));
  CHECK(waits->slice.mFlags == kScheduledAudioSliceFlag_Complete && waits->completions == 1);
  CHECK(plays->completions == 1 && playTime(unit) == -1);
  renderFrames(unit, 4550, output, 50, slice);
  expectRun(output, 0, 50, -1);
  // An invalid slice is refused.
  Piece *empty = piece(1, -1, 0);
  empty->list.mBuffers[0].mDataByteSize = 4;
  CHECK(AudioUnitSetProperty(unit, kAudioUnitProperty_ScheduleAudioSlice, kAudioUnitScope_Global, 0,
                             &empty->slice, sizeof empty->slice) != 0);
  // Closing completes waiting slices.
  Piece *last = piece(1, -1, 0);
  schedule(unit, last);
  CHECK_STATUS(AudioComponentInstanceDispose(unit));
  CHECK(last->completions == 1);
}

/// Checks that an interrupting slice interrupts behind other waiting ones, too.
static void interruptsBehindOthers(UInt32 slice) {
  AudioUnit unit = openPlayer(kAudioUnitSubType_ScheduledSoundPlayer);
  float output[400];
  Piece *plays = piece(1000, 0, 0), *waits = piece(5000, 20, 0);
  Piece *cuts = piece(7000, 50, kScheduledAudioSliceFlag_Interrupt);
  schedule(unit, cuts);
  schedule(unit, waits);
  schedule(unit, plays);
  startAt(unit, -1);
  renderFrames(unit, 0, output, 300, slice);
  expectRun(output, 0, 50, 1000);
  expectRun(output, 50, 100, 7000);
  expectRun(output, 150, 150, -1);
  CHECK(plays->completions == 1 && waits->completions == 1 && cuts->completions == 1);
  CHECK_STATUS(AudioUnitReset(unit, kAudioUnitScope_Global, 0));
  Piece *loops = piece(1000, 0, kScheduledAudioSliceFlag_Loop), *passes = piece(5000, 20, 0);
  Piece *ends = piece(7000, 150, kScheduledAudioSliceFlag_InterruptAtLoop);
  schedule(unit, loops);
  schedule(unit, passes);
  schedule(unit, ends);
  startAt(unit, -1);
  renderFrames(unit, 300, output, 400, slice);
  expectRun(output, 0, 100, 1000);
  expectRun(output, 100, 100, 1000);
  expectRun(output, 200, 50, 7050);
  expectRun(output, 250, 150, -1);
  CHECK(loops->completions == 1 && passes->completions == 1 && ends->completions == 1);
  CHECK_STATUS(AudioComponentInstanceDispose(unit));
}

static void hostTimes(void) {
  AudioUnit unit = openPlayer(kAudioUnitSubType_ScheduledSoundPlayer);
  schedule(unit, piece(1000, 0, 0));
  AudioTimeStamp start = {0};
  start.mHostTime = AudioConvertNanosToHostTime(1000000000ull + 2000000);
  start.mFlags = kAudioTimeStampHostTimeValid;
  CHECK_STATUS(AudioUnitSetProperty(
      unit, kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, 0, &start, sizeof start));
  float output[300];
  AudioBufferList list = {1, {{1, sizeof output, output}}};
  AudioTimeStamp stamp = {0};
  stamp.mSampleTime = 77;
  stamp.mHostTime = AudioConvertNanosToHostTime(1000000000ull);
  stamp.mFlags = kAudioTimeStampSampleTimeValid | kAudioTimeStampHostTimeValid;
  AudioUnitRenderActionFlags flags = 0;
  CHECK_STATUS(AudioUnitRender(unit, &flags, &stamp, 0, 300, &list));
  const float *played = list.mBuffers[0].mData;
  expectRun(played, 0, 96, -1);
  expectRun(played, 96, 100, 1000);
  CHECK_STATUS(AudioComponentInstanceDispose(unit));
}

int main(void) {
  UInt32 slices[] = {512, 1, 33, 100};
  for (int index = 0; index < 4; index++) {
    timesAndOrder(slices[index]);
    loopsAndInterrupts(slices[index]);
    interruptsBehindOthers(slices[index]);
  }
  hostTimes();
  puts("slices play at their frames");
  return 0;
}
