// The choice of a file's track, and the container's facts about it.
// SPDX-License-Identifier: Apache-2.0

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <string.h>

#include "FFmpegCodec.h"

int chooseTrack(const AVFormatContext *format, uint32_t wanted, const AVCodec **codec) {
  int first = -1;
  uint32_t number = 0;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    const AVStream *stream = format->streams[i];
    const AVCodec *decoder;
    if (stream->codecpar->codec_type != AVMEDIA_TYPE_AUDIO) continue;
    number++;
    if (wanted != 0 && number != wanted) continue;
    if (!(decoder = avcodec_find_decoder(stream->codecpar->codec_id))) continue;
    const bool isDefault = stream->disposition & AV_DISPOSITION_DEFAULT;
    if (first < 0 || isDefault) first = (int)i, *codec = decoder;
    if (isDefault) break;
  }
  return first;
}

bool tellsFrames(const char *kind) {
  return strstr(kind, "m4a") || strcmp(kind, "wv") == 0 || strcmp(kind, "tta") == 0 ||
         strcmp(kind, "ape") == 0;
}
