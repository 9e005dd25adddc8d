// A unit that changes its state by itself: from the first sample above 0.9 on it halves its input, and reports that.
// SPDX-License-Identifier: Apache-2.0

#include <Auricle/AuricleUnit.h>
#include <AudioToolbox/AudioComponent.h>
#include <CoreFoundation/CoreFoundation.h>

struct State {
  SInt32 hasLearnt;
};

/// The listener of the state; this unit has one instance a process.
static AudioUnitPropertyListenerProc listener;
static void *listenerContext;
static AudioComponentMethod (*lookUpHelper)(SInt16 selector);
static AudioUnitAddPropertyListenerProc addToHelper;

static void process(void *state, const AuricleSlice *slice) {
  struct State *self = state;
  for (UInt32 i = 0; i < slice->frameCount; i++) {
    if (slice->inputs[0][i] > 0.9f && !self->hasLearnt) {
      self->hasLearnt = 1;
      if (listener) listener(listenerContext, NULL, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0);
    }
    slice->outputs[0][i] = slice->inputs[0][i] * (self->hasLearnt ? 0.5f : 1);
  }
}

static void save(void *state, CFMutableDictionaryRef info) {
  CFNumberRef value = CFNumberCreate(NULL, kCFNumberSInt32Type, &((struct State *)state)->hasLearnt);
  CFDictionarySetValue(info, CFSTR("test.learnt"), value);
  CFRelease(value);
}

static void restore(void *state, CFDictionaryRef info) {
  const void *value = CFDictionaryGetValue(info, CFSTR("test.learnt"));
  if (value) CFNumberGetValue(value, kCFNumberSInt32Type, &((struct State *)state)->hasLearnt);
}

static OSStatus addListener(void *plugIn, AudioUnitPropertyID property, AudioUnitPropertyListenerProc procedure,
                            void *context) {
  if (property == kAudioUnitProperty_ClassInfo) {
    listenerContext = context;
    listener = procedure;
  }
  return addToHelper(plugIn, property, procedure, context);
}

static AudioComponentMethod lookUp(SInt16 selector) {
  if (selector == kAudioUnitAddPropertyListenerSelect) return (AudioComponentMethod)(void *)addListener;
  return lookUpHelper(selector);
}

static const AUChannelInfo channels[] = {{1, 1}};

static const AuricleUnitDefinition definition = {.stateSize = sizeof(struct State), .process = process,
                                                 .channels = channels, .channelCount = 1, .save = save,
                                                 .restore = restore};

__attribute__((visibility("default"))) AudioComponentPlugInInterface *LearningUnitFactory(
    const AudioComponentDescription *description) {
  AudioComponentPlugInInterface *made = AuricleMakeUnit(&definition, description);
  if (!made) return NULL;
  lookUpHelper = made->Lookup;
  addToHelper = (AudioUnitAddPropertyListenerProc)(void *)made->Lookup(kAudioUnitAddPropertyListenerSelect);
  made->Lookup = lookUp;
  return made;
}
