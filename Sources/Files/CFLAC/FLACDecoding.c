// Opens libFLAC, and decodes single frames with it.
// SPDX-License-Identifier: Apache-2.0
#include "FLACDecoding.h"

#include <FLAC/stream_decoder.h>
#include <LibraryMemory.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The functions of the library that are used. Their documentation is the library's.
static struct {
  FLAC__StreamDecoder *(*create)(void);
  void (*destroy)(FLAC__StreamDecoder *decoder);
  FLAC__StreamDecoderInitStatus (*open)(
      FLAC__StreamDecoder *decoder, FLAC__StreamDecoderReadCallback read, FLAC__StreamDecoderSeekCallback seek,
      FLAC__StreamDecoderTellCallback tell, FLAC__StreamDecoderLengthCallback length,
      FLAC__StreamDecoderEofCallback atEnd, FLAC__StreamDecoderWriteCallback write,
      FLAC__StreamDecoderMetadataCallback metadata, FLAC__StreamDecoderErrorCallback error, void *context);
  FLAC__bool (*readMetadata)(FLAC__StreamDecoder *decoder);
  FLAC__bool (*readFrame)(FLAC__StreamDecoder *decoder);
  FLAC__bool (*flush)(FLAC__StreamDecoder *decoder);
} functions;
static int isThere;
static pthread_once_t once = PTHREAD_ONCE_INIT;

struct AuricleFLACDecoder {
  FLAC__StreamDecoder *decoder;
  const uint8_t *bytes;  // the bytes still to read
  size_t left;
  int isDamaged, isWide, isShort;
  void *samples;
  size_t room;
  int64_t frameCount;
  uint32_t channels;
  double sampleRate;
};

static int find(void *handle, const char *name, void *function) {
  void *symbol = dlsym(handle, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

// All versions have these functions, and the same description of a frame.
static void openLibrary(void) {
  static const char *const names[] = {"libFLAC.so.14", "libFLAC.so.12", "libFLAC.so.8"};
  void *handle = NULL;
  for (size_t i = 0; !handle && i < sizeof names / sizeof *names; i++) handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  AuricleLibraryMemoryLeaveOut();
  isThere = handle && find(handle, "FLAC__stream_decoder_new", &functions.create) &&
            find(handle, "FLAC__stream_decoder_delete", &functions.destroy) &&
            find(handle, "FLAC__stream_decoder_init_stream", &functions.open) &&
            find(handle, "FLAC__stream_decoder_process_until_end_of_metadata", &functions.readMetadata) &&
            find(handle, "FLAC__stream_decoder_process_single", &functions.readFrame) &&
            find(handle, "FLAC__stream_decoder_flush", &functions.flush);
}

static FLAC__StreamDecoderReadStatus giveBytes(
    const FLAC__StreamDecoder *library, FLAC__byte buffer[], size_t *count, void *context) {
  (void)library;
  AuricleFLACDecoder *decoder = context;
  if (*count > decoder->left) *count = decoder->left;
  if (*count == 0) return FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM;
  memcpy(buffer, decoder->bytes, *count);
  decoder->bytes += *count;
  decoder->left -= *count;
  return FLAC__STREAM_DECODER_READ_STATUS_CONTINUE;
}

static void noteError(const FLAC__StreamDecoder *library, FLAC__StreamDecoderErrorStatus status, void *context) {
  (void)library, (void)status;
  ((AuricleFLACDecoder *)context)->isDamaged = 1;
}

static void interleaveWide(
    uint32_t *target, const FLAC__int32 *const rows[], uint32_t channels, uint32_t count, uint32_t shift) {
  for (uint32_t channel = 0; channel < channels; channel++)
    for (uint32_t i = 0; i < count; i++) target[(size_t)i * channels + channel] = (uint32_t)rows[channel][i] << shift;
}

static void interleave(
    uint16_t *target, const FLAC__int32 *const rows[], uint32_t channels, uint32_t count, uint32_t shift) {
  if (channels == 2) {
    // The usual kind, in one pass.
    const FLAC__int32 *left = rows[0], *right = rows[1];
    for (uint32_t i = 0; i < count; i++) {
      target[2 * i] = (uint16_t)((uint32_t)left[i] << shift);
      target[2 * i + 1] = (uint16_t)((uint32_t)right[i] << shift);
    }
    return;
  }
  for (uint32_t channel = 0; channel < channels; channel++)
    for (uint32_t i = 0; i < count; i++)
      target[(size_t)i * channels + channel] = (uint16_t)((uint32_t)rows[channel][i] << shift);
}

static FLAC__StreamDecoderWriteStatus takeFrame(
    const FLAC__StreamDecoder *library, const FLAC__Frame *frame, const FLAC__int32 *const rows[], void *context) {
  (void)library;
  AuricleFLACDecoder *decoder = context;
  const uint32_t count = frame->header.blocksize, channels = frame->header.channels;
  const uint32_t bits = frame->header.bits_per_sample;
  const size_t size = (size_t)count * channels * (decoder->isWide ? 4 : 2);
  if (bits > (decoder->isWide ? 32u : 16u)) {
    decoder->isDamaged = 1;
    return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
  }
  if (size > decoder->room) {
    void *larger = realloc(decoder->samples, size);
    decoder->isShort = !larger;
    if (!larger) return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
    decoder->samples = larger;
    decoder->room = size;
  }
  if (decoder->isWide)
    interleaveWide(decoder->samples, rows, channels, count, 32 - bits);
  else
    interleave(decoder->samples, rows, channels, count, 16 - bits);
  decoder->frameCount = count;
  decoder->channels = channels;
  decoder->sampleRate = frame->header.sample_rate;
  return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
}

AuricleFLACDecoder *AuricleFLACOpen(const uint8_t *streamInfo) {
  pthread_once(&once, openLibrary);
  AuricleFLACDecoder *decoder = isThere ? calloc(1, sizeof *decoder) : NULL;
  if (!decoder) return NULL;
  // A file's beginning: its name, the head of the only block, and the block.
  uint8_t head[42] = {'f', 'L', 'a', 'C', 0x80, 0, 0, 34};
  memcpy(head + 8, streamInfo, 34);
  decoder->bytes = head;
  decoder->left = sizeof head;
  decoder->isWide = (((streamInfo[12] & 1) << 4) | (streamInfo[13] >> 4)) + 1 > 16;
  decoder->decoder = functions.create();
  const int isOpen =
      decoder->decoder &&
      functions.open(
          decoder->decoder, giveBytes, NULL, NULL, NULL, NULL, takeFrame, NULL, noteError, decoder) ==
          FLAC__STREAM_DECODER_INIT_STATUS_OK &&
      functions.readMetadata(decoder->decoder) && !decoder->isDamaged;
  if (isOpen) return decoder;
  AuricleFLACClose(decoder);
  return NULL;
}

int64_t AuricleFLACDecode(
    AuricleFLACDecoder *decoder, const uint8_t *frame, size_t size, const void **samples, uint32_t *channels,
    double *sampleRate) {
  decoder->bytes = frame;
  decoder->left = size;
  decoder->isDamaged = decoder->isShort = 0;
  decoder->frameCount = -1;
  // The rest of an earlier frame is not to be read on from.
  if (!functions.flush(decoder->decoder)) return -2;
  functions.readFrame(decoder->decoder);
  if (decoder->isShort) return -2;
  if (decoder->isDamaged || decoder->frameCount < 0) return -1;
  *samples = decoder->samples;
  *channels = decoder->channels;
  *sampleRate = decoder->sampleRate;
  return decoder->frameCount;
}

void AuricleFLACClose(AuricleFLACDecoder *decoder) {
  if (!decoder) return;
  if (decoder->decoder) functions.destroy(decoder->decoder);
  free(decoder->samples);
  free(decoder);
}
