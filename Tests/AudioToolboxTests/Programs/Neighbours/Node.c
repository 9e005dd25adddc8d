// A program that publishes a unit, as those of inter-app audio do: publish, formats, transport, MIDI.
// SPDX-License-Identifier: Apache-2.0
//
// usage: Node KIND LOG [dies SLICE | forks SLICE | version NUMBER | sleeps SLICE | units 2]
// Ends when a file LOG.end is there, and after two minutes.
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "../AwaitFile.h"
#include "../Devices/Check.h"
#include "NeighbourSound.h"

/// A unit that is published.
typedef struct {
  AudioUnit output;
  Sound sound;
  long slices;
  HostCallbackInfo host;
} Part;

static Part parts[4];
static const char *kind;
static FILE *logFile;
static char endPath[4096];
static long diesAt = -1, sleepsAt = -1, forksAt = -1;

static void note(const char *text, int value) {
  fprintf(logFile, "%s %d\n", text, value);
  fflush(logFile);
}

static OSStatus render(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                       UInt32 frames, AudioBufferList *buffers) {
  (void)bus;
  Part *part = refCon;
  if (part->slices == forksAt) {
    // The child goes on, with all that was open.
    if (fork() == 0) {
      awaitFile(endPath);
      _exit(0);
    }
    raise(SIGKILL);
  }
  if (part->slices++ == diesAt) raise(SIGKILL);
  while (part->slices == sleepsAt) pause();
  if (hasInput(kind)) {
    OSStatus status = AudioUnitRender(part->output, flags, time, 1, frames, buffers);
    if (status != noErr) return status;
  }
  Float64 beat = 0, tempo = 0;
  Boolean isPlaying = false;
  const HostCallbackInfo *host = &part->host;
  if (host->transportStateProc2)
    host->transportStateProc2(host->hostUserData, &isPlaying, NULL, NULL, NULL, NULL, NULL, NULL);
  if (isPlaying && host->beatAndTempoProc) host->beatAndTempoProc(host->hostUserData, &beat, &tempo);
  soundRender(&part->sound, buffers->mBuffers[0].mData, buffers->mBuffers[1].mData, frames, hasInput(kind), hasSong(kind),
              beat);
  return noErr;
}

static void message(void *data, UInt32 status, UInt32 data1, UInt32 data2, UInt32 frame) {
  soundMessage(data, status, data1, data2, frame);
}

static void sysEx(void *data, const UInt8 *bytes, UInt32 count) {
  if (count > 1 && bytes[0] == 0xF0 && bytes[count - 1] == 0xF7) ((Sound *)data)->sysExBytes += count;
}

static void changed(void *refCon, AudioUnit unit, AudioUnitPropertyID property, AudioUnitScope scope,
                    AudioUnitElement element) {
  (void)scope, (void)element;
  Part *part = refCon;
  UInt32 value = 0, size = sizeof value;
  if (property == kAudioUnitProperty_IsInterAppConnected) {
    CHECK(AudioUnitGetProperty(unit, property, kAudioUnitScope_Global, 0, &value, &size));
    note("connected", (int)value);
    memset(&part->host, 0, sizeof part->host);
    if (!value) return;
    size = sizeof part->host;
    CHECK(AudioUnitGetProperty(unit, kAudioUnitProperty_HostCallbacks, kAudioUnitScope_Global, 0, &part->host, &size));
    AudioComponentDescription opened;
    size = sizeof opened;
    CHECK(AudioUnitGetProperty(unit, kAudioOutputUnitProperty_NodeComponentDescription, kAudioUnitScope_Global, 0,
                                    &opened, &size));
    note("opened", opened.componentType == soundDescription(kind).componentType);
    note("peer", hasPeer(unit, "Host"));
    memset(&part->sound, 0, sizeof part->sound);
    part->slices = 0;
    CHECK(AudioOutputUnitStart(unit));
  } else if (property == kAudioOutputUnitProperty_HostTransportState) {
    note("transport", 0);
    CHECK(AudioUnitGetProperty(unit, kAudioOutputUnitProperty_HostReceivesRemoteControlEvents,
                                    kAudioUnitScope_Global, 0, &value, &size));
    UInt32 event = kAudioUnitRemoteControlEvent_TogglePlayPause;
    if (value)
      note("sent", AudioUnitSetProperty(unit, kAudioOutputUnitProperty_RemoteControlToHost, kAudioUnitScope_Global, 0,
                                        &event, sizeof event));
  }
}

static void received(void *block, UInt32 event) {
  (void)block;
  note("received", (int)event);
}

/// Makes a unit, and publishes it.
static int publish(Part *part, UInt32 version) {
  AudioComponentDescription io = {.componentType = kAudioUnitType_Output, .componentSubType = kAudioUnitSubType_RemoteIO,
      .componentManufacturer = kAudioUnitManufacturer_Apple};
  CHECK(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &io), &part->output));
  UInt32 one = 1;
  if (hasInput(kind))
    CHECK(AudioUnitSetProperty(part->output, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &one, sizeof one));
  AudioStreamBasicDescription format = soundFormat(48000);
  CHECK(AudioUnitSetProperty(part->output, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof format));
  CHECK(AudioUnitSetProperty(part->output, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &format, sizeof format));
  AURenderCallbackStruct callback = {render, part};
  CHECK(AudioUnitSetProperty(part->output, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
                             sizeof callback));
  AudioOutputUnitMIDICallbacks midi = {&part->sound, message, sysEx};
  CHECK(AudioUnitSetProperty(part->output, kAudioOutputUnitProperty_MIDICallbacks, kAudioUnitScope_Global, 0, &midi,
                             sizeof midi));
  static const EventBlock block = {NULL, blockIsGlobal, 0, received, NULL};
  const void *pointer = &block;
  CHECK(AudioUnitSetProperty(part->output, kAudioUnitProperty_RemoteControlEventListener, kAudioUnitScope_Global, 0, &pointer,
                             sizeof pointer));
  CHECK(AudioUnitAddPropertyListener(part->output, kAudioUnitProperty_IsInterAppConnected, changed, part));
  CHECK(AudioUnitAddPropertyListener(part->output, kAudioOutputUnitProperty_HostTransportState, changed, part));
  UInt32 connected = 1, size = sizeof connected;
  CHECK(AudioUnitGetProperty(part->output, kAudioUnitProperty_IsInterAppConnected, kAudioUnitScope_Global, 0, &connected,
                             &size));
  note("before", (int)connected);
  AudioComponentDescription description = soundDescription(kind);
  note("published", AudioOutputUnitPublish(&description, CFSTR("Test: Neighbour"), version, part->output));
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 3) return 64;
  kind = argv[1];
  logFile = fopen(argv[2], "a");
  if (!logFile) return 66;
  UInt32 version = 0x10200;
  long units = 1;
  if (argc > 4 && strcmp(argv[3], "dies") == 0) diesAt = atol(argv[4]);
  if (argc > 4 && strcmp(argv[3], "forks") == 0) forksAt = atol(argv[4]);
  if (argc > 4 && strcmp(argv[3], "sleeps") == 0) sleepsAt = atol(argv[4]);
  if (argc > 4 && strcmp(argv[3], "units") == 0) units = atol(argv[4]);
  if (argc > 4 && strcmp(argv[3], "version") == 0) version = (UInt32)atol(argv[4]);
  snprintf(endPath, sizeof endPath, "%s.end", argv[2]);
  for (long index = 0; index < units; index++)
    if (publish(&parts[index], version)) return 1;
  awaitFile(endPath);
  for (long index = 0; index < units; index++) CHECK(AudioComponentInstanceDispose(parts[index].output));
  note("ended", 0);
  return 0;
}
