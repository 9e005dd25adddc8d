// Picture tracks copied from one file into another, packet by packet, as they are and in time with the sound.
// SPDX-License-Identifier: Apache-2.0

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "FFmpegCodec.h"

struct VideoCopy {
  AuricleCodecBytes bytes;
  AVIOContext *io;
  AVFormatContext *format;
  AVPacket *packet;
  AVStream **targets;  // one for each track of the file; NULL for left-out ones
  int64_t start;       // in microseconds
  bool hasPacket;      // one that is not due yet
};

void closeVideo(VideoCopy *copy) {
  if (!copy) return;
  av_packet_free(&copy->packet);
  avformat_close_input(&copy->format);
  freeContext(&copy->io);
  free(copy->targets);
  free(copy);
}

// Returns whether a track holds moving pictures; covers are among the tracks, too.
static bool isVideo(const AVStream *stream) {
  return stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
         !(stream->disposition & AV_DISPOSITION_ATTACHED_PIC);
}

VideoCopy *openVideo(const AuricleCodecVideo *video, AuricleCodecFailure *failure) {
  VideoCopy *copy = calloc(1, sizeof *copy);
  if (!copy) return fail(failure, kAuricleCodecOutOfMemory, 0, "memory is short"), NULL;
  copy->bytes = video->bytes;
  copy->start = llrint(video->start * AV_TIME_BASE);
  copy->io = makeInput(&copy->bytes);
  copy->format = avformat_alloc_context();
  copy->packet = av_packet_alloc();
  if (!copy->io || !copy->format || !copy->packet)
    return fail(failure, kAuricleCodecOutOfMemory, 0, "memory is short"), closeVideo(copy), NULL;
  copy->bytes.seek(copy->bytes.context, 0);
  int error = openInput(&copy->format, copy->io, NULL, NULL);
  if (error >= 0) error = avformat_find_stream_info(copy->format, NULL);
  if (error < 0)
    return fail(failure, statusOf(copy->io, kAuricleCodecDamaged), error, "its picture track cannot be read"),
           closeVideo(copy), NULL;
  copy->targets = calloc(copy->format->nb_streams + 1, sizeof *copy->targets);
  if (!copy->targets) return fail(failure, kAuricleCodecOutOfMemory, 0, "memory is short"), closeVideo(copy), NULL;
  for (unsigned i = 0; i < copy->format->nb_streams; i++)
    if (!isVideo(copy->format->streams[i])) copy->format->streams[i]->discard = AVDISCARD_ALL;
  return copy;
}

const char *muxerOfVideo(const VideoCopy *copy, const char *container) {
  if (strcmp(container, "ipod") != 0) return container;
  const AVDictionaryEntry *brand = av_dict_get(copy->format->metadata, "major_brand", NULL, 0);
  return brand && strncmp(brand->value, "qt", 2) == 0 ? "mov" : "mp4";
}

// Copies data beside the codec's own parameters, such as the rotation of the picture.
static bool copySideData(AVStream *target, const AVStream *source) {
#if LIBAVFORMAT_VERSION_MAJOR < 61
  for (int i = 0; i < source->nb_side_data; i++) {
    const AVPacketSideData *data = &source->side_data[i];
    uint8_t *bytes = av_stream_new_side_data(target, data->type, data->size);
    if (!bytes) return false;
    memcpy(bytes, data->data, data->size);
  }
#else
  (void)target, (void)source;  // parts of the parameters
#endif
  return true;
}

bool addVideoTracks(VideoCopy *copy, AVFormatContext *target, AuricleCodecFailure *failure) {
  for (unsigned i = 0; i < copy->format->nb_streams; i++) {
    const AVStream *source = copy->format->streams[i];
    if (!isVideo(source)) continue;
    const enum AVCodecID codec = source->codecpar->codec_id;
    if (avformat_query_codec(target->oformat, codec, FF_COMPLIANCE_NORMAL) != 1)
      return fail(
                 failure, kAuricleCodecNoVideo, 0, "%s files take no pictures in %s", target->oformat->name,
                 avcodec_get_name(codec)), false;
    AVStream *stream = copy->targets[i] = avformat_new_stream(target, NULL);
    if (!stream || avcodec_parameters_copy(stream->codecpar, source->codecpar) < 0 ||
        !copySideData(stream, source))
      return fail(failure, kAuricleCodecOutOfMemory, 0, "memory is short"), false;
    const struct AVCodecTag *const *tags = target->oformat->codec_tag;
    if (tags && av_codec_get_id(tags, stream->codecpar->codec_tag) != codec) stream->codecpar->codec_tag = 0;
    stream->time_base = source->time_base;
    stream->avg_frame_rate = source->avg_frame_rate;
    stream->sample_aspect_ratio = source->sample_aspect_ratio;
    stream->disposition = source->disposition;
    av_dict_copy(&stream->metadata, source->metadata, 0);
  }
  return true;
}

// Puts the packet into the target, on the clock of its sound.
static int put(VideoCopy *copy, AVFormatContext *target) {
  AVPacket *packet = copy->packet;
  const AVStream *source = copy->format->streams[packet->stream_index];
  const AVStream *stream = copy->targets[packet->stream_index];
  const int64_t shift = av_rescale_q(copy->start, AV_TIME_BASE_Q, source->time_base);
  if (packet->pts != AV_NOPTS_VALUE) packet->pts -= shift;
  if (packet->dts != AV_NOPTS_VALUE) packet->dts -= shift;
  av_packet_rescale_ts(packet, source->time_base, stream->time_base);
  packet->stream_index = stream->index;
  packet->pos = -1;
  copy->hasPacket = false;
  return av_interleaved_write_frame(target, packet);
}

int copyVideo(VideoCopy *copy, AVFormatContext *target, double time) {
  for (;;) {
    if (!copy->hasPacket) {
      const int error = av_read_frame(copy->format, copy->packet);
      if (error == AVERROR_EOF) return 0;
      if (error < 0) return error;
      if (!copy->targets[copy->packet->stream_index]) {
        av_packet_unref(copy->packet);
        continue;
      }
      copy->hasPacket = true;
    }
    const int64_t due = copy->packet->dts == AV_NOPTS_VALUE ? copy->packet->pts : copy->packet->dts;
    const AVRational base = copy->format->streams[copy->packet->stream_index]->time_base;
    if (due != AV_NOPTS_VALUE && (double)due * av_q2d(base) - copy->start * 1e-6 > time) return 0;
    const int error = put(copy, target);
    if (error < 0) return error;
  }
}
