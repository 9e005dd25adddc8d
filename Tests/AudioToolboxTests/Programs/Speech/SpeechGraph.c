// A speech unit that a graph pulls: speech on its channel comes out of it, exact to the frame.
// SPDX-License-Identifier: Apache-2.0
#include <ApplicationServices/ApplicationServices.h>

#include "../Await.h"
#include "../CanonicalFormat.h"
#include "../Music/Expect.h"

enum { kFrames = 60000 };

static int words = 0, dones = 0;

static void onWord(SpeechChannel channel, SRefCon refCon, unsigned long position, UInt16 length) {
  (void)channel, (void)refCon, (void)position, (void)length;
  __atomic_add_fetch(&words, 1, __ATOMIC_SEQ_CST);
}

static void onDone(SpeechChannel channel, SRefCon refCon) {
  (void)channel, (void)refCon;
  __atomic_add_fetch(&dones, 1, __ATOMIC_SEQ_CST);
  post();
}

static double place = 0;

// Pulls frames out of the end of the graph, left alone.
static void pull(AudioUnit head, Float32 *samples, UInt32 count, UInt32 slice) {
  static Float32 right[kFrames];
  struct {
    UInt32 count;
    AudioBuffer buffers[2];
  } list = {2, {{1, 0, NULL}, {1, 0, NULL}}};
  for (UInt32 done = 0; done < count; done += slice) {
    const UInt32 frames = count - done < slice ? count - done : slice;
    AudioUnitRenderActionFlags flags = 0;
    AudioTimeStamp stamp = {0};
    stamp.mSampleTime = place;
    stamp.mFlags = kAudioTimeStampSampleTimeValid;
    list.buffers[0] = (AudioBuffer){1, frames * 4, samples + done};
    list.buffers[1] = (AudioBuffer){1, frames * 4, right};
    OK(AudioUnitRender(head, &flags, &stamp, 0, frames, (AudioBufferList *)&list));
    place += frames;
  }
}

static Float32 loudest(const Float32 *samples, UInt32 count) {
  Float32 found = 0;
  for (UInt32 index = 0; index < count; index++) found = fmaxf(found, fabsf(samples[index]));
  return found;
}

int main(void) {
  AUGraph graph;
  AUNode speech, output;
  AudioUnit unit, head;
  SpeechChannel channel = NULL, again = NULL;
  UInt32 size = sizeof channel;
  AudioComponentDescription wanted = {'augn', kAudioUnitSubType_SpeechSynthesis, 'appl', 0, 0};
  OK(NewAUGraph(&graph));
  OK(AUGraphAddNode(graph, &wanted, &speech));
  wanted.componentType = kAudioUnitType_Output;
  wanted.componentSubType = kAudioUnitSubType_GenericOutput;
  OK(AUGraphAddNode(graph, &wanted, &output));
  OK(AUGraphConnectNodeInput(graph, speech, 0, output, 0));
  OK(AUGraphOpen(graph));
  OK(AUGraphNodeInfo(graph, speech, NULL, &unit));
  OK(AUGraphNodeInfo(graph, output, NULL, &head));
  OK(AUGraphInitialize(graph));
  OK(AudioUnitGetProperty(unit, kAudioUnitProperty_SpeechChannel, kAudioUnitScope_Global, 0, &channel, &size));
  OK(AudioUnitGetProperty(unit, kAudioUnitProperty_SpeechChannel, kAudioUnitScope_Global, 0, &again, &size));
  TRUE_(channel && channel == again);
  VoiceSpec voice;
  size = sizeof voice;
  OK(AudioUnitGetProperty(unit, kAudioUnitProperty_Voice, kAudioUnitScope_Global, 0, &voice, &size));
  OK(AudioUnitSetProperty(unit, kAudioUnitProperty_Voice, kAudioUnitScope_Global, 0, &voice, sizeof voice));
  static Float32 first[kFrames], second[kFrames], quiet[kFrames];
  pull(head, quiet, 1000, 500);
  TRUE_(loudest(quiet, 1000) == 0);

  OK(SetSpeechInfo(channel, soWordCallBack, (const void *)onWord));
  OK(SetSpeechInfo(channel, soSpeechDoneCallBack, (const void *)onDone));
  // A second and a bit at 44,100 Hz.
  CFStringRef text = CFSTR("[[rate 240]]Take the second exit");
  OK(SpeakCFString(channel, text, NULL));
  pull(head, first, kFrames, 512);
  TRUE_(loudest(first, kFrames) > 0.05f);
  AWAIT(__atomic_load_n(&dones, __ATOMIC_SEQ_CST));
  TRUE_(dones == 1 && words == 4 && SpeechBusy() == 0);

  // Held in the middle, it is silent, and goes on with the next sample.
  OK(SpeakCFString(channel, text, NULL));
  pull(head, second, 20001, 333);
  OK(PauseSpeechAt(channel, kImmediate));
  pull(head, quiet, 5000, 512);
  TRUE_(loudest(quiet, 5000) == 0);
  OK(ContinueSpeech(channel));
  pull(head, second + 20001, kFrames - 20001, 64);
  // Slices below -156 dBFS count as silence.
  for (int frame = 0; frame < kFrames; frame++) second[frame] -= first[frame];
  TRUE_(loudest(second, kFrames) < 2e-8f);

  OK(SpeakCFString(channel, text, NULL));
  pull(head, second, 4000, 400);
  OK(StopSpeech(channel));
  pull(head, quiet, 40000, 400);
  TRUE_(loudest(quiet, 40000) == 0);

  // The unit goes while something is said.
  OK(SpeakCFString(channel, text, NULL));
  OK(DisposeAUGraph(graph));
  AWAIT(SpeechBusy() == 0);
  TRUE_(SpeechBusy() == 0);
  return failures > 0;
}
