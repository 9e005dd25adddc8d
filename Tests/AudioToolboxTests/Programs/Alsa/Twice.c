// A program that plays the same sound twice on a PCM of ALSA, each time to its end.
// SPDX-License-Identifier: Apache-2.0
//
// usage: Twice DEVICE rw|mmap|drop
// "drop" gives the first sound up in the middle.
#include <alsa/asoundlib.h>
#include <stdio.h>
#include <string.h>

enum { frameCount = 30000, channelCount = 2, blockFrames = 700 };
static float samples[frameCount * channelCount];

#define TRY(call)                                                    \
  do {                                                               \
    const long result = (call);                                      \
    if (result < 0) {                                                \
      fprintf(stderr, "%s: %s\n", #call, snd_strerror((int)result)); \
      return 1;                                                      \
    }                                                                \
  } while (0)

static int play(snd_pcm_t *pcm, int isMapped, int count) {
  for (int done = 0; done < count;) {
    const int wanted = count - done < blockFrames ? count - done : blockFrames;
    const float *place = samples + done * channelCount;
    const snd_pcm_sframes_t played = isMapped ? snd_pcm_mmap_writei(pcm, place, (snd_pcm_uframes_t)wanted)
                                              : snd_pcm_writei(pcm, place, (snd_pcm_uframes_t)wanted);
    TRY(played);
    done += (int)played;
  }
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 3) return 64;
  const int isMapped = strcmp(argv[2], "mmap") == 0, drops = strcmp(argv[2], "drop") == 0;
  unsigned random = 1;
  for (int index = 0; index < frameCount * channelCount; index++) {
    random = random * 1664525 + 1013904223;
    samples[index] = (float)((int)(random >> 8) - (1 << 23)) / (1 << 24);
  }
  snd_pcm_t *pcm;
  TRY(snd_pcm_open(&pcm, argv[1], SND_PCM_STREAM_PLAYBACK, 0));
  TRY(snd_pcm_set_params(pcm, SND_PCM_FORMAT_FLOAT, isMapped ? SND_PCM_ACCESS_MMAP_INTERLEAVED : SND_PCM_ACCESS_RW_INTERLEAVED,
                         channelCount, 48000, 0, 500000));
  if (play(pcm, isMapped, drops ? frameCount / 2 : frameCount)) return 1;
  snd_pcm_sframes_t delay = -1;
  TRY(snd_pcm_delay(pcm, &delay));
  printf("delay %ld\n", (long)delay);
  if (drops) {
    TRY(snd_pcm_drop(pcm));
  } else {
    TRY(snd_pcm_drain(pcm));
  }
  TRY(snd_pcm_prepare(pcm));
  if (play(pcm, isMapped, frameCount)) return 1;
  TRY(snd_pcm_drain(pcm));
  TRY(snd_pcm_close(pcm));
  return 0;
}
