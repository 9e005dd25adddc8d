// The mixer of the simulated card, as a control plug-in of alsa-lib: volume and switch of both directions, and a source.
// SPDX-License-Identifier: Apache-2.0
//
//   ctl_type.simulated { lib ".../card.so" }
//   ctl.card { type simulated card "/path/of/its/memory" }
#include "Card.h"

#include <alsa/asoundlib.h>
#include <alsa/control_external.h>
#include <stdio.h>
#include <sys/timerfd.h>

// Steps of half a decibel from -32 dB to 0.
enum { STEPS = 64, PLAYBACK_VOLUME = 0, PLAYBACK_SWITCH, CAPTURE_VOLUME, CAPTURE_SWITCH, SOURCE, ELEMENTS };
static const unsigned decibels[] = {SND_CTL_TLVT_DB_SCALE, 8, (unsigned)-3200, 50};
static const char* const elementNames[ELEMENTS] = {
  "Master Playback Volume", "Master Playback Switch", "Capture Volume", "Capture Switch", "Input Source"};
static const char* const sources[] = {"Microphone", "Line"};

typedef struct {
  snd_ctl_ext_t ext;
  Card* card;
  int seen;         // changes that were reported
  int untold;       // elements that are still to be reported, one bit each
  int isSubscribed;
} Control;

static int elementCount(snd_ctl_ext_t* ext) {
  (void)ext;
  return ELEMENTS;
}
static int elementAt(snd_ctl_ext_t* ext, unsigned offset, snd_ctl_elem_id_t* id) {
  (void)ext;
  snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_MIXER);
  snd_ctl_elem_id_set_name(id, elementNames[offset]);
  return 0;
}
static snd_ctl_ext_key_t findElement(snd_ctl_ext_t* ext, const snd_ctl_elem_id_t* id) {
  (void)ext;
  for (unsigned key = 0; key < ELEMENTS; key++)
    if (!strcmp(snd_ctl_elem_id_get_name(id), elementNames[key])) return key;
  unsigned number = snd_ctl_elem_id_get_numid(id);
  return number > 0 && number <= ELEMENTS ? number - 1 : SND_CTL_EXT_KEY_NOT_FOUND;
}
static int attribute(snd_ctl_ext_t* ext, snd_ctl_ext_key_t key, int* type, unsigned* access, unsigned* count) {
  (void)ext;
  int isSwitch = key == PLAYBACK_SWITCH || key == CAPTURE_SWITCH;
  *type = key == SOURCE ? SND_CTL_ELEM_TYPE_ENUMERATED
          : isSwitch    ? SND_CTL_ELEM_TYPE_BOOLEAN
                        : SND_CTL_ELEM_TYPE_INTEGER;
  *access = SND_CTL_EXT_ACCESS_READWRITE;
  if (!isSwitch && key != SOURCE) *access |= SND_CTL_EXT_ACCESS_TLV_READ;
  *count = key == SOURCE ? 1 : 2;
  return 0;
}
static int range(snd_ctl_ext_t* ext, snd_ctl_ext_key_t key, long* least, long* most, long* step) {
  (void)ext;
  (void)key;
  *least = 0, *most = STEPS, *step = 1;
  return 0;
}
static int choices(snd_ctl_ext_t* ext, snd_ctl_ext_key_t key, unsigned* count) {
  (void)ext;
  (void)key;
  *count = 2;
  return 0;
}
static int choiceName(snd_ctl_ext_t* ext, snd_ctl_ext_key_t key, unsigned item, char* name, size_t most) {
  (void)ext;
  (void)key;
  if (item > 1) return -EINVAL;
  snprintf(name, most, "%s", sources[item]);
  return 0;
}

static _Atomic int* values(snd_ctl_ext_t* ext, snd_ctl_ext_key_t key) {
  Mixer* mixer = &((Control*)ext->private_data)->card->mixer;
  return key == PLAYBACK_VOLUME || key == CAPTURE_VOLUME ? mixer->volume[key == CAPTURE_VOLUME]
                                                         : mixer->on[key == CAPTURE_SWITCH];
}
static int readNumbers(snd_ctl_ext_t* ext, snd_ctl_ext_key_t key, long* value) {
  for (int channel = 0; channel < 2; channel++) value[channel] = values(ext, key)[channel];
  return 0;
}
static int writeNumbers(snd_ctl_ext_t* ext, snd_ctl_ext_key_t key, long* value) {
  int isChanged = 0;
  for (int channel = 0; channel < 2; channel++)
    isChanged |= atomic_exchange(&values(ext, key)[channel], (int)value[channel]) != value[channel];
  if (isChanged) ((Control*)ext->private_data)->card->mixer.changes++;
  return isChanged;
}
static int readChoice(snd_ctl_ext_t* ext, snd_ctl_ext_key_t key, unsigned* item) {
  (void)key;
  *item = ((Control*)ext->private_data)->card->mixer.source;
  return 0;
}
static int writeChoice(snd_ctl_ext_t* ext, snd_ctl_ext_key_t key, unsigned* item) {
  (void)key;
  Mixer* mixer = &((Control*)ext->private_data)->card->mixer;
  int isChanged = atomic_exchange(&mixer->source, (int)*item) != (int)*item;
  if (isChanged) mixer->changes++;
  return isChanged;
}

static void subscribe(snd_ctl_ext_t* ext, int isWanted) {
  ((Control*)ext->private_data)->isSubscribed = isWanted;
}
// Reports any change as one of every element.
static int readEvent(snd_ctl_ext_t* ext, snd_ctl_elem_id_t* id, unsigned* mask) {
  Control* control = ext->private_data;
  uint64_t ticks;
  (void)!read(ext->poll_fd, &ticks, sizeof ticks);
  int changes = control->card->mixer.changes;
  if (changes != control->seen) control->seen = changes, control->untold = (1 << ELEMENTS) - 1;
  if (!control->isSubscribed || !control->untold) return -EAGAIN;
  int key = __builtin_ctz(control->untold);
  control->untold &= ~(1 << key);
  snd_ctl_elem_id_set_numid(id, key + 1);
  elementAt(ext, key, id);
  *mask = SND_CTL_EVENT_MASK_VALUE;
  return 1;
}
static void closeControl(snd_ctl_ext_t* ext) {
  Control* control = ext->private_data;
  munmap(control->card, sizeof(Card));
  close(ext->poll_fd);
  free(control);
}

static const snd_ctl_ext_callback_t callbacks = {.close = closeControl,
                                                 .elem_count = elementCount,
                                                 .elem_list = elementAt,
                                                 .find_elem = findElement,
                                                 .get_attribute = attribute,
                                                 .get_integer_info = range,
                                                 .get_enumerated_info = choices,
                                                 .get_enumerated_name = choiceName,
                                                 .read_integer = readNumbers,
                                                 .read_enumerated = readChoice,
                                                 .write_integer = writeNumbers,
                                                 .write_enumerated = writeChoice,
                                                 .subscribe_events = subscribe,
                                                 .read_event = readEvent};

SND_CTL_PLUGIN_DEFINE_FUNC(simulated) {
  (void)root;
  const char* path = "";
  snd_config_t* entry;
  if (snd_config_search(conf, "card", &entry) >= 0) snd_config_get_string(entry, &path);
  Card* card = openCard(path);
  if (!card) return -ENOENT;
  if (card->side[0].refusal == ENODEV) {
    munmap(card, sizeof(Card));
    return -ENODEV;
  }
  Control* control = calloc(1, sizeof *control);
  if (!control) return -ENOMEM;
  control->card = card;
  control->seen = card->mixer.changes;
  control->ext = (snd_ctl_ext_t){.version = SND_CTL_EXT_VERSION,
                                 .card_idx = 0,
                                 .id = "Simulated",
                                 .driver = "Simulated",
                                 .name = "Simulated card",
                                 .mixername = "Simulated mixer",
                                 .callback = &callbacks,
                                 .private_data = control,
                                 .poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)};
  control->ext.tlv.p = decibels;
  struct itimerspec often = {{0, 20000000}, {0, 20000000}};
  timerfd_settime(control->ext.poll_fd, 0, &often, NULL);
  int status = snd_ctl_ext_create(&control->ext, name, mode);
  *handlep = control->ext.handle;
  return status;
}
SND_CTL_PLUGIN_SYMBOL(simulated);
