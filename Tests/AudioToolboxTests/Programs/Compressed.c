// A program that encodes and decodes sound in every format there is, as programs for macOS do.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>
#include <Auricle/AuricleFiles.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Packets.h"

// For MP2 and AC-3, the last packet holds only the encoder's delayed frames.
enum { kFrames = 50500 };

static double pitch = 1;  // how much higher than usual: codecs for speech have no low sounds

static double tone(UInt32 place, UInt32 channel) {
  const double frame = place * pitch;
  if (channel == 5) return 0.4 * sin(frame * 0.004);  // LFE, where six channels have it
  return 0.4 * sin(frame * 0.05 * (channel + 1)) * (0.5 + 0.5 * sin(frame * 0.0007)) +
         0.1 * sin(frame * 0.0131 + channel);
}

// Formats that lose: frame n that goes in is frame n that comes out, within an error.
static void lossy(const char *name, UInt32 id, double rate, UInt32 channels, UInt32 bitRate, double error) {
  subject = name;
  AudioStreamBasicDescription linear = pcm(rate, channels, 32, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked);
  float *in = (float *)malloc(kFrames * channels * 4), *out = (float *)calloc((kFrames + 8000) * channels, 4);
  for (UInt32 i = 0; i < kFrames; i++)
    for (UInt32 c = 0; c < channels; c++) in[i * channels + c] = (float)tone(i, c);
  Packets packets;
  encode(in, linear, kFrames, packed(id, rate, channels, 0), bitRate, &packets);
  if (packets.format.mFramesPerPacket)
    check(packets.count * packets.format.mFramesPerPacket ==
              kFrames + packets.prime.leadingFrames + packets.prime.trailingFrames,
          "frames of all packets are the sound and what lies around it");
  UInt32 all = decode(&packets, linear, 0, out, kFrames + 7000);
  check(all == kFrames + packets.prime.leadingFrames + packets.prime.trailingFrames, "all frames are decoded");
  UInt32 count = decode(&packets, linear, 1, out, kFrames + 7000);
  check(count == kFrames, "as many frames come out as went in");
  double sum = 0, power = 0;
  for (UInt32 i = 0; i < count * channels; i++) {
    sum += (in[i] - out[i]) * (in[i] - out[i]);
    power += in[i] * in[i];
  }
  check(sqrt(sum / power) < error, "the sound is in place");
  if (sqrt(sum / power) >= error) printf("%s: error %g\n", name, sqrt(sum / power));
  free(in), free(out), free(packets.bytes), free(packets.places);
}

// Formats that lose nothing: the same bits.
static void lossless(const char *name, UInt32 id, double rate, UInt32 channels, UInt32 bits, UInt32 flags) {
  subject = name;
  AudioStreamBasicDescription linear = pcm(rate, channels, bits <= 16 ? 16 : 32,
                                           kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked);
  UInt32 size = kFrames * linear.mBytesPerFrame;
  UInt8 *in = (UInt8 *)malloc(size), *out = (UInt8 *)malloc(size + 8000 * linear.mBytesPerFrame);
  UInt32 state = 7;
  for (UInt32 i = 0; i < kFrames * channels; i++) {
    state = state * 1664525u + 1013904223u;
    double value = tone(i / channels, i % channels) + ((state >> 8) / 16777216.0 - 0.5) * 0.01;
    if (i % 5000 < 40) value = state & 1 ? 0.99999 : -1;  // the very ends
    if (bits <= 16)
      ((SInt16 *)in)[i] = (SInt16)lrint(value * 32767);
    else
      ((UInt32 *)in)[i] = (UInt32)((SInt64)llrint(value * 2147483647.0)) & ~((bits < 32 ? 1u << (32 - bits) : 1u) - 1);
  }
  Packets packets;
  encode(in, linear, kFrames, packed(id, rate, channels, flags), 0, &packets);
  check(packets.format.mFormatFlags == flags, "the depth stays");
  check(packets.count * packets.format.mFramesPerPacket == kFrames + packets.prime.trailingFrames,
        "what lacks of the last packet is told");
  UInt32 count = decode(&packets, linear, 1, out, kFrames + 7000);
  check(count == kFrames, "as many frames come out as went in");
  check(memcmp(in, out, size) == 0, "the same bits come out");
  check(packets.size < size, "it is smaller");
  free(in), free(out), free(packets.bytes), free(packets.places);
}

// Provides packets without descriptions, none of a size, damage.
static OSStatus giveBadly(AudioConverterRef converter, UInt32 *count, AudioBufferList *data,
                          AudioStreamPacketDescription **descriptions, void *userData) {
  static UInt8 bytes[64];
  static AudioStreamPacketDescription place;
  const int kind = *(int *)userData;
  (void)converter;
  *count = 1;
  data->mBuffers[0].mData = bytes;
  data->mBuffers[0].mDataByteSize = kind == 1 ? 0 : sizeof bytes;
  place.mStartOffset = kind == 2 ? 60 : 0;
  place.mDataByteSize = 32;
  memset(bytes, kind == 3 ? 0xff : 0, sizeof bytes);
  *descriptions = kind == 0 ? NULL : &place;
  return noErr;
}

static OSStatus fillBadly(AudioConverterRef converter, int kind) {
  static float room[4096];
  UInt32 count = 1000;
  AudioBufferList list = {1, {{2, 8000, room}}};
  return AudioConverterFillComplexBuffer(converter, giveBadly, &kind, &count, &list, NULL);
}

static void mistakes(void) {
  subject = "mistakes";
  AudioStreamBasicDescription linear = pcm(44100, 2, 32, kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked);
  AudioStreamBasicDescription aac = packed(kAudioFormatMPEG4AAC, 44100, 2, 0), mp3 = packed(kAudioFormatMPEGLayer3, 44100, 2, 0);
  AudioConverterRef converter = NULL;
  check(AudioConverterNew(&aac, &mp3, &converter) == kAudioConverterErr_FormatNotSupported && !converter,
        "two compressed formats are refused");
  const UInt32 nobody[] = {kAudioFormatMPEG4CELP, kAudioFormatMPEG4HVXC, kAudioFormatMPEG4TwinVQ, 0x78787878};
  for (int i = 0; i < 4; i++) {
    AudioStreamBasicDescription strange = packed(nobody[i], 44100, 2, 0);
    check(AudioConverterNew(&strange, &linear, &converter) == kAudioConverterErr_FormatNotSupported, "nobody decodes it");
    check(AudioConverterNew(&linear, &strange, &converter) == kAudioConverterErr_FormatNotSupported, "nobody encodes it");
  }
  AudioStreamBasicDescription wide = packed(kAudioFormatMPEG4AAC_HE, 44100, 2, 0);
  check(AudioConverterNew(&linear, &wide, &converter) == kAudioConverterErr_FormatNotSupported, "nor high efficiency");
  aac.mChannelsPerFrame = 40;
  check(AudioConverterNew(&linear, &aac, &converter) == kAudioConverterErr_FormatNotSupported, "nor forty channels");
  aac.mChannelsPerFrame = 2;
  AudioClassDescription classes[2] = {{kAudioEncoderComponentType, kAudioFormatMPEG4AAC, 0x78787878},
                                      {kAudioEncoderComponentType, kAudioFormatMPEG4AAC, kAudioUnitManufacturer_Apple}};
  check(AudioConverterNewSpecific(&linear, &aac, 1, classes, &converter) == kAudioConverterErr_FormatNotSupported,
        "the codec of another maker is refused");
  check(AudioConverterNewSpecific(&linear, &aac, 2, classes, &converter) == noErr, "the second of a list is taken");
  UInt8 bytes[64] = {0};
  UInt32 size = sizeof bytes, rate = 128000;
  check(AudioConverterConvertBuffer(converter, 64, bytes, &size, bytes) == kAudioConverterErr_OperationNotSupported,
        "buffers are not for packets");
  check(AudioConverterSetProperty(converter, kAudioConverterEncodeBitRate, 3, &rate) == kAudioConverterErr_BadPropertySizeError,
        "a bit rate of three bytes");
  check(AudioConverterSetProperty(converter, kAudioConverterDecompressionMagicCookie, 4, bytes) != noErr, "an encoder takes no cookie");
  check(AudioConverterDispose(converter) == noErr && AudioConverterReset(converter) == kAudio_ParamError, "it ends");
  check(AudioConverterNew(&aac, &linear, &converter) == noErr, "a decoder is made");
  check(AudioConverterSetProperty(converter, kAudioConverterDecompressionMagicCookie, 3, bytes) == 0x21646174, "a cookie that is none");
  check(AudioConverterSetProperty(converter, kAudioConverterDecompressionMagicCookie, 0, NULL) ==
            kAudioConverterErr_BadPropertySizeError, "an empty one");
  check(AudioConverterSetProperty(converter, kAudioConverterEncodeBitRate, 4, &rate) == kAudioConverterErr_PropertyNotSupported,
        "a decoder has no bit rate to set");
  check(fillBadly(converter, 0) == kAudioConverterErr_RequiresPacketDescriptionsError, "no descriptions");
  check(fillBadly(converter, 1) == kAudioConverterErr_InvalidInputSize, "no bytes");
  check(fillBadly(converter, 2) == kAudioConverterErr_InvalidInputSize, "a packet outside of its buffer");
  check(fillBadly(converter, 3) == 0x62616461, "damage");
  check(AudioConverterReset(converter) == noErr && AudioConverterDispose(converter) == noErr, "it goes on and ends");
  AudioStreamBasicDescription alac = packed(kAudioFormatAppleLossless, 44100, 2, 1);
  check(AudioConverterNew(&alac, &linear, &converter) == noErr, "a decoder of ALAC waits for its cookie");
  check(fillBadly(converter, 3) == 0x21646174, "and decodes nothing without");
  check(AudioConverterDispose(converter) == noErr, "it ends");
  // The laws of G.711 convert whole buffers.
  AudioStreamBasicDescription law = packed(kAudioFormatULaw, 8000, 1, 0), shorts = pcm(8000, 1, 16, 12);
  SInt16 in[4] = {0, 1000, -1000, 32767}, out[4];
  law.mBytesPerPacket = law.mFramesPerPacket = law.mBytesPerFrame = 1;
  law.mBitsPerChannel = 8;
  check(AudioConverterNew(&shorts, &law, &converter) == noErr, "a law is set up");
  size = 4;
  check(AudioConverterConvertBuffer(converter, 8, in, &size, bytes) == noErr && size == 4, "frames become bytes");
  check(bytes[0] == 0xff && bytes[3] == 0x80, "as G.711 says");
  AudioConverterDispose(converter);
  check(AudioConverterNew(&law, &shorts, &converter) == noErr, "and back");
  size = 8;
  check(AudioConverterConvertBuffer(converter, 4, bytes, &size, out) == noErr && size == 8 && out[3] == 32124, "bytes become frames");
  AudioConverterDispose(converter);
  UInt32 ids[100], count = sizeof ids;
  check(AudioFormatGetProperty(kAudioFormatProperty_EncodeFormatIDs, 0, NULL, &count, ids) == noErr && count > 15 * 4, "encoders are listed");
  count = sizeof ids;
  check(AudioFormatGetProperty(kAudioFormatProperty_DecodeFormatIDs, 0, NULL, &count, ids) == noErr && count > 25 * 4, "and decoders");
}

// Samples that are no numbers or far too loud are encoded as something else, and end nothing.
static void wildNumbers(void) {
  static float samples[2 * 20000];
  const UInt32 ids[] = {kAudioFormatMPEG4AAC, kAudioFormatMPEGLayer3, kAudioFormatMPEGLayer2, kAudioFormatOpus,
                        kAuricleAudioFormatVorbis, kAudioFormatAC3, kAudioFormatAppleLossless};
  subject = "wild numbers";
  UInt32 state = 3;
  for (int i = 0; i < 40000; i++) {
    state = state * 1664525u + 1013904223u;
    memcpy(&samples[i], &state, 4);
  }
  for (int i = 0; i < 7; i++) {
    Packets packets;
    encode(samples, pcm(48000, 2, 32, 9), 20000, packed(ids[i], 48000, 2, 0), 0, &packets);
    check(packets.count > 2, "there are packets");
    free(packets.bytes), free(packets.places);
  }
}

int main(void) {
  mistakes();
  wildNumbers();
  lossy("AAC", kAudioFormatMPEG4AAC, 44100, 2, 192000, 0.05);
  lossy("AAC mono", kAudioFormatMPEG4AAC, 22050, 1, 0, 0.06);
  lossy("AAC 5.1", kAudioFormatMPEG4AAC, 48000, 6, 384000, 0.08);
  lossy("MP3", kAudioFormatMPEGLayer3, 44100, 2, 192000, 0.05);
  lossy("MP3 MPEG-2", kAudioFormatMPEGLayer3, 22050, 1, 64000, 0.06);
  lossy("MP2", kAudioFormatMPEGLayer2, 48000, 2, 256000, 0.05);
  lossy("Opus", kAudioFormatOpus, 48000, 2, 128000, 0.1);
  lossy("Opus 24 kHz", kAudioFormatOpus, 24000, 1, 64000, 0.1);
  lossy("Vorbis", kAuricleAudioFormatVorbis, 44100, 2, 0, 0.1);
  lossy("AC-3", kAudioFormatAC3, 48000, 2, 256000, 0.05);
  lossy("E-AC-3", kAudioFormatEnhancedAC3, 48000, 2, 256000, 0.05);
  lossy("mu-law", kAudioFormatULaw, 8000, 2, 0, 0.05);
  lossy("A-law", kAudioFormatALaw, 8000, 1, 0, 0.05);
  lossy("IMA4", kAudioFormatAppleIMA4, 44100, 2, 0, 0.1);
  lossy("MS ADPCM", kAuricleAudioFormatMicrosoftADPCM, 44100, 2, 0, 0.1);
  lossy("DVI", kAudioFormatDVIIntelIMA, 22050, 1, 0, 0.1);
  lossy("GSM", kAudioFormatMicrosoftGSM, 8000, 1, 0, 0.4);
  pitch = 8;
  lossy("AMR", kAudioFormatAMR, 8000, 1, 12200, 0.8);  // it moves phases; two frames off would be more
  lossy("AMR wide", kAudioFormatAMR_WB, 16000, 1, 23850, 0.3);
  pitch = 1;
  lossless("ALAC 16", kAudioFormatAppleLossless, 44100, 2, 16, 1);
  lossless("ALAC 20", kAudioFormatAppleLossless, 44100, 2, 20, 2);
  lossless("ALAC 32", kAudioFormatAppleLossless, 44100, 2, 32, 4);
  lossless("ALAC 32 mono", kAudioFormatAppleLossless, 8000, 1, 32, 4);
  lossless("ALAC 20, 7.1", kAudioFormatAppleLossless, 48000, 8, 20, 2);
  lossless("ALAC 24", kAudioFormatAppleLossless, 96000, 2, 24, 3);
  lossless("ALAC 5.1", kAudioFormatAppleLossless, 48000, 6, 24, 3);
  lossless("FLAC 16", kAudioFormatFLAC, 44100, 2, 16, 1);
  lossless("FLAC 24", kAudioFormatFLAC, 192000, 1, 24, 3);
  lossless("FLAC 7.1", kAudioFormatFLAC, 48000, 8, 16, 1);
  return faults > 0;
}
