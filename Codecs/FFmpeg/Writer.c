// Writing interleaved 32-bit float as one encoded track; the same sound makes the same bytes.
// SPDX-License-Identifier: Apache-2.0

#include <libavcodec/avcodec.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "FFmpegCodec.h"

struct AuricleCodecWriter {
  AuricleCodecBytes bytes;
  AVIOContext *io;
  AVFormatContext *format;
  AVCodecContext *encoder;
  AVStream *stream;
  SwrContext *converter;
  AVPacket *packet;
  AVFrame *frame;
  float *block;          // frames for the next packet
  int blockFrames, blockFilled;
  int64_t written;
  AVChapter **chapters;  // not yet with the muxer
  VideoCopy *video;      // NULL for none
  unsigned chapterCount;
};

// Passes the chapters to the muxer, which writes them with the end and frees them.
static void handChapters(AuricleCodecWriter *writer) {
  writer->format->chapters = writer->chapters;
  writer->format->nb_chapters = writer->chapterCount;
  writer->chapters = NULL;
}

void closeWriter(AuricleCodecWriter *writer) {
  if (!writer) return;
  if (writer->chapters) handChapters(writer);
  swr_free(&writer->converter);
  av_frame_free(&writer->frame);
  av_packet_free(&writer->packet);
  avcodec_free_context(&writer->encoder);
  avformat_free_context(writer->format);
  freeContext(&writer->io);
  free(writer->block);
  closeVideo(writer->video);
  free(writer);
}

// Returns whether the file declares the delay of its encoder in a place that FFmpeg does not fill in.
static bool tellsDelay(const AuricleCodecWriter *writer) {
  return writer->encoder->codec_id == AV_CODEC_ID_AAC &&
         strcmp(writer->format->oformat->name, "matroska") == 0;
}

// The name FFmpeg has for a container.
static const char *muxer(const char *container) {
  if (strcmp(container, "m4a") == 0) return "ipod";
  if (strcmp(container, "aac") == 0) return "adts";
  if (strcmp(container, "mka") == 0) return "matroska";
  return container;
}

static int64_t usualBitRate(const AuricleCodecFormat *format) {
  if (format->bitRate > 0) return format->bitRate;
  if (strcmp(format->encoding, "alac") == 0) return 0;
  return strcmp(format->encoding, "aac") == 0 ? 96000 * (int64_t)format->channelCount
                                              : 112000 * (int64_t)format->channelCount;
}

// Returns whether an encoder accepts the loudspeakers of its channels.
static bool takesLayout(const AVCodec *codec, const AVCodecContext *encoder) {
  if (!codec->ch_layouts) return true;
  for (const AVChannelLayout *layout = codec->ch_layouts; layout->nb_channels; layout++)
    if (av_channel_layout_compare(layout, &encoder->ch_layout) == 0) return true;
  return false;
}

// Chooses the loudspeakers of an encoder's channels: the mask's if it accepts them, else the usual ones for so
// many channels, else its first for so many.
static void chooseLayout(const AVCodec *codec, AVCodecContext *encoder, const AuricleCodecFormat *format) {
  const int count = (int)format->channelCount;
  uint64_t mask = format->channelMask;
  // AAC has a number for five and six channels with a pair behind; at the sides, players do not know it.
  const uint64_t sides = AV_CH_SIDE_LEFT | AV_CH_SIDE_RIGHT;
  if (strcmp(format->encoding, "aac") == 0 &&
      (mask == AV_CH_LAYOUT_5POINT1 || mask == AV_CH_LAYOUT_5POINT0))
    mask = (mask & ~sides) | AV_CH_BACK_LEFT | AV_CH_BACK_RIGHT;
  if (mask && av_channel_layout_from_mask(&encoder->ch_layout, mask) >= 0 &&
      encoder->ch_layout.nb_channels == count && takesLayout(codec, encoder))
    return;
  av_channel_layout_default(&encoder->ch_layout, count);
  if (takesLayout(codec, encoder)) return;
  for (const AVChannelLayout *layout = codec->ch_layouts; layout->nb_channels; layout++)
    if (layout->nb_channels == count) {
      av_channel_layout_copy(&encoder->ch_layout, layout);
      return;
    }
}

static bool openEncoder(
    AuricleCodecWriter *writer, const AuricleCodecFormat *format, AuricleCodecFailure *failure) {
  const AVCodec *codec = avcodec_find_encoder_by_name(format->encoding);
  if (!codec)
    return fail(failure, kAuricleCodecUnsupported, 0, "no encoder for %s is here", format->encoding),
           false;
  AVCodecContext *encoder = writer->encoder = avcodec_alloc_context3(codec);
  if (!encoder) return fail(failure, kAuricleCodecOutOfMemory, 0, "memory is short"), false;
  encoder->sample_rate = (int)format->sampleRate;
  encoder->time_base = (AVRational){1, encoder->sample_rate};
  encoder->bit_rate = usualBitRate(format);
  encoder->thread_count = 1;
  encoder->flags |= AV_CODEC_FLAG_BITEXACT;
  chooseLayout(codec, encoder, format);
  encoder->sample_fmt = codec->sample_fmts ? codec->sample_fmts[0] : AV_SAMPLE_FMT_FLTP;
  if (strcmp(format->encoding, "alac") == 0)
    encoder->sample_fmt = format->bitsPerSample > 16 ? AV_SAMPLE_FMT_S32P : AV_SAMPLE_FMT_S16P;
  if (codec->supported_samplerates) {
    bool isTaken = false;
    for (const int *rate = codec->supported_samplerates; *rate; rate++)
      isTaken |= *rate == encoder->sample_rate;
    if (!isTaken)
      return fail(
                 failure, kAuricleCodecUnsupported, 0, "%s takes no sample rate of %d Hz; convert to 48000 Hz",
                 format->encoding, encoder->sample_rate), false;
  }
  if (writer->format->oformat->flags & AVFMT_GLOBALHEADER)
    encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  int error = avcodec_open2(encoder, codec, NULL);
  if (error < 0)
    return fail(
               failure, kAuricleCodecUnsupported, error, "%s takes no %u channels at %d Hz", format->encoding,
               format->channelCount, encoder->sample_rate), false;
  writer->blockFrames = encoder->frame_size > 0 ? encoder->frame_size : 4096;
  return true;
}

// Where the container counts the whole in its own units, these are frames.
static int writeHeader(AuricleCodecWriter *writer) {
  AVDictionary *options = NULL;
  if (tellsDelay(writer)) reserveDelay(writer->stream, &options);
  av_dict_set_int(&options, "movie_timescale", writer->encoder->sample_rate, 0);
  int error = avformat_write_header(writer->format, &options);
  av_dict_free(&options);  // keys unknown to the container stay in it
  return error;
}

static bool addChapter(AuricleCodecWriter *writer, int64_t frame, const char *title) {
  AVChapter *chapter = av_mallocz(sizeof *chapter);
  if (!chapter) return false;
  writer->chapters[writer->chapterCount++] = chapter;
  chapter->id = writer->chapterCount;
  chapter->time_base = writer->encoder->time_base;
  chapter->start = frame;
  if (title[0]) av_dict_set(&chapter->metadata, "title", title, 0);
  return true;
}

// Marks as chapters. Where one has a name they become a track in M4A, which begins with the sound and leaves
// out chapters without a title.
static bool addMarks(
    AuricleCodecWriter *writer, const char *container, const AuricleCodecMark *marks, size_t count) {
  if (count == 0) return true;
  bool isNamed = false;
  for (size_t i = 0; i < count; i++) isNamed |= marks[i].name[0] != 0;
  const bool isTrack = isNamed && strcmp(container, "m4a") == 0;
  writer->chapters = av_calloc(count + 1, sizeof *writer->chapters);
  if (!writer->chapters) return false;
  if (isTrack && marks[0].frame > 0 && !addChapter(writer, 0, kLeadingTitle)) return false;
  for (size_t i = 0; i < count; i++) {
    const char *title = isTrack && !marks[i].name[0] ? kUnnamedTitle : marks[i].name;
    if (!addChapter(writer, marks[i].frame, title)) return false;
  }
  return true;
}

// Ends each chapter where the next begins, and the last one with the sound.
static void endChapters(AuricleCodecWriter *writer) {
  for (unsigned i = 0; i < writer->chapterCount; i++) {
    AVChapter *chapter = writer->chapters[i];
    const int64_t end = i + 1 < writer->chapterCount ? writer->chapters[i + 1]->start : writer->written;
    chapter->end = end > chapter->start ? end : chapter->start;
  }
  handChapters(writer);
}

static bool openFile(
    AuricleCodecWriter *writer, const AuricleCodecFormat *format, const char *const *texts,
    const AuricleCodecMark *marks, size_t markCount, const AuricleCodecVideo *video,
    AuricleCodecFailure *failure) {
  if (video && !(writer->video = openVideo(video, failure))) return false;
  const char *name =
      video ? muxerOfVideo(writer->video, muxer(format->container)) : muxer(format->container);
  int error = avformat_alloc_output_context2(&writer->format, NULL, name, NULL);
  if (error < 0)
    return fail(
               failure, kAuricleCodecUnsupported, error, "no %s files are made here",
               format->container), false;
  writer->io = makeOutput(&writer->bytes);
  writer->packet = av_packet_alloc();
  writer->frame = av_frame_alloc();
  if (!writer->io || !writer->packet || !writer->frame)
    return fail(failure, kAuricleCodecOutOfMemory, 0, "memory is short"), false;
  writer->format->pb = writer->io;
  writer->format->flags |= AVFMT_FLAG_BITEXACT;
  if (!openEncoder(writer, format, failure)) return false;
  size_t room = (size_t)writer->blockFrames * format->channelCount * sizeof(float);
  writer->block = malloc(room);
  writer->stream = avformat_new_stream(writer->format, NULL);
  if (!writer->stream || !writer->block) return fail(failure, kAuricleCodecOutOfMemory, 0, "memory is short"), false;
  avcodec_parameters_from_context(writer->stream->codecpar, writer->encoder);
  writer->stream->time_base = writer->encoder->time_base;
  if (video && !addVideoTracks(writer->video, writer->format, failure)) return false;
  for (; texts && texts[0] && texts[1]; texts += 2) {
    const size_t prefix = strlen(kAuricleCodecOfTrack);
    const bool isOfTrack = strncmp(texts[0], kAuricleCodecOfTrack, prefix) == 0;
    av_dict_set(
        isOfTrack ? &writer->stream->metadata : &writer->format->metadata, texts[0] + (isOfTrack ? prefix : 0),
        texts[1], 0);
  }
  if (!addMarks(writer, format->container, marks, markCount))
    return fail(failure, kAuricleCodecOutOfMemory, 0, "memory is short"), false;
  error = swr_alloc_set_opts2(
      &writer->converter, &writer->encoder->ch_layout, writer->encoder->sample_fmt,
      writer->encoder->sample_rate, &writer->encoder->ch_layout, AV_SAMPLE_FMT_FLT,
      writer->encoder->sample_rate, 0, NULL);
  if (error >= 0) error = swr_init(writer->converter);
  if (error >= 0) error = writeHeader(writer);
  if (error < 0)
    return fail(
               failure, statusOf(writer->io, video ? kAuricleCodecNoVideo : kAuricleCodecUnsupported), error,
               "its header cannot be written"),
           false;
  return true;
}

AuricleCodecWriter *openWriter(
    const AuricleCodecBytes *bytes, const AuricleCodecFormat *format, const char *const *texts,
    const AuricleCodecMark *marks, size_t markCount, const AuricleCodecVideo *video,
    AuricleCodecFailure *failure) {
  AuricleCodecWriter *writer = calloc(1, sizeof *writer);
  if (!writer) return fail(failure, kAuricleCodecOutOfMemory, 0, "memory is short"), NULL;
  writer->bytes = *bytes;
  if (!openFile(writer, format, texts, marks, markCount, video, failure)) return closeWriter(writer), NULL;
  return writer;
}

// Hands a frame to the encoder (NULL for the end) and its packets to the file.
static bool encode(AuricleCodecWriter *writer, AVFrame *frame, AuricleCodecFailure *failure) {
  int error = avcodec_send_frame(writer->encoder, frame);
  if (error < 0)
    return fail(failure, statusOf(writer->io, kAuricleCodecUnsupported), error, "the encoder fails"),
           false;
  while ((error = avcodec_receive_packet(writer->encoder, writer->packet)) == 0) {
    // The sound ends with its last frame, not with the padding of the encoder's last block.
    const int64_t end = writer->packet->pts + writer->packet->duration;
    if (writer->packet->pts != AV_NOPTS_VALUE && end > writer->written &&
        writer->packet->pts < writer->written)
      writer->packet->duration = writer->written - writer->packet->pts;
    const int64_t padding = writer->encoder->frame_size - writer->packet->duration;
    if (tellsDelay(writer) && padding > 0 && !addEndPadding(writer->packet, padding))
      return fail(failure, kAuricleCodecOutOfMemory, 0, "memory is short"), false;
    if (tellsDelay(writer)) {
      writer->packet->pts += writer->encoder->initial_padding;
      writer->packet->dts += writer->encoder->initial_padding;
    }
    av_packet_rescale_ts(writer->packet, writer->encoder->time_base, writer->stream->time_base);
    writer->packet->stream_index = writer->stream->index;
    error = av_interleaved_write_frame(writer->format, writer->packet);
    if (error >= 0 && writer->video)
      error = copyVideo(writer->video, writer->format, (double)writer->written / writer->encoder->sample_rate);
    if (error < 0)
      return fail(failure, statusOf(writer->io, kAuricleCodecUnsupported), error, "it cannot be written"),
             false;
  }
  if (error != AVERROR(EAGAIN) && error != AVERROR_EOF)
    return fail(failure, statusOf(writer->io, kAuricleCodecUnsupported), error, "the encoder fails"),
           false;
  return true;
}

// Encodes the frames of the block.
static bool encodeBlock(AuricleCodecWriter *writer, AuricleCodecFailure *failure) {
  AVFrame *frame = writer->frame;
  av_frame_unref(frame);
  frame->nb_samples = writer->blockFilled;
  frame->format = writer->encoder->sample_fmt;
  frame->sample_rate = writer->encoder->sample_rate;
  av_channel_layout_copy(&frame->ch_layout, &writer->encoder->ch_layout);
  int error = av_frame_get_buffer(frame, 0);
  if (error < 0) return fail(failure, kAuricleCodecOutOfMemory, error, "memory is short"), false;
  const uint8_t *in = (const uint8_t *)writer->block;
  error = swr_convert(
      writer->converter, frame->extended_data, frame->nb_samples, &in, frame->nb_samples);
  if (error < 0)
    return fail(failure, statusOf(writer->io, kAuricleCodecUnsupported), error, "samples cannot be converted"),
           false;
  frame->pts = writer->written;
  writer->written += writer->blockFilled;
  writer->blockFilled = 0;
  return encode(writer, frame, failure);
}

bool writeFrames(
    AuricleCodecWriter *writer, const float *samples, int64_t frameCount,
    AuricleCodecFailure *failure) {
  const int channels = writer->encoder->ch_layout.nb_channels;
  while (frameCount > 0) {
    int step = writer->blockFrames - writer->blockFilled;
    if (step > frameCount) step = (int)frameCount;
    memcpy(
        writer->block + (size_t)writer->blockFilled * (size_t)channels, samples,
        (size_t)step * (size_t)channels * sizeof(float));
    writer->blockFilled += step;
    samples += (size_t)step * (size_t)channels;
    frameCount -= step;
    if (writer->blockFilled == writer->blockFrames && !encodeBlock(writer, failure)) return false;
  }
  return true;
}

bool finishWriting(AuricleCodecWriter *writer, AuricleCodecFailure *failure) {
  // The pending output of a bare stream's encoder has to come out as well.
  static const float silence[256 * 8];
  const char *codec = writer->encoder->codec->name;
  const bool isBare = writer->format->oformat->extensions &&
                      strstr(writer->format->oformat->extensions, "ac3");
  if (isBare && strstr(codec, "ac3") && writer->written + writer->blockFilled > 0 &&
      !writeFrames(writer, silence, 256, failure))
    return false;
  if (writer->blockFilled > 0 && !encodeBlock(writer, failure)) return false;
  if (!encode(writer, NULL, failure)) return false;
  if (writer->chapters) endChapters(writer);
  int error = writer->video ? copyVideo(writer->video, writer->format, INFINITY) : 0;
  if (error >= 0) error = av_write_trailer(writer->format);
  avio_flush(writer->io);
  if (error >= 0) error = writer->io->error;
  if (error >= 0 && tellsDelay(writer) && !writeDelay(&writer->bytes, writer->encoder))
    return fail(failure, kAuricleCodecUnsupported, 0, "it has no place for the encoder's delay"), false;
  if (error < 0)
    return fail(failure, statusOf(writer->io, kAuricleCodecUnsupported), error, "its end cannot be written"),
           false;
  return true;
}
