// Opening a side of the simulated card as its configuration says, and sending it faults from outside.
// SPDX-License-Identifier: Apache-2.0
//
//   pcm_type.simulated { lib ".../card.so" }
//   pcm.card { type simulated card "/path/of/its/memory" heard "/path/of/what/is/heard" faults "xrun@48000 stall@96000:300" … }
#include "PCM.h"

#include <signal.h>
#include <stdio.h>
#include <sys/timerfd.h>

typedef struct {
  const char *card, *heard, *faults, *access, *formats;
  long rateMin, rateMax, channelsMin, channelsMax;
} Settings;

static void readFaults(PCM* pcm, const char* text) {
  while (*text && pcm->faultCount < MOST_FAULTS) {
    char name[16];
    double frame, argument = 0;
    if (sscanf(text, "%15[^@]@%lf:%lf", name, &frame, &argument) < 2) break;
    pcm->faults[pcm->faultCount++] = (Fault){faultNumber(name), (int64_t)frame, argument};
    text += strcspn(text, " ");
    text += strspn(text, " ");
  }
}

static void readSettings(PCM* pcm, Settings* settings, snd_config_t* conf) {
  const struct {
    const char* id;
    const char** value;
  } texts[] = {{"card", &settings->card}, {"heard", &settings->heard}, {"faults", &settings->faults},
               {"access", &settings->access}, {"formats", &settings->formats}};
  const struct {
    const char* id;
    long* value;
  } numbers[] = {{"burst", &pcm->burst}, {"latency", &pcm->latency}, {"most", &pcm->most},
                 {"rate_min", &settings->rateMin}, {"rate_max", &settings->rateMax},
                 {"channels_min", &settings->channelsMin}, {"channels_max", &settings->channelsMax}};
  snd_config_iterator_t place, next;
  snd_config_for_each(place, next, conf) {
    snd_config_t* entry = snd_config_iterator_entry(place);
    const char* id;
    if (snd_config_get_id(entry, &id) < 0) continue;
    if (!strcmp(id, "ppm")) snd_config_get_ireal(entry, &pcm->ppm);
    for (size_t index = 0; index < sizeof texts / sizeof *texts; index++)
      if (!strcmp(id, texts[index].id)) snd_config_get_string(entry, texts[index].value);
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++)
      if (!strcmp(id, numbers[index].id)) snd_config_get_integer(entry, numbers[index].value);
  }
}

// Numbers of the words of a text, all of which have to be known to `number`.
static unsigned readWords(const char* text, int (*number)(const char*), unsigned* found, unsigned most) {
  char copy[128];
  unsigned count = 0;
  snprintf(copy, sizeof copy, "%s", text);
  for (char* word = strtok(copy, " "); word && count < most; word = strtok(NULL, " ")) {
    int value = number(word);
    if (value >= 0) found[count++] = value;
  }
  return count;
}

static int accessNumber(const char* word) {
  for (int access = 0; access <= SND_PCM_ACCESS_LAST; access++)
    if (!strcmp(word, snd_pcm_access_name(access))) return access;
  return -1;
}

static int formatNumber(const char* word) { return snd_pcm_format_value(word); }

static int offer(PCM* pcm, const Settings* settings) {
  unsigned words[16];
  unsigned count = readWords(settings->access, accessNumber, words, 16);
  int status = snd_pcm_ioplug_set_param_list(&pcm->io, SND_PCM_IOPLUG_HW_ACCESS, count, words);
  count = readWords(settings->formats, formatNumber, words, 16);
  if (status >= 0) status = snd_pcm_ioplug_set_param_list(&pcm->io, SND_PCM_IOPLUG_HW_FORMAT, count, words);
  const struct {
    int type;
    long least, most;
  } ranges[] = {{SND_PCM_IOPLUG_HW_CHANNELS, settings->channelsMin, settings->channelsMax},
                {SND_PCM_IOPLUG_HW_RATE, settings->rateMin, settings->rateMax},
                {SND_PCM_IOPLUG_HW_PERIOD_BYTES, 32, 1 << 18},
                {SND_PCM_IOPLUG_HW_PERIODS, 2, 64},
                {SND_PCM_IOPLUG_HW_BUFFER_BYTES, 64, 1 << 20}};
  for (size_t index = 0; index < sizeof ranges / sizeof *ranges && status >= 0; index++)
    status = snd_pcm_ioplug_set_param_minmax(
      &pcm->io, ranges[index].type, ranges[index].least, ranges[index].most);
  return status;
}

// Occupies the side for this process; a negated errno if it is gone, or another process's.
static int take(PCM* pcm) {
  int holder = 0;
  if (pcm->side->refusal) return -pcm->side->refusal;
  if (atomic_compare_exchange_strong(&pcm->side->opened, &holder, getpid())) return 0;
  if (!kill(holder, 0)) return -EBUSY;
  pcm->side->opened = getpid();
  return 0;
}

SND_PCM_PLUGIN_DEFINE_FUNC(simulated) {
  (void)root;
  Settings settings = {.faults = "", .rateMin = 8000, .rateMax = 192000, .channelsMin = 1, .channelsMax = 8};
  settings.access = "MMAP_INTERLEAVED RW_INTERLEAVED";
  settings.formats = "S16_LE S24_3LE S24_LE S32_LE FLOAT_LE";
  PCM* pcm = calloc(1, sizeof *pcm);
  if (!pcm) return -ENOMEM;
  readSettings(pcm, &settings, conf);
  readFaults(pcm, settings.faults);
  if (!settings.card || !(pcm->card = openCard(settings.card))) {
    free(pcm);
    return -ENOENT;
  }
  pcm->side = &pcm->card->side[stream == SND_PCM_STREAM_CAPTURE];
  int status = take(pcm);
  if (status < 0) {
    munmap(pcm->card, sizeof(Card));
    free(pcm);
    return status;
  }
  pcm->heard = settings.heard && stream == SND_PCM_STREAM_PLAYBACK
                 ? open(settings.heard, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)
                 : -1;
  pcm->boundary = pcm->availMin = 1;
  pcm->stopThreshold = -1UL;
  pcm->io = (snd_pcm_ioplug_t){.version = SND_PCM_IOPLUG_VERSION,
                               .name = "Simulated card",
                               .callback = &pcmCallbacks,
                               .private_data = pcm,
                               .poll_events = POLLIN,
                               .flags = SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA,
                               .poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)};
  status = snd_pcm_ioplug_create(&pcm->io, name, stream, mode);
  if (status >= 0) status = offer(pcm, &settings);
  *pcmp = pcm->io.pcm;
  return status;
}
SND_PCM_PLUGIN_SYMBOL(simulated);

// Sends a fault to a card; called by tests. Returns 0 on success.
int tellCard(const char* path, int isInput, const char* fault, double argument) {
  Card* card = openCard(path);
  int kind = faultNumber(fault);
  if (!card || !kind) return -1;
  Side* side = &card->side[isInput];
  side->argument = argument;
  if (kind == BACK || kind == BUSY || kind == DENY)
    side->refusal = kind == BUSY ? EBUSY : kind == DENY ? EACCES : 0;
  else if (kind == DISCONNECT && !side->opened) side->refusal = ENODEV;
  else side->request = kind;
  munmap(card, sizeof(Card));
  return 0;
}

// Whether a side of a card runs; called by tests.
int cardRuns(const char* path, int isInput) {
  Card* card = openCard(path);
  if (!card) return 0;
  int runs = card->side[isInput].running;
  munmap(card, sizeof(Card));
  return runs;
}
