// A host in C: finds units by their codes, opens and connects them, renders, prints a peak.
// SPDX-License-Identifier: Apache-2.0
//
// Arguments: type, subtype and manufacturer of each unit, four characters each. The first one gets
// a sine, each later one the unit before it. Ends with 0 and a line "NAME: peak VALUE", the name of
// the last unit, when all went well; otherwise with 1 and a line that says which call failed.
#include <AudioToolbox/AudioToolbox.h>
#include <mach/mach_time.h>

enum { channelCount = 2, sliceFrames = 512, sliceCount = 20 };

static const double sampleRate = 48000;
static const double twoPi = 6.283185307179586;

static OSType code(const char *text) {
  return (OSType)text[0] << 24 | (OSType)text[1] << 16 | (OSType)text[2] << 8 | (OSType)text[3];
}

static void check(OSStatus status, const char *what) {
  if (status == noErr) return;
  printf("%s: %d\n", what, (int)status);
  exit(1);
}

// A sine of 1 kHz at half of full scale, on both channels.
static OSStatus input(
    void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *timeStamp,
    UInt32 element, UInt32 frameCount, AudioBufferList *buffers) {
  UInt32 channel, frame;
  (void)flags;
  (void)element;
  ++*(int *)refCon;
  for (channel = 0; channel < buffers->mNumberBuffers; ++channel) {
    Float32 *samples = (Float32 *)buffers->mBuffers[channel].mData;
    for (frame = 0; frame < frameCount; ++frame) {
      samples[frame] =
          (Float32)(0.5 * sin(twoPi * 1000 * (timeStamp->mSampleTime + frame) / sampleRate));
    }
  }
  return noErr;
}

static double render(AudioUnit unit) {
  static Float32 samples[channelCount][sliceFrames];
  char storage[offsetof(AudioBufferList, mBuffers) + channelCount * sizeof(AudioBuffer)];
  AudioBufferList *list = (AudioBufferList *)(void *)storage;
  AudioTimeStamp time = {0};
  double peak = 0;
  int slice, channel, frame;
  time.mFlags = kAudioTimeStampSampleTimeValid | kAudioTimeStampHostTimeValid;
  for (slice = 0; slice < sliceCount; ++slice) {
    AudioUnitRenderActionFlags flags = 0;
    list->mNumberBuffers = channelCount;
    for (channel = 0; channel < channelCount; ++channel) {
      list->mBuffers[channel].mNumberChannels = 1;
      list->mBuffers[channel].mDataByteSize = sizeof(samples[channel]);
      list->mBuffers[channel].mData = samples[channel];
    }
    time.mSampleTime = slice * sliceFrames;
    time.mHostTime = mach_absolute_time();
    check(AudioUnitRender(unit, &flags, &time, 0, sliceFrames, list), "AudioUnitRender");
    for (channel = 0; channel < channelCount; ++channel) {
      for (frame = 0; frame < sliceFrames; ++frame) {
        const double sample = fabs(((Float32 *)list->mBuffers[channel].mData)[frame]);
        if (!(sample <= peak)) peak = sample;
      }
    }
  }
  return peak;
}

static void setUp(AudioUnit unit, AudioUnit source, int *pulls) {
  AudioStreamBasicDescription format = {0};
  AURenderCallbackStruct callback;
  AudioUnitConnection connection;
  UInt32 maximum = sliceFrames;
  UInt32 size = 0;
  Boolean isWritable = false;
  format.mSampleRate = sampleRate;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = kAudioFormatFlagsAudioUnitCanonical;
  format.mBytesPerPacket = format.mBytesPerFrame = sizeof(Float32);
  format.mFramesPerPacket = 1;
  format.mChannelsPerFrame = channelCount;
  format.mBitsPerChannel = 32;
  check(
      AudioUnitGetPropertyInfo(
          unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &size, &isWritable),
      "AudioUnitGetPropertyInfo");
  if (size != sizeof(format) || !isWritable) check(-1, "the stream format cannot be set");
  check(
      AudioUnitSetProperty(
          unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format, sizeof(format)),
      "input format");
  check(
      AudioUnitSetProperty(
          unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format,
          sizeof(format)),
      "output format");
  check(
      AudioUnitSetProperty(
          unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &maximum,
          sizeof(maximum)),
      "maximum frames");
  callback.inputProc = input;
  callback.inputProcRefCon = pulls;
  connection.sourceAudioUnit = source;
  connection.sourceOutputNumber = 0;
  connection.destInputNumber = 0;
  if (source == NULL) {
    check(
        AudioUnitSetProperty(
            unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
            sizeof(callback)),
        "render callback");
  } else {
    check(
        AudioUnitSetProperty(
            unit, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, &connection,
            sizeof(connection)),
        "connection");
  }
  check(AudioUnitInitialize(unit), "AudioUnitInitialize");
}

// Finds a unit by three arguments, opens it, and returns its name.
static AudioUnit openUnit(char **arguments, char *text, CFIndex textSize) {
  AudioComponentDescription wanted = {0, 0, 0, 0, 0};
  AudioComponentDescription found;
  AudioComponent component;
  AudioUnit unit = NULL;
  CFStringRef name = NULL;
  wanted.componentType = code(arguments[0]);
  wanted.componentSubType = code(arguments[1]);
  wanted.componentManufacturer = code(arguments[2]);
  component = AudioComponentFindNext(NULL, &wanted);
  if (component == NULL) check(-1, "AudioComponentFindNext found nothing");
  if (AudioComponentFindNext(component, &wanted) != NULL) check(-1, "found it twice");
  check(AudioComponentGetDescription(component, &found), "AudioComponentGetDescription");
  if (found.componentSubType != wanted.componentSubType) check(-1, "found another");
  check(AudioComponentCopyName(component, &name), "AudioComponentCopyName");
  CFStringGetCString(name, text, textSize, kCFStringEncodingUTF8);
  CFRelease(name);
  check(AudioComponentInstanceNew(component, &unit), "AudioComponentInstanceNew");
  if (AudioComponentInstanceGetComponent(unit) != component) check(-1, "of another component");
  return unit;
}

int main(int count, char **arguments) {
  AudioUnit units[4] = {NULL};
  char text[256];
  int pulls = 0;
  const int unitCount = (count - 1) / 3;
  int unit;
  double peak;
  if (unitCount < 1 || unitCount > 4 || count != 1 + 3 * unitCount) return 64;
  for (unit = 0; unit < unitCount; ++unit) {
    units[unit] = openUnit(arguments + 1 + 3 * unit, text, sizeof(text));
    setUp(units[unit], unit > 0 ? units[unit - 1] : NULL, &pulls);
  }
  peak = render(units[unitCount - 1]);
  for (unit = unitCount - 1; unit >= 0; --unit) {
    check(AudioUnitReset(units[unit], kAudioUnitScope_Global, 0), "AudioUnitReset");
    check(AudioUnitUninitialize(units[unit]), "AudioUnitUninitialize");
    check(AudioComponentInstanceDispose(units[unit]), "AudioComponentInstanceDispose");
  }
  if (pulls != sliceCount) check(pulls, "pulls of the input");
  printf("%s: peak %.4f\n", text, peak);
  return 0;
}
