// Opening a file of a known kind, one sound track of it, and its decoder; nothing else is opened.
// SPDX-License-Identifier: Apache-2.0

#include <string.h>

#include "Reader.h"

// The readable kinds: containers of sound and video, no lists of other files, no pictures, no devices.
static const char kinds[] =
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,aac,ac3,eac3,avi,asf,flv,live_flv,mpegts,mpeg,mp3,ogg,flac,wav,caf,"
    "aiff,amr,amrnb,amrwb,ape,wv,tta,tak,mpc,mpc8,dts,dtshd,truehd,mlp,dsf,iff,w64,xwma,rm,voc,au,"
    "oma,loas,shn,aea,ircam,nut,mxf,mxf_opatom,gxf,swf,wtv,dxa,adx,bfstm,brstm,g722,g729,gsm,ivf,"
    "nsv,r3d,vqf,qcp,sol,xa,dv,ffm,pva,svaf,smk,bink,roq,rl2,c93,film_cpk,ipmovie,4xm,dsicin,wsvqa,wsaud,sbc,aptx,aptx_hd,acm";

// References of a file are not followed: nothing else is opened.
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

bool openTrack(
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
  // A guess is not enough: an opened file must be of the kind that it claims.
  if (error >= 0 && !kind && reader->format->probe_score < AVPROBE_SCORE_RETRY) error = AVERROR_INVALIDDATA;
  if (error < 0)
    return fail(
               failure, statusOf(reader->io, kAuricleCodecUnknownKind), error,
               "no file of a known kind"), false;
  error = avformat_find_stream_info(reader->format, NULL);
  if (error < 0)
    return fail(
               failure, statusOf(reader->io, kAuricleCodecDamaged), error, "its tracks cannot be read"),
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
