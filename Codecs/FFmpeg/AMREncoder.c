// Encoding AMR by the libraries of opencore-amr and vo-amrwbenc, which are used where they are installed.
// SPDX-License-Identifier: Apache-2.0

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "FFmpegCodec.h"

// The functions of both libraries: a state is made, encodes 20 ms at once in one of some modes, and ends.
typedef struct Band {
  const char *encoding, *library, *begin, *encode, *end;
  int sampleRate, frames, largestPacket, lead, modeCount;
  const int *bitRates;  // of the modes, in bits a second
} Band;

static const int narrowRates[] = {4750, 5150, 5900, 6700, 7400, 7950, 10200, 12200};
static const int wideRates[] = {6600, 8850, 12650, 14250, 15850, 18250, 19850, 23050, 23850};

static const Band bands[] = {
    {"amr_nb", "libopencore-amrnb.so.0", "Encoder_Interface_init", "Encoder_Interface_Encode", "Encoder_Interface_exit",
     8000, 160, 32, 40, 8, narrowRates},
    {"amr_wb", "libvo-amrwbenc.so.0", "E_IF_init", "E_IF_encode", "E_IF_exit", 16000, 320, 61, 95, 9, wideRates},
};

// The functions of a library; those of the narrow band begin with whether silence is left out.
typedef struct Functions {
  void *(*begin)(int leavesOutSilence);
  int (*encode)(void *state, int mode, const int16_t *samples, uint8_t *packet, int leavesOutSilence);
  void (*end)(void *state);
} Functions;

static Functions found[2];
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Libraries stay open: the process has them until it ends.
static void find(void) {
  for (int i = 0; i < 2; i++) {
    void *library = dlopen(bands[i].library, RTLD_NOW | RTLD_LOCAL);
    if (!library) continue;
    Functions functions;
    *(void **)&functions.begin = dlsym(library, bands[i].begin);
    *(void **)&functions.encode = dlsym(library, bands[i].encode);
    *(void **)&functions.end = dlsym(library, bands[i].end);
    if (functions.begin && functions.encode && functions.end) found[i] = functions;
  }
}

static int bandOf(const char *encoding) {
  pthread_once(&once, find);
  for (int i = 0; i < 2; i++)
    if (strcmp(bands[i].encoding, encoding) == 0 && found[i].begin) return i;
  return -1;
}

bool canEncodeAMR(const char *encoding) { return bandOf(encoding) >= 0; }

struct AMREncoder {
  int band, mode;
  void *state;
  int64_t taken, made;  // frames in, and frames in packets out
  bool hasEnded;
};

AMREncoder *openAMREncoder(const AuricleCodecPackets *packets, int32_t *status) {
  const int band = bandOf(packets->encoding);
  *status = kAuricleCodecUnsupported;
  if (band < 0 || packets->sampleRate != bands[band].sampleRate || packets->channelCount != 1) return NULL;
  AMREncoder *encoder = calloc(1, sizeof *encoder);
  *status = kAuricleCodecOutOfMemory;
  if (!encoder) return NULL;
  encoder->band = band;
  encoder->mode = bands[band].modeCount - 1;
  for (int mode = 0; packets->bitRate > 0 && mode < bands[band].modeCount; mode++)
    if (llabs(bands[band].bitRates[mode] - packets->bitRate) <
        llabs(bands[band].bitRates[encoder->mode] - packets->bitRate))
      encoder->mode = mode;
  encoder->state = found[band].begin(0);
  if (!encoder->state) return free(encoder), NULL;
  *status = kAuricleCodecOK;
  return encoder;
}

void closeAMREncoder(AMREncoder *encoder) {
  if (!encoder) return;
  found[encoder->band].end(encoder->state);
  free(encoder);
}

void describeAMREncoder(const AMREncoder *encoder, AuricleCodecPackets *packets) {
  const Band *band = &bands[encoder->band];
  packets->samples = kAuricleCodecInt16;
  packets->sampleRate = band->sampleRate;
  packets->framesPerPacket = (uint32_t)band->frames;
  packets->bytesPerPacket = 0;
  packets->leadFrames = (uint32_t)band->lead;
  packets->largestPacket = (uint32_t)band->largestPacket;
  packets->bitRate = band->bitRates[encoder->mode];
  packets->configuration = NULL;
  packets->configurationSize = 0;
}

// One packet of up to as many frames as it has; silence for the rest.
static bool makePacket(
    AMREncoder *encoder, const int16_t *samples, int64_t count, AuricleCodecPacketProc procedure, void *context) {
  const Band *band = &bands[encoder->band];
  int16_t frames[320] = {0};
  uint8_t packet[64];
  if (count > 0) memcpy(frames, samples, (size_t)count * sizeof *frames);
  const int size = found[encoder->band].encode(encoder->state, encoder->mode, frames, packet, 0);
  if (size <= 0) return false;
  encoder->made += band->frames;
  procedure(context, packet, (size_t)size, (uint32_t)band->frames);
  return true;
}

int32_t encodeAMR(
    AMREncoder *encoder, const int16_t *samples, int64_t frameCount, AuricleCodecPacketProc procedure, void *context) {
  if (encoder->hasEnded) return kAuricleCodecOK;
  const Band *band = &bands[encoder->band];
  if (!samples) {
    encoder->hasEnded = true;
    const int64_t wanted = encoder->taken > 0 ? encoder->taken + band->lead : 0;
    while (encoder->made < wanted)
      if (!makePacket(encoder, NULL, 0, procedure, context)) return kAuricleCodecUnsupported;
    return kAuricleCodecOK;
  }
  for (int64_t done = 0; done < frameCount; done += band->frames) {
    const int64_t count = frameCount - done < band->frames ? frameCount - done : band->frames;
    if (!makePacket(encoder, samples + done, count, procedure, context)) return kAuricleCodecUnsupported;
    encoder->taken += count;
  }
  return kAuricleCodecOK;
}
