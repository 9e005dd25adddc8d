// Clocks: times in other formats, refusals, one that leads over MIDI, and one that follows it.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/CoreAudioClock.h>
#include <CoreFoundation/CoreFoundation.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../Await.h"

static int failures;
#define IS(call, wanted)                                                                        \
  do {                                                                                          \
    double found_ = (double)(call);                                                             \
    if (fabs(found_ - (double)(wanted)) > 1e-9) {                                               \
      ++failures;                                                                               \
      printf("line %d: %s: %g, not %g\n", __LINE__, #call, found_, (double)(wanted));           \
    }                                                                                           \
  } while (0)

static volatile int started, stopped, set, changed;
static void told(void *data, CAClockMessage message, const void *parameter) {
  (void)data;
  if (message == kCAClockMessage_Started) started = started + 1;
  if (message == kCAClockMessage_Stopped) stopped = stopped + 1;
  if (message == kCAClockMessage_StartTimeSet) set = set + 1;
  if (message == kCAClockMessage_PropertyChanged
      && *(const CAClockPropertyID *)parameter == kCAClockProperty_TempoMap)
    changed = changed + 1;
}

static volatile int hasFollowed;
static void followed(void *data, CAClockMessage message, const void *parameter) {
  (void)data, (void)parameter;
  if (message == kCAClockMessage_Stopped) hasFollowed = 1;
  post();
}

// The clock that follows receives the messages to a destination of this program.
static CAClockRef follower;
static volatile int ticks;
static void hear(const MIDIPacketList *list, void *context, void *connection) {
  (void)context;
  (void)connection;
  if (list->packet[0].data[0] == 0xF8) ticks = ticks + 1;
  post();
  CAClockParseMIDI(follower, list);
}

static CAClockTime at(CAClockTimeFormat format, double value) {
  CAClockTime time;
  memset(&time, 0, sizeof time);
  time.format = format;
  time.time.seconds = value;
  return time;
}

static void conversions(CAClockRef clock) {
  CAClockTime time = at(kCAClockTimeFormat_Beats, 4.5), result;
  CABarBeatTime bar;
  SMPTETime code;
  Float64 number = 0;
  UInt32 size = 0;
  Boolean writable;
  const CATempoMapEntry tempos[] = {{0, 120}, {4, 60}};
  const CAMeterTrackEntry meters[] = {{0, 3, 4}};
  IS(CAClockBeatsToBarBeatTime(clock, 4.5, 480, &bar), 0);
  IS(bar.bar * 10000 + bar.beat * 1000 + bar.subbeat, 21240);
  IS(CAClockBarBeatTimeToBeats(clock, &bar, &number), 0);
  IS(number, 4.5);
  IS(CAClockSetProperty(clock, kCAClockProperty_TempoMap, sizeof tempos, tempos), 0);
  IS(changed, 1);
  IS(CAClockSetProperty(clock, kCAClockProperty_MeterTrack, sizeof meters, meters), 0);
  IS(CAClockGetPropertyInfo(clock, kCAClockProperty_TempoMap, &size, &writable), 0);
  IS(size, sizeof tempos);
  IS(CAClockTranslateTime(clock, &time, kCAClockTimeFormat_Seconds, &result), 0);
  IS(result.time.seconds, 2.5);
  IS(CAClockTranslateTime(clock, &time, kCAClockTimeFormat_HostTime, &result),
     kCAClock_InvalidTimeFormatError);
  IS(CAClockSecondsToSMPTETime(clock, 3661.5, 80, &code), 0);
  IS(code.mHours * 1000000 + code.mMinutes * 10000 + code.mSeconds * 100 + code.mFrames, 1010115);
  IS(CAClockSMPTETimeToSeconds(clock, &code, &number), 0);
  IS(number, 3661.5);
  IS(CAClockSetPlayRate(clock, 0), kCAClock_InvalidPlayRateError);
  IS(CAClockSetProperty(clock, 0x6e6f6e65, 4, &size), kCAClock_UnknownPropertyError);
  IS(CAClockSetProperty(clock, kCAClockProperty_SyncMode, 4, &size), kCAClock_InvalidSyncModeError);
  IS(CAClockSetProperty(clock, kCAClockProperty_SMPTEOffset, 4, &size),
     kCAClock_InvalidPropertySizeError);
  IS(CAClockGetCurrentTime(clock, 0x6e6f6e65, &result), kCAClock_InvalidTimeFormatError);
  IS(CAClockNew(1, &follower), -50);
  IS(CAClockStart(NULL), -50);
}

int main(void) {
  CAClockRef clock;
  CAClockTime time, result;
  MIDIClientRef client;
  MIDIEndpointRef destination;
  UInt32 mode = kCAClockSyncMode_MIDIClockTransport;
  const CATempoMapEntry tempo = {0, 300};
  Float64 heard = 0;
  IS(CAClockNew(0, &clock), 0);
  IS(CAClockAddListener(clock, told, NULL), 0);
  conversions(clock);
  IS(CAClockNew(0, &follower), 0);
  IS(CAClockAddListener(follower, followed, NULL), 0);
  IS(CAClockSetProperty(follower, kCAClockProperty_SyncMode, 4, &mode), 0);
  IS(CAClockSetProperty(clock, kCAClockProperty_TempoMap, sizeof tempo, &tempo), 0);
  IS(CAClockSetProperty(follower, kCAClockProperty_TempoMap, sizeof tempo, &tempo), 0);
  IS(MIDIClientCreate(CFSTR("Clock"), NULL, NULL, &client), 0);
  IS(MIDIDestinationCreate(client, CFSTR("Follower"), hear, NULL, &destination), 0);
  IS(CAClockSetProperty(clock, kCAClockProperty_MIDIClockDestinations, 4, &destination), 0);
  time = at(kCAClockTimeFormat_Beats, 8);
  IS(CAClockSetCurrentTime(clock, &time), 0);
  IS(set, 1);
  IS(CAClockStart(follower), 0);
  IS(CAClockStart(clock), 0);
  IS(started, 1);
  IS(CAClockSetCurrentTime(clock, &time), kCAClock_CannotSetTimeError);
  AWAIT(ticks >= 120);
  IS(ticks >= 120, 1);
  IS(CAClockGetCurrentTime(clock, kCAClockTimeFormat_Beats, &result), 0);
  // A moment of the host is one of the clock's, while it runs.
  IS(CAClockTranslateTime(clock, &result, kCAClockTimeFormat_HostTime, &time), 0);
  IS(CAClockTranslateTime(clock, &time, kCAClockTimeFormat_Beats, &time), 0);
  IS(fabs(time.time.beats - result.time.beats) < 1e-6, 1);
  IS(CAClockStop(clock), 0);
  IS(stopped, 1);
  AWAIT(hasFollowed);
  IS(hasFollowed, 1);
  // Both stop at about the same beat, a second and more behind the eighth.
  IS(CAClockGetCurrentTime(follower, kCAClockTimeFormat_Beats, &result), 0);
  heard = result.time.beats;
  IS(CAClockGetCurrentTime(clock, kCAClockTimeFormat_Beats, &result), 0);
  IS(heard > 12 && fabs(heard - result.time.beats) < 0.5, 1);
  IS(CAClockRemoveListener(clock, told, NULL), 0);
  IS(CAClockRemoveListener(clock, told, NULL), -50);
  IS(CAClockDispose(clock), 0);
  IS(CAClockDispose(clock), -50);
  IS(CAClockDispose(follower), 0);
  IS(MIDIClientDispose(client), 0);
  return failures > 0;
}
