// A driver of libao: programs that play through it play to the default output unit.
// SPDX-License-Identifier: Apache-2.0
#include <ao/ao.h>
#include <ao/plugin.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../QueueStream.h"

// The beginning of libao's record of a device, as far as a driver has to fill it: its headers keep it to themselves.
typedef struct {
  int type, driver;
  void *functions, *file;
  int clientByteFormat, machineByteFormat, driverByteFormat;
} DeviceHead;

typedef struct Player {
  ao_device *device;
  char *name;
  QueueStream *stream;
  struct Player *next;
} Player;

// Drivers have no place of their own in the part of the record that is known: few devices are open at once.
static Player *players;

static Player *playerOf(ao_device *device) {
  for (Player *player = players; player != NULL; player = player->next)
    if (player->device == device) return player;
  return NULL;
}

int ao_plugin_test(void) {
  // Whether there is a default device to play to.
  AudioObjectID device = kAudioObjectUnknown;
  UInt32 size = sizeof device;
  const AudioObjectPropertyAddress address = {
      kAudioHardwarePropertyDefaultOutputDevice, kAudioObjectPropertyScopeGlobal,
      kAudioObjectPropertyElementMain};
  return AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, &device) ==
             noErr &&
         device != kAudioObjectUnknown;
}

ao_info *ao_plugin_driver_info(void) {
  static char *options[] = {"dev", "matrix", "verbose", "quiet", "debug"};
  static ao_info info = {
      .type = AO_TYPE_LIVE,
      .name = "Core Audio's devices, by Auricle",
      .short_name = "coreaudio",
      .author = "Auricle developers",
      .comment = "Plays to the default output unit, or to the device of the option dev.",
      .preferred_byte_format = AO_FMT_NATIVE,
      .priority = 60,
      .options = options,
      .option_count = sizeof options / sizeof *options,
  };
  return &info;
}

int ao_plugin_device_init(ao_device *device) {
  Player *player = calloc(1, sizeof *player);
  if (player == NULL) return 0;
  player->device = device;
  player->next = players;
  players = player;
  return 1;
}

int ao_plugin_set_option(ao_device *device, const char *key, const char *value) {
  Player *player = playerOf(device);
  if (player == NULL) return 0;
  if (strcmp(key, "dev") != 0 || value == NULL) return 1;
  free(player->name);
  player->name = strdup(value);
  return player->name != NULL;
}

int ao_plugin_open(ao_device *device, ao_sample_format *format) {
  Player *player = playerOf(device);
  DeviceHead *head = (DeviceHead *)device;
  const int own = ao_is_big_endian() ? AO_FMT_BIG : AO_FMT_LITTLE;
  // Another libao than the one whose record is known would have other numbers here.
  if (player == NULL || head->machineByteFormat != own || format->bits % 8 != 0 ||
      format->bits < 8 || format->bits > 32 || format->channels < 1)
    return 0;
  head->driverByteFormat = own;
  const UInt32 bytes = (UInt32)(format->channels * format->bits / 8);
  const AudioStreamBasicDescription description = {
      format->rate, kAudioFormatLinearPCM,
      kAudioFormatFlagIsSignedInteger | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked,
      bytes, 1, bytes, (UInt32)format->channels, (UInt32)format->bits, 0};
  OSStatus status;
  player->stream = openQueueStream(&description, player->name, false, &status);
  return player->stream != NULL;
}

int ao_plugin_play(ao_device *device, const char *samples, uint_32 bytes) {
  Player *player = playerOf(device);
  return player != NULL && player->stream != NULL &&
         writeQueueStream(player->stream, samples, bytes) == noErr;
}

int ao_plugin_close(ao_device *device) {
  Player *player = playerOf(device);
  if (player == NULL || player->stream == NULL) return 0;
  closeQueueStream(player->stream);
  player->stream = NULL;
  return 1;
}

void ao_plugin_device_clear(ao_device *device) {
  for (Player **place = &players; *place != NULL; place = &(*place)->next) {
    Player *player = *place;
    if (player->device != device) continue;
    *place = player->next;
    if (player->stream != NULL) closeQueueStream(player->stream);
    free(player->name);
    free(player);
    return;
  }
}
