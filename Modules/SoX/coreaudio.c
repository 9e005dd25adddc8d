// A format of SoX that is a device: play and rec go through the default output and input units.
// SPDX-License-Identifier: Apache-2.0
//
// SoX opens every module of its folder by its name, and prefers "coreaudio" to its own devices.
#include <sox.h>
#include <stdio.h>
#include <string.h>

#include "../QueueStream.h"

typedef struct {
  QueueStream *stream;
} Device;

static int failure(sox_format_t *format, OSStatus status) {
  format->sox_errno = SOX_EPERM;
  snprintf(
      format->sox_errstr, sizeof format->sox_errstr,
      "the sound device cannot be opened (status %d): `auricle devices` lists those that there are",
      (int)status);
  return SOX_EOF;
}

static int begin(sox_format_t *format, sox_bool records) {
  Device *device = format->priv;
  if (format->signal.rate == SOX_UNSPEC) format->signal.rate = 48000;
  if (format->signal.channels == SOX_UNSPEC) format->signal.channels = 2;
  format->signal.precision = 32;
  format->encoding.encoding = SOX_ENCODING_SIGN2;
  format->encoding.bits_per_sample = 32;
  const UInt32 bytes = format->signal.channels * (UInt32)sizeof(sox_sample_t);
  const AudioStreamBasicDescription description = {
      format->signal.rate, kAudioFormatLinearPCM,
      kAudioFormatFlagIsSignedInteger | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked,
      bytes, 1, bytes, format->signal.channels, 32, 0};
  const char *name = format->filename;
  if (name != NULL && (name[0] == 0 || strcmp(name, "default") == 0)) name = NULL;
  OSStatus status;
  device->stream = openQueueStream(&description, name, records, &status);
  return device->stream != NULL ? SOX_SUCCESS : failure(format, status);
}

static int startRead(sox_format_t *format) { return begin(format, sox_true); }

static int startWrite(sox_format_t *format) { return begin(format, sox_false); }

static size_t readSamples(sox_format_t *format, sox_sample_t *samples, size_t count) {
  Device *device = format->priv;
  return readQueueStream(device->stream, samples, count * sizeof *samples) / sizeof *samples;
}

static size_t writeSamples(sox_format_t *format, const sox_sample_t *samples, size_t count) {
  Device *device = format->priv;
  const OSStatus status = writeQueueStream(device->stream, samples, count * sizeof *samples);
  if (status == noErr) return count;
  failure(format, status);
  return 0;
}

static int stop(sox_format_t *format) {
  Device *device = format->priv;
  if (device->stream != NULL) closeQueueStream(device->stream);
  device->stream = NULL;
  return SOX_SUCCESS;
}

/// The function that SoX calls when it has opened the module.
const sox_format_handler_t *lsx_coreaudio_format_fn(void);
const sox_format_handler_t *lsx_coreaudio_format_fn(void) {
  static const char *const names[] = {"coreaudio", NULL};
  static const unsigned encodings[] = {SOX_ENCODING_SIGN2, 32, 24, 16, 0, 0};
  static const sox_format_handler_t handler = {
      .sox_lib_version_code = SOX_LIB_VERSION_CODE,
      .description = "Core Audio's devices, by Auricle",
      .names = names,
      .flags = SOX_FILE_DEVICE | SOX_FILE_NOSTDIO,
      .startread = startRead,
      .read = readSamples,
      .stopread = stop,
      .startwrite = startWrite,
      .write = writeSamples,
      .stopwrite = stop,
      .write_formats = encodings,
      .priv_size = sizeof(Device),
  };
  return &handler;
}
