// The declarations that the parts of the FFmpeg codec share: bytes of the host as an I/O context, and failures.
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <Auricle/AuricleCodec.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

// An I/O context over the host's bytes, which must outlive it; NULL when memory is short.
AVIOContext *makeInput(AuricleCodecBytes *bytes);
AVIOContext *makeOutput(AuricleCodecBytes *bytes);
void freeContext(AVIOContext **context);

// Where chapters are a track, each needs a title: these are for marks without a name, and for the part
// before the first mark.
#define kUnnamedTitle " "
#define kLeadingTitle "  "

// Fills in a failure. `error` is an error of FFmpeg, whose text is added, or 0; one of too little memory decides the
// status.
void fail(AuricleCodecFailure *failure, AuricleCodecStatus status, int error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// The status of a failure that the host's bytes may have caused: theirs if they failed.
AuricleCodecStatus statusOf(const AVIOContext *io, AuricleCodecStatus other);

// Opens a file of one of the known kinds, and nothing that it refers to; NULL for its own kind. Returns an error of
// FFmpeg; a format that could not be opened is freed.
int openInput(AVFormatContext **format, AVIOContext *io, const AVInputFormat *kind, AVDictionary **options);

// Picture tracks being copied from one file into another.
typedef struct VideoCopy VideoCopy;
// Opens the file with the pictures; NULL with a failure.
VideoCopy *openVideo(const AuricleCodecVideo *video, AuricleCodecFailure *failure);
// The muxer for a container with these pictures.
const char *muxerOfVideo(const VideoCopy *copy, const char *container);
// Adds their tracks to a file whose header is not written yet.
bool addVideoTracks(VideoCopy *copy, AVFormatContext *target, AuricleCodecFailure *failure);
// Copies the pictures that are due before a time, in seconds of the sound; INFINITY for all. An error of FFmpeg.
int copyVideo(VideoCopy *copy, AVFormatContext *target, double time);
void closeVideo(VideoCopy *copy);

AuricleCodecReader *openReader(
    const AuricleCodecBytes *bytes, bool passesDamage, AuricleCodecFormat *format,
    AuricleCodecFailure *failure);
int64_t readFrames(
    AuricleCodecReader *reader, float *samples, int64_t frameCount, AuricleCodecFailure *failure);
void readTexts(AuricleCodecReader *reader, AuricleCodecTextProc procedure, void *context);
void readMarks(AuricleCodecReader *reader, AuricleCodecMarkProc procedure, void *context);
void closeReader(AuricleCodecReader *reader);

// The track to read: the sound track of a number from 1; for 0 the first that is marked as the default, or the first; -1 for
// none. And its decoder.
int chooseTrack(const AVFormatContext *format, uint32_t wanted, const AVCodec **codec);

// Returns whether files of a kind declare their number of frames.
bool tellsFrames(const char *kind);

// Returns FFmpeg's name for the kind of a bare stream, by its first bytes, as FFmpeg does not
// recognise a short one; or NULL.
const char *bareStream(const AuricleCodecBytes *bytes);

// All of some bytes of the host; false where there are fewer.
bool readAt(const AuricleCodecBytes *bytes, int64_t offset, uint8_t *buffer, int count);

// Returns whether a file's header promises bytes beyond its end, or other bytes lie between its parts.
// The failure is the end of a sentence.
bool isBroken(const AuricleCodecBytes *bytes, AuricleCodecFailure *failure);

// The first bytes of Matroska files; whether they are WebM; the end of their segment by its header, or -1 if unknown;
// whether other bytes lie between elements, as the end of a sentence.
enum { kMatroskaStart = 0x1A45DFA3 };
bool isWebM(const AuricleCodecBytes *bytes);
int64_t endOfSegment(const AuricleCodecBytes *bytes);
bool isBrokenMatroska(const AuricleCodecBytes *bytes, AuricleCodecFailure *failure);

// FFmpeg writes the delay to Matroska for Opus alone. A place for the delay of AAC is made in the header, and filled in
// at the end; the last packet declares its part that is no sound.
void reserveDelay(AVStream *stream, AVDictionary **options);
bool writeDelay(const AuricleCodecBytes *bytes, const AVCodecContext *encoder);
bool addEndPadding(AVPacket *packet, int64_t frames);

AuricleCodecWriter *openWriter(
    const AuricleCodecBytes *bytes, const AuricleCodecFormat *format, const char *const *texts,
    const AuricleCodecMark *marks, size_t markCount, const AuricleCodecVideo *video,
    AuricleCodecFailure *failure);
bool writeFrames(
    AuricleCodecWriter *writer, const float *samples, int64_t frameCount,
    AuricleCodecFailure *failure);
bool finishWriting(AuricleCodecWriter *writer, AuricleCodecFailure *failure);
void closeWriter(AuricleCodecWriter *writer);

// Returns the names of the encodings whose packets can be decoded, and of the ones that can be encoded,
// separated by commas.
const char *decodableNames(void);
const char *encodableNames(void);
// A status for an error of FFmpeg.
int32_t statusOfError(int error);

AuricleCodecDecoder *openPacketDecoder(AuricleCodecPackets *packets, int32_t *status);
int32_t decodePacket(
    AuricleCodecDecoder *decoder, const uint8_t *packet, size_t size, AuricleCodecFrames *frames);
void resetDecoder(AuricleCodecDecoder *decoder);
void closeDecoder(AuricleCodecDecoder *decoder);

AuricleCodecEncoder *openPacketEncoder(AuricleCodecPackets *packets, int32_t *status);
int32_t encodeFrames(
    AuricleCodecEncoder *encoder, const void *samples, int64_t frameCount,
    AuricleCodecPacketProc procedure, void *context);
void describeEncoder(AuricleCodecEncoder *encoder, AuricleCodecPackets *packets);
void closeEncoder(AuricleCodecEncoder *encoder);

// Encoding of AMR, "amr_nb" and "amr_wb", by libraries that FFmpeg need not be built with.
typedef struct AMREncoder AMREncoder;
bool canEncodeAMR(const char *encoding);
AMREncoder *openAMREncoder(const AuricleCodecPackets *packets, int32_t *status);
int32_t encodeAMR(
    AMREncoder *encoder, const int16_t *samples, int64_t frameCount, AuricleCodecPacketProc procedure, void *context);
void describeAMREncoder(const AMREncoder *encoder, AuricleCodecPackets *packets);
void closeAMREncoder(AMREncoder *encoder);
