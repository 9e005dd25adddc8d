// Reads files through ExtAudioFile, and by libsndfile or libavcodec called bare, by turns; opens a file many times.
// SPDX-License-Identifier: Apache-2.0
//
// usage: extended-files ROUNDS OPENINGS FILE...
#include <AudioToolbox/AudioToolbox.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kFrames = 4096 };
static float memory[kFrames * 8];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static CFURLRef url(const char *path) {
  return CFURLCreateFromFileSystemRepresentation(NULL, (const UInt8 *)path, (CFIndex)strlen(path), false);
}

static ExtAudioFileRef open_(const char *path, UInt32 *channels) {
  CFURLRef place = url(path);
  ExtAudioFileRef file = NULL;
  if (ExtAudioFileOpenURL(place, &file)) exit(66);
  CFRelease(place);
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileDataFormat, &size, &format);
  *channels = format.mChannelsPerFrame;
  double rate = format.mSampleRate;
  memset(&format, 0, sizeof format);
  format.mSampleRate = rate;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = 9;
  format.mBitsPerChannel = 32;
  format.mChannelsPerFrame = *channels;
  format.mFramesPerPacket = 1;
  format.mBytesPerFrame = format.mBytesPerPacket = 4 * *channels;
  if (ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, sizeof format, &format)) exit(65);
  return file;
}

static long ours(const char *path) {
  UInt32 channels = 0;
  ExtAudioFileRef file = open_(path, &channels);
  long total = 0;
  for (UInt32 frames = kFrames; frames > 0; total += frames) {
    frames = kFrames;
    AudioBufferList list = {1, {{channels, kFrames * 4 * channels, memory}}};
    if (ExtAudioFileRead(file, &frames, &list)) exit(70);
  }
  ExtAudioFileDispose(file);
  return total;
}

static long bySndfile(const char *path) {
  SF_INFO info = {0};
  SNDFILE *file = sf_open(path, SFM_READ, &info);
  if (!file) exit(66);
  long total = 0;
  for (sf_count_t got; (got = sf_readf_float(file, memory, kFrames)) > 0;) total += got;
  sf_close(file);
  return total;
}

static long byLibav(const char *path) {
  AVFormatContext *format = NULL;
  if (avformat_open_input(&format, path, NULL, NULL) || avformat_find_stream_info(format, NULL) < 0) exit(66);
  const AVCodec *codec = NULL;
  int stream = av_find_best_stream(format, AVMEDIA_TYPE_AUDIO, -1, -1, &codec, 0);
  AVCodecContext *context = avcodec_alloc_context3(codec);
  avcodec_parameters_to_context(context, format->streams[stream]->codecpar);
  context->thread_count = 1;
  if (avcodec_open2(context, codec, NULL)) exit(65);
  AVPacket *packet = av_packet_alloc();
  AVFrame *frame = av_frame_alloc();
  long total = 0;
  while (av_read_frame(format, packet) >= 0) {
    if (packet->stream_index == stream) avcodec_send_packet(context, packet);
    av_packet_unref(packet);
    while (avcodec_receive_frame(context, frame) == 0) {
      // Interleaved, as the others have it.
      int channels = context->ch_layout.nb_channels;
      if (frame->format == AV_SAMPLE_FMT_FLTP)
        for (int channel = 0; channel < channels; ++channel) {
          const float *row = (const float *)frame->extended_data[channel];
          for (int index = 0; index < frame->nb_samples && index < kFrames; ++index) memory[index * channels + channel] = row[index];
        }
      total += frame->nb_samples;
    }
  }
  av_frame_free(&frame);
  av_packet_free(&packet);
  avcodec_free_context(&context);
  avformat_close_input(&format);
  return total;
}

static int compare(const void *one, const void *other) {
  return (*(const double *)one > *(const double *)other) - (*(const double *)one < *(const double *)other);
}

int main(int count, char **arguments) {
  if (count < 4) return 64;
  int rounds = atoi(arguments[1]), openings = atoi(arguments[2]);
  if (rounds < 1 || rounds > 99) return 64;
  av_log_set_level(AV_LOG_QUIET);
  for (int argument = 3; argument < count; ++argument) {
    const char *path = arguments[argument], *ending = strrchr(path, '.');
    int isPlain = !strcmp(ending, ".wav") || !strcmp(ending, ".flac");
    double mine[99], bare[99], ratio[99];
    long frames = ours(path);
    for (int round = 0; round < rounds; ++round) {
      double start = now();
      ours(path);
      mine[round] = now() - start;
      start = now();
      if (isPlain) bySndfile(path); else byLibav(path);
      bare[round] = now() - start;
      ratio[round] = mine[round] / bare[round];
    }
    qsort(mine, (size_t)rounds, sizeof *mine, compare);
    qsort(bare, (size_t)rounds, sizeof *bare, compare);
    qsort(ratio, (size_t)rounds, sizeof *ratio, compare);
    double start = now();
    CFURLRef place = url(path);
    for (int turn = 0; turn < openings; ++turn) {
      ExtAudioFileRef file = NULL;
      if (ExtAudioFileOpenURL(place, &file)) return 66;
      ExtAudioFileDispose(file);
    }
    double each = openings > 0 ? (now() - start) / openings * 1000 : 0;
    CFRelease(place);
    start = now();
    for (int turn = 0; turn < openings; ++turn) {
      UInt32 channels;
      ExtAudioFileDispose(open_(path, &channels));
    }
    double ready = openings > 0 ? (now() - start) / openings * 1000 : 0;
    printf("%s: %ld frames, ExtAudioFile %.1f ms, %s %.1f ms, ratio %.2f; opening %.3f ms, with a client's format %.3f ms\n",
           ending + 1, frames, mine[rounds / 2] * 1000, isPlain ? "libsndfile" : "libavcodec",
           bare[rounds / 2] * 1000, ratio[rounds / 2], each, ready);
  }
  return 0;
}
