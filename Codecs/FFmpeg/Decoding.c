// The frames of a sound track as interleaved 32-bit float; damage is an error.
// SPDX-License-Identifier: Apache-2.0

#include <libavutil/intreadwrite.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "Reader.h"

// AC-3 begins with its encoder's delay before the sound. Few containers declare it; where one does, the
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

bool decodeFrames(AuricleCodecReader *reader) {
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

int64_t readFrames(
    AuricleCodecReader *reader, float *samples, int64_t frameCount, AuricleCodecFailure *failure) {
  int64_t done = 0;
  while (done < frameCount) {
    if (reader->pendingUsed == reader->pendingCount) {
      reader->pendingCount = reader->pendingUsed = 0;
      if (reader->held.status || !decodeFrames(reader)) break;
    }
    int64_t step = reader->pendingCount - reader->pendingUsed;
    if (step > frameCount - done) step = frameCount - done;
    // The container's own count ends the sound: the encoder's padding of its last block is none.
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
