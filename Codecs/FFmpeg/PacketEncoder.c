// Encoding interleaved samples into single packets.
// SPDX-License-Identifier: Apache-2.0

#include <libavcodec/codec_desc.h>
#include <libavcodec/vorbis_parser.h>
#include <libavutil/opt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "FFmpegCodec.h"

struct AuricleCodecEncoder {
  AMREncoder *amr;  // which does all; NULL for FFmpeg's encodings
  AVCodecContext *context;
  AVPacket *packet;
  AVFrame *frame;
  AVVorbisParseContext *vorbis;  // finds the length of Vorbis packets; NULL for others
  uint32_t kind;                 // an AuricleCodecSamples
  int64_t taken, made;           // frames in, and frames in packets out
  bool hasEnded, hasPackets;
};

const char *encodableNames(void) {
  static const char *const names[] = {"aac", "alac", "mp2", "mp3", "flac", "opus", "vorbis", "ac3", "eac3",
                                      "adpcm_ima_qt", "adpcm_ima_wav", "adpcm_ms", "gsm", "gsm_ms", "amr_nb",
                                      "amr_wb", NULL};
  static char text[256];
  text[0] = 0;
  for (const char *const *name = names; *name; name++) {
    const AVCodecDescriptor *description = avcodec_descriptor_get_by_name(*name);
    if (!(description && avcodec_find_encoder(description->id)) && !canEncodeAMR(*name)) continue;
    if (text[0]) strncat(text, ",", sizeof text - strlen(text) - 1);
    strncat(text, *name, sizeof text - strlen(text) - 1);
  }
  return text;
}

void closeEncoder(AuricleCodecEncoder *encoder) {
  if (!encoder) return;
  closeAMREncoder(encoder->amr);
  avcodec_free_context(&encoder->context);
  av_packet_free(&encoder->packet);
  av_frame_free(&encoder->frame);
  av_vorbis_parse_free(&encoder->vorbis);
  free(encoder);
}

static bool has(const AVCodec *codec, enum AVSampleFormat format) {
  for (const enum AVSampleFormat *one = codec->sample_fmts; one && *one != AV_SAMPLE_FMT_NONE; one++)
    if (*one == format) return true;
  return false;
}

// Chooses floats if the encoder accepts them; without loss the integers of the depth.
static bool chooseSamples(AVCodecContext *context, const AVCodec *codec, uint32_t bits) {
  const bool isLossless = codec->id == AV_CODEC_ID_ALAC || codec->id == AV_CODEC_ID_FLAC;
  const enum AVSampleFormat floats[] = {AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_FLT};
  const enum AVSampleFormat longs[] = {AV_SAMPLE_FMT_S32P, AV_SAMPLE_FMT_S32};
  const enum AVSampleFormat shorts[] = {AV_SAMPLE_FMT_S16P, AV_SAMPLE_FMT_S16};
  const enum AVSampleFormat *choice = !isLossless ? floats : bits > 16 ? longs : shorts;
  if (!has(codec, choice[0]) && !has(codec, choice[1])) choice = shorts;
  context->sample_fmt = has(codec, choice[0]) ? choice[0] : choice[1];
  if (isLossless && bits > 16) context->bits_per_raw_sample = 24;
  return has(codec, context->sample_fmt);
}

// Chooses the loudspeakers of an encoder's channels: the usual ones if it accepts them, else the first for
// so many.
static bool chooseChannels(AVCodecContext *context, const AVCodec *codec, int count) {
  av_channel_layout_default(&context->ch_layout, count);
  if (!codec->ch_layouts) return true;
  const AVChannelLayout *first = NULL;
  for (const AVChannelLayout *layout = codec->ch_layouts; layout->nb_channels; layout++) {
    if (av_channel_layout_compare(layout, &context->ch_layout) == 0) return true;
    if (!first && layout->nb_channels == count) first = layout;
  }
  return first && av_channel_layout_copy(&context->ch_layout, first) >= 0;
}

static void chooseBitRate(AVCodecContext *context, const AuricleCodecPackets *packets) {
  const bool isVariable = packets->bitRateMode == kAuricleCodecVariable && packets->quality >= 0;
  const int quality = packets->quality > 127 ? 127 : packets->quality;
  context->bit_rate = packets->bitRate;
  switch (context->codec_id) {
    case AV_CODEC_ID_MP3:
      av_opt_set_int(context->priv_data, "abr", packets->bitRateMode == kAuricleCodecAverage, 0);
      if (!isVariable) break;
      context->flags |= AV_CODEC_FLAG_QSCALE;
      context->global_quality = FF_QP2LAMBDA * (127 - quality) * 9 / 127;
      break;
    case AV_CODEC_ID_VORBIS:
      if (!isVariable && packets->bitRate > 0) break;
      context->bit_rate = 0;
      context->flags |= AV_CODEC_FLAG_QSCALE;
      context->global_quality = FF_QP2LAMBDA * ((isVariable ? quality : 47) * 11 - 127) / 127;
      break;
    case AV_CODEC_ID_OPUS: {
      static const int modes[] = {0, 1, 2, 1};
      av_opt_set_int(context->priv_data, "vbr", modes[packets->bitRateMode & 3], 0);
      break;
    }
    default: break;
  }
}

static int open(AuricleCodecEncoder *encoder, const AuricleCodecPackets *packets) {
  const AVCodecDescriptor *description = avcodec_descriptor_get_by_name(packets->encoding);
  const AVCodec *codec = description ? avcodec_find_encoder(description->id) : NULL;
  if (!codec) return AVERROR_ENCODER_NOT_FOUND;
  encoder->packet = av_packet_alloc();
  encoder->frame = av_frame_alloc();
  AVCodecContext *context = encoder->context = avcodec_alloc_context3(codec);
  if (!encoder->packet || !encoder->frame || !context) return AVERROR(ENOMEM);
  context->sample_rate = (int)packets->sampleRate;
  context->time_base = (AVRational){1, context->sample_rate};
  context->thread_count = 1;
  context->flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_GLOBAL_HEADER;
  if (codec->id == AV_CODEC_ID_FLAC) context->frame_size = (int)packets->framesPerPacket;
  if (codec->id == AV_CODEC_ID_ADPCM_MS || codec->id == AV_CODEC_ID_ADPCM_IMA_WAV)
    av_opt_set_int(context->priv_data, "block_size", packets->bytesPerPacket, 0);
  if (!chooseChannels(context, codec, (int)packets->channelCount) ||
      !chooseSamples(context, codec, packets->bitsPerSample))
    return AVERROR_PATCHWELCOME;
  chooseBitRate(context, packets);
  const int error = avcodec_open2(context, codec, NULL);
  // The encoder does not accept the requested settings.
  if (error < 0) return error == AVERROR(ENOMEM) ? error : AVERROR_PATCHWELCOME;
  if (codec->id == AV_CODEC_ID_VORBIS)
    encoder->vorbis = av_vorbis_parse_init(context->extradata, context->extradata_size);
  return 0;
}

AuricleCodecEncoder *openPacketEncoder(AuricleCodecPackets *packets, int32_t *status) {
  AuricleCodecEncoder *encoder = calloc(1, sizeof *encoder);
  if (!encoder) return *status = kAuricleCodecOutOfMemory, NULL;
  if (canEncodeAMR(packets->encoding)) {
    encoder->amr = openAMREncoder(packets, status);
    if (!encoder->amr) return closeEncoder(encoder), NULL;
    describeEncoder(encoder, packets);
    return encoder;
  }
  const int error = open(encoder, packets);
  if (error < 0) return *status = statusOfError(error), closeEncoder(encoder), NULL;
  switch (av_get_packed_sample_fmt(encoder->context->sample_fmt)) {
    case AV_SAMPLE_FMT_S16: encoder->kind = kAuricleCodecInt16; break;
    case AV_SAMPLE_FMT_S32: encoder->kind = kAuricleCodecInt32; break;
    default: encoder->kind = kAuricleCodecFloat32;
  }
  describeEncoder(encoder, packets);
  *status = kAuricleCodecOK;
  return encoder;
}

// The largest packet that an encoding has, in bytes.
static uint32_t largestPacket(const AVCodecContext *context) {
  const uint32_t channels = (uint32_t)context->ch_layout.nb_channels;
  const uint32_t frames = context->frame_size > 0 ? (uint32_t)context->frame_size : 4096;
  switch (context->codec_id) {
    case AV_CODEC_ID_AAC: return 768 * channels;
    case AV_CODEC_ID_MP3: return 1441;
    case AV_CODEC_ID_MP2: return 1729;
    case AV_CODEC_ID_AC3: return 3840;
    case AV_CODEC_ID_EAC3: return 4096;
    case AV_CODEC_ID_OPUS: return 1277 * channels + 2;
    case AV_CODEC_ID_VORBIS: return 8192 * channels + 512;
    case AV_CODEC_ID_ALAC:
    case AV_CODEC_ID_FLAC: return frames * channels * 4 + 64 + channels * 16;
    default: return (uint32_t)context->block_align;
  }
}

void describeEncoder(AuricleCodecEncoder *encoder, AuricleCodecPackets *packets) {
  if (encoder->amr) return describeAMREncoder(encoder->amr, packets);
  const AVCodecContext *context = encoder->context;
  const bool isALAC = context->codec_id == AV_CODEC_ID_ALAC && context->extradata_size >= 36;
  packets->samples = encoder->kind;
  packets->sampleRate = context->sample_rate;
  packets->framesPerPacket = encoder->vorbis ? 0 : (uint32_t)context->frame_size;
  packets->bytesPerPacket = largestPacket(context) == (uint32_t)context->block_align ? (uint32_t)context->block_align : 0;
  packets->leadFrames = encoder->vorbis ? 0 : (uint32_t)context->initial_padding;
  packets->largestPacket = largestPacket(context);
  packets->bitRate = context->bit_rate;
  packets->configuration = context->extradata + (isALAC ? 12 : 0);
  packets->configurationSize = (size_t)(context->extradata_size - (isALAC ? 12 : 0));
}

static uint32_t framesOf(AuricleCodecEncoder *encoder, const AVPacket *packet) {
  const AVCodecContext *context = encoder->context;
  if (encoder->vorbis) {
    const int frames = av_vorbis_parse_frame(encoder->vorbis, packet->data, packet->size);
    // Nothing is decoded of the first packet.
    return encoder->hasPackets && frames > 0 ? (uint32_t)frames : 0;
  }
  const bool isLossless = context->codec_id == AV_CODEC_ID_ALAC || context->codec_id == AV_CODEC_ID_FLAC;
  return isLossless && packet->duration > 0 ? (uint32_t)packet->duration : (uint32_t)context->frame_size;
}

static int takePackets(AuricleCodecEncoder *encoder, AuricleCodecPacketProc procedure, void *context) {
  int error;
  while ((error = avcodec_receive_packet(encoder->context, encoder->packet)) >= 0) {
    AVPacket *packet = encoder->packet;
    size_t size = 0;
    const uint8_t *configuration = av_packet_get_side_data(packet, AV_PKT_DATA_NEW_EXTRADATA, &size);
    if (configuration && size == (size_t)encoder->context->extradata_size)
      memcpy(encoder->context->extradata, configuration, size);
    if (packet->size > 0) {
      const uint32_t frames = framesOf(encoder, packet);
      encoder->hasPackets = true;
      encoder->made += frames;
      procedure(context, packet->data, (size_t)packet->size, frames);
    }
    av_packet_unref(packet);
  }
  return error == AVERROR(EAGAIN) || error == AVERROR_EOF ? 0 : error;
}

// Encoders are not made for NaNs, or for levels far beyond full scale (12 dB are let through): some end the process.
static void limit(AVFrame *frame, int channels) {
  const bool isPlanar = av_sample_fmt_is_planar(frame->format);
  for (int plane = 0; plane < (isPlanar ? channels : 1); plane++) {
    float *samples = (float *)frame->extended_data[plane];
    const int count = frame->nb_samples * (isPlanar ? 1 : channels);
    for (int i = 0; i < count; i++)
      if (!(fabsf(samples[i]) <= 4)) samples[i] = isnan(samples[i]) ? 0 : copysignf(4, samples[i]);
  }
}

static void fill(AVFrame *frame, const uint8_t *samples, size_t size, int channels) {
  if (!av_sample_fmt_is_planar(frame->format)) {
    memcpy(frame->extended_data[0], samples, size * (size_t)channels * (size_t)frame->nb_samples);
    return;
  }
  for (int channel = 0; channel < channels; channel++) {
    if (size == 2) {
      int16_t *plane = (int16_t *)frame->extended_data[channel];
      const int16_t *source = (const int16_t *)samples + channel;
      for (int i = 0; i < frame->nb_samples; i++) plane[i] = source[(size_t)i * (size_t)channels];
    } else {
      int32_t *plane = (int32_t *)frame->extended_data[channel];
      const int32_t *source = (const int32_t *)samples + channel;
      for (int i = 0; i < frame->nb_samples; i++) plane[i] = source[(size_t)i * (size_t)channels];
    }
  }
}

// Whether an encoder makes a packet of every frame: it holds back as much as it laid before the sound.
static bool holdsBack(const AVCodecContext *context) {
  return !(context->codec->capabilities & AV_CODEC_CAP_DELAY) && context->initial_padding > 0;
}

// Passes frames to the encoder, silence for NULL, and collects its packets.
static int send(
    AuricleCodecEncoder *encoder, const void *samples, int64_t count, AuricleCodecPacketProc procedure,
    void *context) {
  AVFrame *frame = encoder->frame;
  const int channels = encoder->context->ch_layout.nb_channels;
  // A short frame is the last that such an encoder accepts, and more has to follow: silence fills it.
  const int room = holdsBack(encoder->context) && count < encoder->context->frame_size ? encoder->context->frame_size
                                                                                       : (int)count;
  frame->nb_samples = room;
  frame->format = encoder->context->sample_fmt;
  frame->sample_rate = encoder->context->sample_rate;
  frame->pts = encoder->taken;
  int error = av_channel_layout_copy(&frame->ch_layout, &encoder->context->ch_layout);
  if (error >= 0) error = av_frame_get_buffer(frame, 0);
  if (error >= 0 && (!samples || count < room))
    av_samples_set_silence(frame->extended_data, 0, room, channels, frame->format);
  frame->nb_samples = (int)count;
  if (error >= 0 && samples) fill(frame, samples, encoder->kind == kAuricleCodecInt16 ? 2 : 4, channels);
  frame->nb_samples = room;
  if (error >= 0 && samples && encoder->kind == kAuricleCodecFloat32) limit(frame, channels);
  if (error >= 0) error = avcodec_send_frame(encoder->context, frame);
  av_frame_unref(frame);
  if (error >= 0) encoder->taken += count;
  return error < 0 ? error : takePackets(encoder, procedure, context);
}

int32_t encodeFrames(
    AuricleCodecEncoder *encoder, const void *samples, int64_t frameCount,
    AuricleCodecPacketProc procedure, void *context) {
  if (encoder->amr) return encodeAMR(encoder->amr, samples, frameCount, procedure, context);
  if (encoder->hasEnded) return kAuricleCodecOK;
  int error = 0;
  const int64_t size = encoder->context->frame_size;
  if (samples) {
    // Vorbis's encoder accepts pieces that have nothing to do with its packets.
    const int64_t step = encoder->vorbis ? size : frameCount;
    const size_t width = (encoder->kind == kAuricleCodecInt16 ? 2 : 4) * (size_t)encoder->context->ch_layout.nb_channels;
    for (int64_t done = 0; error >= 0 && done < frameCount; done += step)
      error = send(
          encoder, (const uint8_t *)samples + (size_t)done * width,
          frameCount - done < step ? frameCount - done : step, procedure, context);
  } else {
    encoder->hasEnded = true;
    if (encoder->taken == 0) return kAuricleCodecOK;
    // Pending output of an encoder has to be requested with silence.
    const int64_t wanted = encoder->taken + encoder->context->initial_padding;
    if (holdsBack(encoder->context))
      while (error >= 0 && encoder->made < wanted && size > 0)
        error = send(encoder, NULL, size, procedure, context);
    if (error >= 0) error = avcodec_send_frame(encoder->context, NULL);
    if (error >= 0) error = takePackets(encoder, procedure, context);
  }
  return error < 0 ? statusOfError(error) : kAuricleCodecOK;
}
