// A sound track of a file: from opening to closing, and its facts.
// SPDX-License-Identifier: Apache-2.0

#include <libavutil/avstring.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Reader.h"

void closeReader(AuricleCodecReader *reader) {
  if (!reader) return;
  swr_free(&reader->converter);
  av_frame_free(&reader->frame);
  av_packet_free(&reader->packet);
  avcodec_free_context(&reader->decoder);
  avformat_close_input(&reader->format);
  freeContext(&reader->io);
  free(reader->pending);
  free(reader);
}

static void describe(AuricleCodecReader *reader, AuricleCodecFormat *format) {
  const AVStream *stream = reader->format->streams[reader->track];
  memset(format, 0, sizeof *format);
  const char *container = reader->format->iformat->name;
  if (strstr(container, "m4a")) container = "m4a";
  if (strstr(container, "matroska")) container = reader->isWebM ? "webm" : "mka";
  snprintf(
      format->container, sizeof format->container, "%.*s", (int)strcspn(container, ","), container);
  av_strlcpy(
      format->encoding, avcodec_get_name(reader->decoder->codec_id), sizeof format->encoding);
  format->sampleRate = reader->sampleRate;
  format->channelCount = (uint32_t)reader->channelCount;
  const AVChannelLayout *layout = &reader->decoder->ch_layout;
  if (layout->order == AV_CHANNEL_ORDER_NATIVE && layout->nb_channels == reader->channelCount)
    format->channelMask = layout->u.mask;
  format->frameCount = reader->promised;
  format->soundTime = reader->startTime;
  format->bitRate = stream->codecpar->bit_rate > 0 ? stream->codecpar->bit_rate : reader->bitRate;
  format->bitsPerSample = (uint32_t)stream->codecpar->bits_per_raw_sample;
  for (unsigned i = 0; i < reader->format->nb_streams; i++) {
    const AVStream *other = reader->format->streams[i];
    const enum AVMediaType type = other->codecpar->codec_type;
    // Covers are among the tracks, too.
    if (other->disposition & AV_DISPOSITION_ATTACHED_PIC) continue;
    if (type == AVMEDIA_TYPE_VIDEO) {
      const double time =
          other->start_time == AV_NOPTS_VALUE ? 0 : (double)other->start_time * av_q2d(other->time_base);
      if (format->videoTrackCount++ == 0 || time < format->videoTime) format->videoTime = time;
    } else if (type != AVMEDIA_TYPE_AUDIO) {
      format->otherTrackCount++;
    }
    if (type != AVMEDIA_TYPE_AUDIO) continue;
    format->trackCount++;
    if ((int)i == reader->track) format->track = format->trackCount;
  }
}

static AuricleCodecReader *makeReader(
    const AuricleCodecBytes *bytes, bool passesDamage, bool followsEdits, uint32_t wanted,
    AuricleCodecFailure *failure) {
  AuricleCodecReader *reader = calloc(1, sizeof *reader);
  if (!reader) return fail(failure, kAuricleCodecOutOfMemory, 0, "memory is short"), NULL;
  reader->bytes = *bytes;
  reader->promised = -1;
  if (bytes->seek(bytes->context, 0) != 0)
    return fail(failure, kAuricleCodecSystemError, 0, "it cannot be read"), closeReader(reader), NULL;
  if (!openTrack(reader, followsEdits, wanted, failure)) return closeReader(reader), NULL;
  // Rate and channels of some streams are certain only after the first frame.
  while (!decodeFrames(reader) && reader->held.status) {
    if (!passesDamage || reader->hasEnded) {
      *failure = reader->held;
      return closeReader(reader), NULL;
    }
    reader->held.status = kAuricleCodecOK;
  }
  if (reader->channelCount == 0) {
    reader->channelCount = reader->decoder->ch_layout.nb_channels;
    reader->sampleRate = reader->decoder->sample_rate;
  }
  if (reader->channelCount <= 0 || reader->sampleRate <= 0)
    return fail(failure, kAuricleCodecDamaged, 0, "its sound track has no number of channels"),
           closeReader(reader), NULL;
  // Only a container that counts in frames of the track knows their number.
  const AVStream *stream = reader->format->streams[reader->track];
  if (stream->duration > 0 && stream->time_base.num == 1 &&
      stream->time_base.den == reader->sampleRate && tellsFrames(reader->format->iformat->name)) {
    reader->promised = stream->duration > reader->lead ? stream->duration - reader->lead : 0;
    reader->slack = reader->decoder->frame_size > 0 ? 2 * reader->decoder->frame_size : 4096;
  }
  return reader;
}

// The bit rate of the first packets of a track.
static int64_t countBits(const AuricleCodecBytes *bytes, uint32_t wanted, int sampleRate) {
  AuricleCodecFailure ignored;
  AuricleCodecReader *reader = calloc(1, sizeof *reader);
  if (!reader) return 0;
  reader->bytes = *bytes;
  int64_t size = 0, frames = 0;
  if (openTrack(reader, true, wanted, &ignored) && reader->decoder->frame_size > 0)
    for (int count = 0; count < 500 && av_read_frame(reader->format, reader->packet) >= 0;) {
      if (reader->packet->stream_index == reader->track) {
        size += reader->packet->size;
        frames += reader->decoder->frame_size;
        count++;
      }
      av_packet_unref(reader->packet);
    }
  closeReader(reader);
  return frames > 0 ? size * 8 * sampleRate / frames : 0;
}

AuricleCodecReader *openReader(
    const AuricleCodecBytes *bytes, bool passesDamage, AuricleCodecFormat *format,
    AuricleCodecFailure *failure) {
  AuricleCodecFailure damage;
  const bool isDamaged = isBroken(bytes, &damage);
  const uint32_t wanted = format->track;
  const int64_t known = format->frameCount;
  AuricleCodecReader *reader = makeReader(bytes, passesDamage, true, wanted, failure);
  // The missing part is reported, rather than the effect on the rest.
  if (!reader && isDamaged) *failure = damage;
  if (!reader) return NULL;
  if (isDamaged && !passesDamage)
    return *failure = damage, closeReader(reader), NULL;
  // The usual edit list only cuts off the encoder's padding before and behind the sound, but with a
  // clock of milliseconds. The track itself knows the length to the frame.
  if (reader->promised > 0 && reader->decoder->codec_id == AV_CODEC_ID_AAC) {
    AuricleCodecFailure ignored;
    AuricleCodecReader *plain = makeReader(bytes, passesDamage, false, wanted, &ignored);
    const int64_t length = plain ? plain->promised - plain->padding : 0;
    if (length > 0 && llabs(length - reader->promised) <= reader->sampleRate / 400) {
      plain->promised = length;
      closeReader(reader);
      reader = plain;
    } else {
      closeReader(plain);
      closeReader(reader);
      reader = makeReader(bytes, passesDamage, true, wanted, failure);
      if (!reader) return NULL;
    }
  }
  // A film's clock is too coarse for the end of other sound, too, and some films have none: the host may know it from
  // the track's tables.
  const bool isTimed = reader->promised >= 0;
  if (known > 0 && (!isTimed || llabs(known - reader->promised) <= reader->sampleRate / 400))
    reader->promised = known;
  if (!isTimed && reader->promised >= 0)
    reader->slack = reader->decoder->frame_size > 0 ? 2 * reader->decoder->frame_size : 4096;
  if (isDamaged) reader->held = damage;
  if (reader->format->streams[reader->track]->codecpar->bit_rate <= 0 &&
      reader->decoder->codec_id == AV_CODEC_ID_AAC) {
    reader->bitRate = countBits(bytes, wanted, reader->sampleRate);
    bytes->seek(bytes->context, reader->io->pos);
  }
  describe(reader, format);
  return reader;
}

void readTexts(AuricleCodecReader *reader, AuricleCodecTextProc procedure, void *context) {
  AVDictionary *all[] = {
      reader->format->metadata, reader->format->streams[reader->track]->metadata};
  for (int i = 0; i < 2; i++) {
    const AVDictionaryEntry *entry = NULL;
    while ((entry = av_dict_get(all[i], "", entry, AV_DICT_IGNORE_SUFFIX))) {
      char key[256];
      snprintf(key, sizeof key, "%s%s", i == 0 ? "" : kAuricleCodecOfTrack, entry->key);
      procedure(context, key, entry->value);
    }
  }
  for (unsigned i = 0; i < reader->format->nb_streams; i++) {
    const AVStream *other = reader->format->streams[i];
    const AVDictionaryEntry *name = av_dict_get(other->metadata, "filename", NULL, 0);
    // Pictures without a file's name are those of tags, which are read elsewhere, but for Windows Media.
    const bool isPicture = other->disposition & AV_DISPOSITION_ATTACHED_PIC &&
                           (name || strcmp(reader->format->iformat->name, "asf") == 0);
    if (isPicture || other->codecpar->codec_type == AVMEDIA_TYPE_ATTACHMENT)
      procedure(context, kAuricleCodecAttachment, name ? name->value : "");
  }
}

void readMarks(AuricleCodecReader *reader, AuricleCodecMarkProc procedure, void *context) {
  for (unsigned i = 0; i < reader->format->nb_chapters; i++) {
    const AVChapter *chapter = reader->format->chapters[i];
    const AVDictionaryEntry *title = av_dict_get(chapter->metadata, "title", NULL, 0);
    AuricleCodecMark mark = {
        .frame = av_rescale_q(
            chapter->start, chapter->time_base, (AVRational){1, reader->sampleRate}),
        .name = title ? title->value : ""};
    if (i == 0 && mark.frame == 0 && strcmp(mark.name, kLeadingTitle) == 0) continue;
    if (strcmp(mark.name, kUnnamedTitle) == 0) mark.name = "";
    if (mark.frame >= 0) procedure(context, &mark);
  }
}
