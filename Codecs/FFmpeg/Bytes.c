// The host's bytes as FFmpeg reads and writes them, failures, and the library's door.
// SPDX-License-Identifier: Apache-2.0

#include <libavcodec/version.h>
#include <libavformat/version.h>
#include <libavutil/log.h>
#include <libavutil/macros.h>
#include <libavutil/mem.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "FFmpegCodec.h"

enum { kBufferSize = 64 << 10 };

static int readBytes(void *opaque, uint8_t *buffer, int count) {
  AuricleCodecBytes *bytes = opaque;
  int64_t got = bytes->read(bytes->context, buffer, count);
  if (got < 0) return AVERROR(EIO);
  return got == 0 ? AVERROR_EOF : (int)got;
}

// Newer versions of the library promise to leave the bytes alone.
#if LIBAVFORMAT_VERSION_MAJOR >= 61
static int writeBytes(void *opaque, const uint8_t *buffer, int count) {
#else
static int writeBytes(void *opaque, uint8_t *buffer, int count) {
#endif
  AuricleCodecBytes *bytes = opaque;
  return bytes->write(bytes->context, buffer, count) == count ? count : AVERROR(EIO);
}

static int64_t position(AVIOContext *context, AuricleCodecBytes *bytes, int64_t offset) {
  (void)context;
  return bytes->seek(bytes->context, offset) == offset ? offset : AVERROR(EIO);
}

static int64_t seekBytes(void *opaque, int64_t offset, int whence) {
  AuricleCodecBytes *bytes = opaque;
  switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE: return bytes->length(bytes->context);
    case SEEK_SET: return position(NULL, bytes, offset);
    case SEEK_END: return position(NULL, bytes, bytes->length(bytes->context) + offset);
    default: return AVERROR(EINVAL);  // FFmpeg turns moves from here into moves from the beginning
  }
}

static AVIOContext *makeContext(AuricleCodecBytes *bytes, int isOutput) {
  uint8_t *buffer = av_malloc(kBufferSize);
  if (!buffer) return NULL;
  AVIOContext *context = avio_alloc_context(
      buffer, kBufferSize, isOutput, bytes, isOutput ? NULL : readBytes,
      isOutput ? writeBytes : NULL, seekBytes);
  if (!context) av_free(buffer);
  return context;
}

AVIOContext *makeInput(AuricleCodecBytes *bytes) { return makeContext(bytes, 0); }

AVIOContext *makeOutput(AuricleCodecBytes *bytes) { return makeContext(bytes, 1); }

void freeContext(AVIOContext **context) {
  if (*context) av_freep(&(*context)->buffer);
  avio_context_free(context);
}

void fail(AuricleCodecFailure *failure, AuricleCodecStatus status, int error, const char *format, ...) {
  failure->status = error == AVERROR(ENOMEM) ? kAuricleCodecOutOfMemory : status;
  failure->systemError = failure->status == kAuricleCodecSystemError ? error < 0 ? AVUNERROR(error) : EIO : 0;
  const int room = sizeof failure->reason;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(failure->reason, (size_t)room, format, arguments);
  va_end(arguments);
  // Decoders that return -1 mean nothing by it, least of all EPERM.
  if (error == 0 || error == -1 || length < 0 || length > room - 4) return;
  char text[AV_ERROR_MAX_STRING_SIZE] = "";
  av_strerror(error, text, sizeof text);
  snprintf(failure->reason + length, (size_t)(room - length), ": %s", text);
}

AuricleCodecStatus statusOf(const AVIOContext *io, AuricleCodecStatus other) {
  return io && io->error < 0 && io->error != AVERROR_EOF ? kAuricleCodecSystemError : other;
}

// FFmpeg would print to standard error; the important messages come back as failures.
static void beSilent(void *context, int level, const char *format, va_list arguments) {
  (void)context, (void)level, (void)format, (void)arguments;
}

__attribute__((visibility("default"))) const AuricleCodec *AuricleCodecEntry(uint32_t version) {
  static AuricleCodec codec = {
      .version = kAuricleCodecVersion,
      .name = "FFmpeg " AV_STRINGIFY(LIBAVCODEC_VERSION),
      .writable = "m4a=aac,alac;mka=alac,aac;ac3=ac3;eac3=eac3;aac=aac",
      .openReader = openReader,
      .read = readFrames,
      .texts = readTexts,
      .marks = readMarks,
      .closeReader = closeReader,
      .openWriter = openWriter,
      .write = writeFrames,
      .finish = finishWriting,
      .closeWriter = closeWriter,
      .openDecoder = openPacketDecoder,
      .decode = decodePacket,
      .resetDecoder = resetDecoder,
      .closeDecoder = closeDecoder,
      .openEncoder = openPacketEncoder,
      .encode = encodeFrames,
      .describeEncoder = describeEncoder,
      .closeEncoder = closeEncoder,
  };
  if (version != kAuricleCodecVersion) return NULL;
  av_log_set_callback(beSilent);
  // A size claimed by a file must not exhaust the memory of the machine.
  av_max_alloc(256 << 20);
  codec.decodable = decodableNames();
  codec.encodable = encodableNames();
  return &codec;
}
