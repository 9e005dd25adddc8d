// Converters of Core Audio's interface beside bare calls: time, passband and stopband of the filters.
// SPDX-License-Identifier: Apache-2.0
//
//   conversion ROUNDS    prints tables; a figure of time is the least of the rounds, which alternate
#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <soxr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../Tests/AudioToolboxTests/Programs/LinearPCM.h"

enum { kFrames = 1 << 18, kSlice = 4096, kTone = 1 << 16 };

typedef struct Filter {
  const char *name;
  UInt32 complexity, quality;
  unsigned long recipe;
} Filter;

static const Filter filters[] = {
    {"normal, Min", kAudioConverterSampleRateConverterComplexity_Normal, 0, SOXR_LQ},
    {"normal, Low", kAudioConverterSampleRateConverterComplexity_Normal, 32, SOXR_MQ},
    {"normal, Medium", kAudioConverterSampleRateConverterComplexity_Normal, 64, SOXR_20_BITQ},
    {"normal, High", kAudioConverterSampleRateConverterComplexity_Normal, 96, SOXR_24_BITQ},
    {"normal, Max", kAudioConverterSampleRateConverterComplexity_Normal, 127, SOXR_28_BITQ},
    {"mastering", kAudioConverterSampleRateConverterComplexity_Mastering, 127, SOXR_32_BITQ},
    {"minimum phase, Medium", kAudioConverterSampleRateConverterComplexity_MinimumPhase, 64,
     SOXR_20_BITQ | SOXR_MINIMUM_PHASE},
    {"linear", kAudioConverterSampleRateConverterComplexity_Linear, 0, 0},
};
enum { kFilters = sizeof filters / sizeof *filters };

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct Source {
  char *data;
  UInt32 frames, place, frameSize;
} Source;

static OSStatus give(AudioConverterRef converter, UInt32 *packets, AudioBufferList *data,
                     AudioStreamPacketDescription **descriptions, void *userData) {
  Source *source = userData;
  (void)converter, (void)descriptions;
  UInt32 count = source->frames - source->place;
  if (count > kSlice) count = kSlice;
  data->mBuffers[0].mData = source->data + (size_t)source->place * source->frameSize;
  data->mBuffers[0].mDataByteSize = count * source->frameSize;
  source->place += count;
  *packets = count;
  return noErr;
}

static UInt32 drain(AudioConverterRef converter, Source *source, char *out, UInt32 frameSize, UInt32 room) {
  UInt32 total = 0;
  for (;;) {
    UInt32 packets = room - total < kSlice ? room - total : kSlice;
    if (packets == 0) return total;
    AudioBufferList list = {1, {{1, packets * frameSize, out + (size_t)total * frameSize}}};
    if (AudioConverterFillComplexBuffer(converter, give, source, &packets, &list, NULL) || !packets)
      return total;
    total += packets;
  }
}

static AudioConverterRef make(AudioStreamBasicDescription from, AudioStreamBasicDescription to,
                              const Filter *filter) {
  AudioConverterRef converter = NULL;
  if (AudioConverterNew(&from, &to, &converter)) exit(1);
  if (filter) {
    AudioConverterSetProperty(converter, kAudioConverterSampleRateConverterComplexity, 4,
                              &filter->complexity);
    AudioConverterSetProperty(converter, kAudioConverterSampleRateConverterQuality, 4, &filter->quality);
  }
  return converter;
}

static double bare(const Filter *filter, double from, double to, const float *in, float *out) {
  soxr_quality_spec_t quality = soxr_quality_spec(filter->recipe, 0);
  soxr_t resampler = soxr_create(from, to, 2, NULL, NULL, &quality, NULL);
  double began = seconds();
  size_t made = 0;
  for (size_t i = 0; i < kFrames; i += kSlice) {
    size_t given = 0;
    soxr_process(resampler, in + 2 * i, kSlice, NULL, out + 2 * made, 4 * kFrames - made, &given);
    made += given;
  }
  soxr_process(resampler, NULL, 0, NULL, out + 2 * made, 4 * kFrames - made, NULL);
  began = seconds() - began;
  soxr_delete(resampler);
  return began;
}

static void rates(int rounds, float *in, float *out) {
  const double pairs[][2] = {{44100, 48000}, {96000, 44100}};
  printf("two channels of float, ns of processor a frame of the input\n");
  for (int filter = 0; filter < kFilters; filter++) {
    for (int pair = 0; pair < 2; pair++) {
      double ours = 1e9, floor = 1e9;
      for (int round = 0; round < rounds; round++) {
        AudioConverterRef converter = make(pcm(pairs[pair][0], 2, 32, 9), pcm(pairs[pair][1], 2, 32, 9),
                                           &filters[filter]);
        Source source = {(char *)in, kFrames, 0, 8};
        double began = seconds();
        drain(converter, &source, (char *)out, 8, 4 * kFrames);
        ours = fmin(ours, seconds() - began);
        AudioConverterDispose(converter);
        if (filters[filter].recipe)
          floor = fmin(floor, bare(&filters[filter], pairs[pair][0], pairs[pair][1], in, out));
      }
      printf("%-22s %6g to %g: %6.1f", filters[filter].name, pairs[pair][0], pairs[pair][1],
             1e9 * ours / kFrames);
      if (filters[filter].recipe)
        printf(", soxr bare %6.1f, ratio %.2f", 1e9 * floor / kFrames, ours / floor);
      printf("\n");
    }
  }
}

static void formats(int rounds, float *in, float *out) {
  const struct {
    const char *name;
    AudioStreamBasicDescription from, to;
  } cases[] = {
      {"float to float", pcm(48000, 2, 32, 9), pcm(48000, 2, 32, 9)},
      {"16 bits to float", pcm(48000, 2, 16, 12), pcm(48000, 2, 32, 9)},
      {"float to 16 bits", pcm(48000, 2, 32, 9), pcm(48000, 2, 16, 12)},
      {"24 bits to float", pcm(48000, 2, 24, 12), pcm(48000, 2, 32, 9)},
      {"float to 24 bits", pcm(48000, 2, 32, 9), pcm(48000, 2, 24, 12)},
      {"32 bits, other order", pcm(48000, 2, 32, 12), pcm(48000, 2, 32, 14)},
  };
  printf("two channels at one rate, ns of processor a frame; memcpy of the same bytes beside it\n");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double ours = 1e9, floor = 1e9;
    UInt32 size = cases[i].from.mBytesPerFrame, result = cases[i].to.mBytesPerFrame;
    AudioConverterRef converter = make(cases[i].from, cases[i].to, NULL);
    for (int round = 0; round < rounds; round++) {
      double began = seconds();
      for (UInt32 frame = 0; frame < kFrames; frame += kSlice) {
        UInt32 room = kSlice * result;
        AudioConverterConvertBuffer(converter, kSlice * size, (char *)in + frame * size, &room,
                                    (char *)out + frame * result);
      }
      ours = fmin(ours, seconds() - began);
      began = seconds();
      memcpy(out, in, (size_t)kFrames * size);
      floor = fmin(floor, seconds() - began);
    }
    AudioConverterDispose(converter);
    printf("%-22s %6.2f, memcpy %5.2f\n", cases[i].name, 1e9 * ours / kFrames, 1e9 * floor / kFrames);
  }
}

// The amplitude of a tone after a conversion, without its first and last part; the rest of it in `rest`.
static double tone(const Filter *filter, double from, double to, double frequency, double *rest) {
  static double in[kTone], out[4 * kTone];
  for (int i = 0; i < kTone; i++) in[i] = sin(2 * M_PI * frequency / from * i);
  AudioConverterRef converter = make(pcm(from, 1, 64, 9), pcm(to, 1, 64, 9), filter);
  Source source = {(char *)in, kTone, 0, 8};
  int count = (int)drain(converter, &source, (char *)out, 8, 4 * kTone);
  AudioConverterDispose(converter);
  double sine = 0, cosine = 0, power = 0;
  int begin = count / 4, end = begin + count / 2;
  for (int i = begin; i < end; i++) {
    // A window, so that the tone's ends do not count.
    double window = 1 - cos(2 * M_PI * (i - begin) / (end - begin));
    double phase = 2 * M_PI * frequency / to * i;
    sine += window * out[i] * sin(phase);
    cosine += window * out[i] * cos(phase);
  }
  sine *= 2.0 / (end - begin), cosine *= 2.0 / (end - begin);
  for (int i = begin; i < end; i++) {
    double phase = 2 * M_PI * frequency / to * i;
    double other = out[i] - sine * sin(phase) - cosine * cos(phase);
    power += rest && *rest < 0 ? out[i] * out[i] : other * other;
  }
  if (rest) *rest = sqrt(2 * power / (end - begin));
  return hypot(sine, cosine);
}

static void bands(void) {
  printf("48000 to 44100: pass band (-0.1 dB, -3 dB, of half the lower rate), the loudest alias of tones\n"
         "from half the lower rate up, what is added to 997 Hz\n");
  for (int filter = 0; filter < kFilters; filter++) {
    double flat = 0, half = 0, alias = 0, added = 0;
    for (double part = 0.5; part < 1; part += 0.0025) {
      double gain = 20 * log10(tone(&filters[filter], 48000, 44100, part * 22050, NULL));
      if (gain >= -0.1) flat = part;
      if (gain >= -3) half = part;
    }
    for (double frequency = 22060; frequency < 23990; frequency += 95) {
      double all = -1;
      tone(&filters[filter], 48000, 44100, frequency, &all);
      alias = fmax(alias, all);
    }
    tone(&filters[filter], 48000, 44100, 997, &added);
    printf("%-22s %5.1f %% %5.1f %%, alias %7.1f dB, added %7.1f dB\n", filters[filter].name, 100 * flat,
           100 * half, 20 * log10(alias), 20 * log10(added));
  }
}

int main(int count, char **words) {
  int rounds = count > 1 ? atoi(words[1]) : 7;
  float *in = malloc(8 * kFrames), *out = malloc(8 * 4 * kFrames);
  for (int i = 0; i < 2 * kFrames; i++) in[i] = (float)(rand() / (double)RAND_MAX - 0.5);
  memset(out, 0, 8 * 4 * kFrames);
  rates(rounds, in, out);
  formats(rounds, in, out);
  bands();
  free(in);
  free(out);
  return 0;
}
