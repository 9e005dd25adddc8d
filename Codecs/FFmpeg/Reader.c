// Reading a sound track of a file as interleaved 32-bit float; damage is an error.
// SPDX-License-Identifier: Apache-2.0

#include <libavcodec/avcodec.h>
#include <libavutil/avstring.h>
#include <libavutil/intreadwrite.h>
#include <libswresample/swresample.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "FFmpegCodec.h"

struct AuricleCodecReader {
  AuricleCodecBytes bytes;
  AVIOContext *io;
  AVFormatContext *format;
  AVCodecContext *decoder;
  SwrContext *converter;
  AVPacket *packet;
  AVFrame *frame;
  int track;
  int channelCount;
  int sampleRate;
  float *pending;          // converted frames not yet given
  int64_t pendingCount, pendingUsed, pendingRoom;
  int64_t lead;            // frames at the beginning that are no sound, and that are left out here
  int64_t skip;            // those still to come
  int64_t padding;         // those that the decoder leaves out itself
  bool hasFed;
  bool isWebM;
  int64_t bitRate;         // counted, where the container does not tell it
  double startTime;        // of the first frame that is given, in seconds
  int64_t given;
  int64_t promised;        // frames the container tells exactly, or -1
  int64_t slack;           // how many may be missing of them
  bool hasEnded;
  AuricleCodecFailure held; // damage to be told with the next call
};

// What is read: containers of sound and video, no lists of other files, no pictures, no devices.
static const char kinds[] =
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,aac,ac3,eac3,avi,asf,flv,live_flv,mpegts,mpeg,mp3,ogg,flac,wav,caf,"
    "aiff,amr,amrnb,amrwb,ape,wv,tta,tak,mpc,mpc8,dts,dtshd,truehd,mlp,dsf,iff,w64,xwma,rm,voc,au,"
    "oma,loas,shn,aea,ircam,nut,mxf,mxf_opatom,gxf,swf,wtv,dxa,adx,bfstm,brstm,g722,g729,gsm,ivf,"
    "nsv,r3d,vqf,qcp,sol,xa,dv,ffm,pva,svaf,smk,bink,roq,rl2,c93,film_cpk,ipmovie,4xm,dsicin,wsvqa,wsaud,sbc,aptx,aptx_hd,acm";

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

// Whatever a file refers to, nothing else is opened.
static int openNothing(
    AVFormatContext *format, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
  (void)format, (void)url, (void)flags, (void)options;
  *io = NULL;
  return AVERROR(EPERM);
}

int openInput(AVFormatContext **format, AVIOContext *io, const AVInputFormat *kind, AVDictionary **options) {
  (*format)->pb = io;
  (*format)->protocol_whitelist = av_strdup("none");
  (*format)->format_whitelist = av_strdup(kinds);
  (*format)->io_open = openNothing;
  (*format)->error_recognition = AV_EF_CRCCHECK;
  return avformat_open_input(format, "", kind, options);
}

static bool openTrack(
    AuricleCodecReader *reader, bool followsEdits, uint32_t wanted, AuricleCodecFailure *failure) {
  reader->io = makeInput(&reader->bytes);
  reader->format = avformat_alloc_context();
  reader->packet = av_packet_alloc();
  reader->frame = av_frame_alloc();
  if (!reader->io || !reader->format || !reader->packet || !reader->frame)
    return fail(failure, kAuricleCodecOutOfMemory, AVERROR(ENOMEM), "memory is short"), false;
  AVDictionary *options = NULL;
  if (!followsEdits) av_dict_set(&options, "advanced_editlist", "0", 0);
  const char *bare = bareStream(&reader->bytes);
  reader->isWebM = isWebM(&reader->bytes);
  const AVInputFormat *kind = bare ? av_find_input_format(bare) : NULL;
  reader->bytes.seek(reader->bytes.context, 0);
  int error = openInput(&reader->format, reader->io, kind, &options);
  av_dict_free(&options);
  // A guess is not enough: what is opened here is to be what it says.
  if (error >= 0 && !kind && reader->format->probe_score < AVPROBE_SCORE_RETRY) error = AVERROR_INVALIDDATA;
  if (error < 0)
    return fail(
               failure, statusOf(reader->io, kAuricleCodecUnknownKind), error,
               "no file of a known kind"), false;
  error = avformat_find_stream_info(reader->format, NULL);
  if (error < 0)
    return fail(
               failure, statusOf(reader->io, kAuricleCodecDamaged), error, "its tracks cannot be told"),
           false;
  const AVCodec *codec = NULL;
  reader->track = chooseTrack(reader->format, wanted, &codec);
  if (reader->track < 0 && wanted != 0 && chooseTrack(reader->format, 0, &codec) >= 0)
    return fail(
               failure, kAuricleCodecNoSuchTrack, 0, "it holds no sound track %u that can be read",
               wanted), false;
  if (reader->track < 0)
    return fail(failure, kAuricleCodecNoTrack, 0, "it holds no sound track"), false;
  for (unsigned i = 0; i < reader->format->nb_streams; i++)
    if ((int)i != reader->track) reader->format->streams[i]->discard = AVDISCARD_ALL;
  reader->decoder = avcodec_alloc_context3(codec);
  if (!reader->decoder) return fail(failure, kAuricleCodecOutOfMemory, AVERROR(ENOMEM), "memory is short"), false;
  AVStream *stream = reader->format->streams[reader->track];
  avcodec_parameters_to_context(reader->decoder, stream->codecpar);
  reader->decoder->pkt_timebase = stream->time_base;
  reader->decoder->thread_count = 1;
  reader->decoder->err_recognition = AV_EF_CRCCHECK | AV_EF_BUFFER | AV_EF_EXPLODE;
  error = avcodec_open2(reader->decoder, codec, NULL);
  if (error < 0)
    return fail(failure, kAuricleCodecUnsupported, error, "its %s decoder fails", codec->name), false;
  return true;
}

// AC-3 begins with what its encoder laid before the sound. Few containers tell of it; where one does, the
// decoder leaves it out. It does not for AAC in Matroska.
static void leaveOutLead(AuricleCodecReader *reader) {
  const enum AVCodecID codec = reader->decoder->codec_id;
  const int told = reader->format->streams[reader->track]->codecpar->initial_padding;
  if (reader->padding == 0 && codec == AV_CODEC_ID_AAC && told > 0 &&
      strstr(reader->format->iformat->name, "matroska"))
    reader->skip = reader->lead = told;
  if (reader->padding > 0 || (codec != AV_CODEC_ID_AC3 && codec != AV_CODEC_ID_EAC3)) return;
  reader->skip = reader->lead = 256;
}

static bool hold(AuricleCodecReader *reader, int error, const char *what) {
  fail(
      &reader->held, statusOf(reader->io, kAuricleCodecDamaged), error, "after frame %lld%s",
      (long long)reader->given, what);
  return false;
}

static bool convert(AuricleCodecReader *reader) {
  AVFrame *frame = reader->frame;
  const int channels = frame->ch_layout.nb_channels;
  if (reader->channelCount == 0) {
    reader->channelCount = channels;
    reader->sampleRate = frame->sample_rate;
  }
  if (channels != reader->channelCount || frame->sample_rate != reader->sampleRate) {
    fail(
        &reader->held, kAuricleCodecUnsupported, 0, "after frame %lld its track changes to %d channels at %d Hz",
        (long long)reader->given, channels, frame->sample_rate);
    return false;
  }
  if (!reader->converter) {
    int error = swr_alloc_set_opts2(
        &reader->converter, &frame->ch_layout, AV_SAMPLE_FMT_FLT, frame->sample_rate,
        &frame->ch_layout, frame->format, frame->sample_rate, 0, NULL);
    if (error >= 0) error = swr_init(reader->converter);
    if (error < 0) return hold(reader, error, ": its samples cannot be converted");
  }
  if (frame->nb_samples > reader->pendingRoom) {
    size_t size = (size_t)frame->nb_samples * (size_t)channels * sizeof(float);
    float *larger = realloc(reader->pending, size);
    if (!larger) return hold(reader, AVERROR(ENOMEM), ": memory is short");
    reader->pending = larger;
    reader->pendingRoom = frame->nb_samples;
  }
  uint8_t *out = (uint8_t *)reader->pending;
  int count = swr_convert(
      reader->converter, &out, frame->nb_samples, (const uint8_t **)frame->extended_data,
      frame->nb_samples);
  if (count < 0) return hold(reader, count, ": its samples cannot be converted");
  for (int64_t i = 0; i < (int64_t)count * channels; i++) {
    if (isfinite(reader->pending[i])) continue;
    fail(
        &reader->held, kAuricleCodecDamaged, 0, "frame %lld holds a sample that is no number",
        (long long)(reader->given + i / channels));
    return false;
  }
  const int64_t skipped = reader->skip < count ? reader->skip : count;
  if (reader->given == 0 && frame->best_effort_timestamp != AV_NOPTS_VALUE)
    reader->startTime =
        (double)frame->best_effort_timestamp * av_q2d(reader->decoder->pkt_timebase) +
        (double)skipped / reader->sampleRate;
  reader->skip -= skipped;
  reader->pendingCount = count;
  reader->pendingUsed = skipped;
  return true;
}

// The next packet of the track to the decoder; false at the end of the file and for damage.
static bool feed(AuricleCodecReader *reader) {
  int error = av_read_frame(reader->format, reader->packet);
  if (error == AVERROR_EOF || (error < 0 && avio_feof(reader->io))) {
    if (reader->io->error < 0) {
      reader->hasEnded = true;
      return hold(reader, reader->io->error, "");
    }
    avcodec_send_packet(reader->decoder, NULL);
    return true;
  }
  if (error < 0) {
    reader->hasEnded = true;
    return hold(reader, error, "");
  }
  bool isGood = true;
  if (reader->packet->stream_index == reader->track) {
    if (reader->packet->flags & AV_PKT_FLAG_CORRUPT) {
      isGood = hold(reader, 0, ": a packet is damaged");
    } else {
      size_t size = 0;
      const uint8_t *skip =
          av_packet_get_side_data(reader->packet, AV_PKT_DATA_SKIP_SAMPLES, &size);
      if (!reader->hasFed && skip && size >= 4) reader->padding = AV_RL32(skip);
      if (!reader->hasFed) leaveOutLead(reader);
      reader->hasFed = true;
      error = avcodec_send_packet(reader->decoder, reader->packet);
      if (error < 0 && error != AVERROR(EAGAIN)) isGood = hold(reader, error, "");
    }
  }
  av_packet_unref(reader->packet);
  return isGood;
}

// Decodes until frames are pending; false at the end, and for damage, which is held then.
static bool decode(AuricleCodecReader *reader) {
  while (!reader->hasEnded) {
    int error = avcodec_receive_frame(reader->decoder, reader->frame);
    if (error == AVERROR_EOF) return reader->hasEnded = true, false;
    if (error == AVERROR(EAGAIN)) {
      if (!feed(reader)) return false;
      continue;
    }
    if (error < 0) return hold(reader, error, "");
    bool isGood =
        reader->frame->decode_error_flags || reader->frame->flags & AV_FRAME_FLAG_CORRUPT
            ? hold(reader, 0, ": damaged")
            : convert(reader);
    av_frame_unref(reader->frame);
    if (!isGood) return false;
    if (reader->pendingCount > reader->pendingUsed) return true;
  }
  return false;
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
    // Covers stand among the tracks, too.
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
  while (!decode(reader) && reader->held.status) {
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
    return fail(failure, kAuricleCodecDamaged, 0, "its sound track tells no channels"),
           closeReader(reader), NULL;
  // Only a container that counts in frames of the track tells their number.
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
  AuricleCodecReader *reader = makeReader(bytes, passesDamage, true, wanted, failure);
  // What is missing is told, rather than what cannot be made of the rest.
  if (!reader && isDamaged) *failure = damage;
  if (!reader) return NULL;
  if (isDamaged && !passesDamage)
    return *failure = damage, closeReader(reader), NULL;
  // The usual edit list does no more than cut off what the encoder laid before and behind the
  // sound, but with a clock of milliseconds: the track itself knows the length to the frame.
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
  if (isDamaged) reader->held = damage;
  if (reader->format->streams[reader->track]->codecpar->bit_rate <= 0 &&
      reader->decoder->codec_id == AV_CODEC_ID_AAC) {
    reader->bitRate = countBits(bytes, wanted, reader->sampleRate);
    bytes->seek(bytes->context, reader->io->pos);
  }
  describe(reader, format);
  return reader;
}

int64_t readFrames(
    AuricleCodecReader *reader, float *samples, int64_t frameCount, AuricleCodecFailure *failure) {
  int64_t done = 0;
  while (done < frameCount) {
    if (reader->pendingUsed == reader->pendingCount) {
      reader->pendingCount = reader->pendingUsed = 0;
      if (reader->held.status || !decode(reader)) break;
    }
    int64_t step = reader->pendingCount - reader->pendingUsed;
    if (step > frameCount - done) step = frameCount - done;
    // The container's own count ends the sound: what an encoder filled its last block with is none.
    if (reader->promised >= 0 && reader->given + step > reader->promised)
      step = reader->promised - reader->given;
    if (step <= 0) {
      reader->hasEnded = true;
      reader->pendingUsed = reader->pendingCount = 0;
      break;
    }
    memcpy(
        samples + done * reader->channelCount,
        reader->pending + reader->pendingUsed * reader->channelCount,
        (size_t)step * (size_t)reader->channelCount * sizeof(float));
    reader->pendingUsed += step;
    reader->given += step;
    done += step;
  }
  if (done > 0) return done;
  if (!reader->held.status && reader->hasEnded && reader->promised > reader->given + reader->slack) {
    fail(
        &reader->held, kAuricleCodecDamaged, 0, "it ends at frame %lld, but its header promises %lld frames",
        (long long)reader->given, (long long)reader->promised);
    reader->promised = -1;
  }
  if (!reader->held.status) return 0;
  *failure = reader->held;
  reader->held.status = kAuricleCodecOK;
  return -1;
}

void readTexts(AuricleCodecReader *reader, AuricleCodecTextProc procedure, void *context) {
  AVDictionary *all[] = {
      reader->format->metadata, reader->format->streams[reader->track]->metadata};
  for (int i = 0; i < 2; i++) {
    const AVDictionaryEntry *entry = NULL;
    while ((entry = av_dict_get(all[i], "", entry, AV_DICT_IGNORE_SUFFIX)))
      procedure(context, entry->key, entry->value);
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
