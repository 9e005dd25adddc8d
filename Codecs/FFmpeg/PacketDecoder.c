// Decoding single packets into interleaved samples of the decoder's own kind.
// SPDX-License-Identifier: Apache-2.0

#include <libavcodec/codec_desc.h>
#include <libavutil/intreadwrite.h>
#include <stdlib.h>
#include <string.h>

#include "FFmpegCodec.h"

struct AuricleCodecDecoder {
  AVCodecContext *context;
  AVPacket *packet;
  AVFrame *frame;
  uint32_t kind;           // an AuricleCodecSamples
  uint8_t *samples;        // those of the last packet
  size_t room, used;       // in bytes
};

int32_t statusOfError(int error) {
  switch (error) {
    case AVERROR(ENOMEM): return kAuricleCodecOutOfMemory;
    case AVERROR_DECODER_NOT_FOUND:
    case AVERROR_ENCODER_NOT_FOUND:
    case AVERROR_PATCHWELCOME:
    case AVERROR(ENOSYS): return kAuricleCodecUnsupported;
    default: return kAuricleCodecDamaged;
  }
}

// Lists encodings by FFmpeg's names; missing ones are left out.
static const char *namesOf(const char *const *wanted, bool areEncoders, char *text, size_t room) {
  text[0] = 0;
  for (; *wanted; wanted++) {
    const AVCodecDescriptor *description = avcodec_descriptor_get_by_name(*wanted);
    if (!description ||
        !(areEncoders ? avcodec_find_encoder(description->id) : avcodec_find_decoder(description->id)))
      continue;
    if (text[0]) strncat(text, ",", room - strlen(text) - 1);
    strncat(text, *wanted, room - strlen(text) - 1);
  }
  return text;
}

const char *decodableNames(void) {
  static const char *const names[] = {
      "aac", "alac", "mp1", "mp2", "mp3", "flac", "opus", "vorbis", "ac3", "eac3", "adpcm_ima_qt",
      "adpcm_ima_wav", "adpcm_ms", "pcm_mulaw", "pcm_alaw", "gsm", "gsm_ms", "amr_nb", "amr_wb", "ilbc",
      "mace3", "mace6", "qcelp", "qdm2", "qdmc", NULL};
  static char text[256];
  return text[0] ? text : namesOf(names, false, text, sizeof text);
}

// Sets the arguments that FFmpeg's decoders want, without the surroundings in files.
static bool setConfiguration(AVCodecContext *context, const AuricleCodecPackets *packets) {
  static const uint8_t alacHead[12] = {0, 0, 0, 36, 'a', 'l', 'a', 'c'};
  const bool isALAC = context->codec_id == AV_CODEC_ID_ALAC;
  const size_t head = isALAC ? sizeof alacHead : 0, size = packets->configurationSize;
  if (size == 0) return true;
  context->extradata = av_mallocz(head + size + AV_INPUT_BUFFER_PADDING_SIZE);
  if (!context->extradata) return false;
  memcpy(context->extradata, alacHead, head);
  memcpy(context->extradata + head, packets->configuration, size);
  context->extradata_size = (int)(head + size);
  // The part before the sound is the host's to leave out.
  if (context->codec_id == AV_CODEC_ID_OPUS && size >= 12) AV_WL16(context->extradata + 10, 0);
  return true;
}

static uint32_t kindOf(enum AVSampleFormat format) {
  switch (av_get_packed_sample_fmt(format)) {
    case AV_SAMPLE_FMT_S16: return kAuricleCodecInt16;
    case AV_SAMPLE_FMT_FLT: return kAuricleCodecFloat32;
    // Also where the value is known only from the first packet.
    default: return kAuricleCodecInt32;
  }
}

void closeDecoder(AuricleCodecDecoder *decoder) {
  if (!decoder) return;
  avcodec_free_context(&decoder->context);
  av_packet_free(&decoder->packet);
  av_frame_free(&decoder->frame);
  free(decoder->samples);
  free(decoder);
}

static int open(AuricleCodecDecoder *decoder, const AuricleCodecPackets *packets) {
  const AVCodecDescriptor *description = avcodec_descriptor_get_by_name(packets->encoding);
  const AVCodec *codec = description ? avcodec_find_decoder(description->id) : NULL;
  if (!codec) return AVERROR_DECODER_NOT_FOUND;
  decoder->packet = av_packet_alloc();
  decoder->frame = av_frame_alloc();
  AVCodecContext *context = decoder->context = avcodec_alloc_context3(codec);
  if (!decoder->packet || !decoder->frame || !context || !setConfiguration(context, packets))
    return AVERROR(ENOMEM);
  context->sample_rate = (int)packets->sampleRate;
  av_channel_layout_default(&context->ch_layout, (int)packets->channelCount);
  context->block_align = (int)packets->bytesPerPacket;
  context->bits_per_coded_sample = strncmp(packets->encoding, "adpcm", 5) == 0 ? 4 : 0;
  context->bit_rate = packets->bitRate;
  context->thread_count = 1;
  context->pkt_timebase = (AVRational){1, context->sample_rate > 0 ? context->sample_rate : 1};
  // Damage that lossless encodings report is a failure; elsewhere a decoder may begin in the middle.
  if (codec->id == AV_CODEC_ID_FLAC || codec->id == AV_CODEC_ID_ALAC)
    context->err_recognition = AV_EF_CRCCHECK | AV_EF_EXPLODE;
  return avcodec_open2(context, codec, NULL);
}

AuricleCodecDecoder *openPacketDecoder(AuricleCodecPackets *packets, int32_t *status) {
  AuricleCodecDecoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return *status = kAuricleCodecOutOfMemory, NULL;
  const int error = open(decoder, packets);
  if (error < 0) return *status = statusOfError(error), closeDecoder(decoder), NULL;
  decoder->kind = packets->samples = kindOf(decoder->context->sample_fmt);
  if (decoder->context->sample_rate > 0) packets->sampleRate = decoder->context->sample_rate;
  packets->bitsPerSample = (uint32_t)decoder->context->bits_per_raw_sample;
  *status = kAuricleCodecOK;
  return decoder;
}

// Appends the samples of the frame to the ones that are there already.
static int takeFrame(AuricleCodecDecoder *decoder) {
  const AVFrame *frame = decoder->frame;
  const int channels = frame->ch_layout.nb_channels, count = frame->nb_samples;
  const size_t size = decoder->kind == kAuricleCodecInt16 ? 2 : 4;
  const size_t needed = decoder->used + size * (size_t)channels * (size_t)count;
  if (needed > decoder->room) {
    uint8_t *larger = realloc(decoder->samples, needed);
    if (!larger) return AVERROR(ENOMEM);
    decoder->samples = larger;
    decoder->room = needed;
  }
  uint8_t *target = decoder->samples + decoder->used;
  decoder->used = needed;
  const uint32_t kind = kindOf(frame->format);
  const bool isPlanar = av_sample_fmt_is_planar(frame->format) && channels > 1;
  if (kind != decoder->kind && !(kind == kAuricleCodecInt16 && decoder->kind == kAuricleCodecInt32))
    return AVERROR_PATCHWELCOME;
  if (!isPlanar && kind == decoder->kind)
    return memcpy(target, frame->extended_data[0], size * (size_t)channels * (size_t)count), 0;
  for (int channel = 0; channel < channels; channel++) {
    const int step = isPlanar ? 1 : channels;
    const uint8_t *plane = frame->extended_data[isPlanar ? channel : 0];
    if (kind != decoder->kind) {
      const int16_t *source = (const int16_t *)plane + (isPlanar ? 0 : channel);
      for (int i = 0; i < count; i++) ((int32_t *)target)[i * channels + channel] = source[i * step] * 65536;
    } else if (size == 2) {
      for (int i = 0; i < count; i++) ((int16_t *)target)[i * channels + channel] = ((const int16_t *)plane)[i];
    } else {
      for (int i = 0; i < count; i++) ((int32_t *)target)[i * channels + channel] = ((const int32_t *)plane)[i];
    }
  }
  return 0;
}

// All frames that the decoder has ready.
static int takeFrames(AuricleCodecDecoder *decoder, AuricleCodecFrames *frames) {
  int error;
  while ((error = avcodec_receive_frame(decoder->context, decoder->frame)) >= 0) {
    const AVFrame *frame = decoder->frame;
    const uint32_t channels = (uint32_t)frame->ch_layout.nb_channels;
    if (frames->count > 0 && (channels != frames->channelCount || frame->sample_rate != frames->sampleRate))
      return AVERROR_PATCHWELCOME;
    frames->channelCount = channels;
    frames->sampleRate = frame->sample_rate;
    frames->count += frame->nb_samples;
    error = takeFrame(decoder);
    av_frame_unref(decoder->frame);
    if (error < 0) return error;
  }
  return error == AVERROR(EAGAIN) || error == AVERROR_EOF ? 0 : error;
}

int32_t decodePacket(
    AuricleCodecDecoder *decoder, const uint8_t *packet, size_t size, AuricleCodecFrames *frames) {
  memset(frames, 0, sizeof *frames);
  decoder->used = 0;
  int error = 0;
  if (packet) {
    // Decoders read beyond the end, as far as the padding goes.
    error = av_new_packet(decoder->packet, (int)size);
    if (error < 0) return statusOfError(error);
    memcpy(decoder->packet->data, packet, size);
    error = avcodec_send_packet(decoder->context, decoder->packet);
    av_packet_unref(decoder->packet);
  } else {
    error = avcodec_send_packet(decoder->context, NULL);
  }
  const int taken = takeFrames(decoder, frames);
  frames->samples = decoder->samples;
  if (error < 0 && error != AVERROR_EOF) return statusOfError(error);
  return taken < 0 ? statusOfError(taken) : kAuricleCodecOK;
}

// The decoder as it was when it was opened; null where that cannot be had.
static AVCodecContext *again(const AVCodecContext *context) {
  AVCodecParameters *parameters = avcodec_parameters_alloc();
  AVCodecContext *fresh = parameters ? avcodec_alloc_context3(context->codec) : NULL;
  if (fresh && avcodec_parameters_from_context(parameters, context) >= 0 &&
      avcodec_parameters_to_context(fresh, parameters) >= 0) {
    fresh->thread_count = 1;
    fresh->pkt_timebase = context->pkt_timebase;
    if (avcodec_open2(fresh, context->codec, NULL) < 0) avcodec_free_context(&fresh);
  } else {
    avcodec_free_context(&fresh);
  }
  avcodec_parameters_free(&parameters);
  return fresh;
}

void resetDecoder(AuricleCodecDecoder *decoder) {
  // Flushed, the ones for AAC and AC-3 still know the window or the overlap of the last packet.
  const enum AVCodecID codec = decoder->context->codec_id;
  const int remembers = codec == AV_CODEC_ID_AAC || codec == AV_CODEC_ID_AC3 || codec == AV_CODEC_ID_EAC3;
  AVCodecContext *fresh = remembers ? again(decoder->context) : NULL;
  if (!fresh) return avcodec_flush_buffers(decoder->context);
  avcodec_free_context(&decoder->context);
  decoder->context = fresh;
}
