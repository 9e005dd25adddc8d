// Codecs that are found at run time: a library's exports, and the calls.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CODEC_H
#define AURICLE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The version of this interface; a library that answers another one is not used.
#define kAuricleCodecVersion 4u
// The function that a library exports.
#define kAuricleCodecEntryName "AuricleCodecEntry"

// Bytes that the host lends: a file, or part of one. All functions come from the host.
typedef struct AuricleCodecBytes {
  void *context;
  // Reads up to `count` bytes at the position; 0 at the end, -1 on failure.
  int64_t (*read)(void *context, void *bytes, int64_t count);
  // Writes all of `count` bytes at the position; -1 on failure. NULL where bytes are only read.
  int64_t (*write)(void *context, const void *bytes, int64_t count);
  // Moves to an offset from the beginning; -1 on failure.
  int64_t (*seek)(void *context, int64_t offset);
  // Bytes that there are.
  int64_t (*length)(void *context);
} AuricleCodecBytes;

// The content of a file, present or planned.
typedef struct AuricleCodecFormat {
  char container[32];      // "m4a", "ac3", …
  char encoding[32];       // "aac", "alac", …
  double sampleRate;       // frames a second, in Hz
  uint32_t channelCount;
  uint64_t channelMask;    // loudspeakers as in extensible WAV, lowest bit first; 0: unknown
  int64_t frameCount;      // -1 if unknown
  int64_t bitRate;         // bits a second; 0 for the encoder's own choice
  uint32_t bitsPerSample;  // 0 where the encoding has no such thing
  uint32_t track;          // which of the sound tracks is read, from 1
  uint32_t trackCount;     // how many there are
  uint32_t videoTrackCount;  // number of picture tracks beside them
  uint32_t otherTrackCount;  // how many tracks of other kinds (subtitles, data)
  double soundTime;        // when the sound begins, and when the first picture is shown, in seconds on
  double videoTime;        // the file's own clock; 0 if unknown
} AuricleCodecFormat;

// A named place in the sound.
typedef struct AuricleCodecMark {
  int64_t frame;
  const char *name;        // UTF-8; may be empty
} AuricleCodecMark;

// Picture tracks that a new file is to have beside its sound: those of another file, copied as they are.
typedef struct AuricleCodecVideo {
  AuricleCodecBytes bytes;  // the other file
  double start;             // the time on its clock at which the sound of the new file begins, in seconds
} AuricleCodecVideo;

// The prefix of text keys that belong to the sound track and not to the file: "track:language".
#define kAuricleCodecOfTrack "track:"
// The key of the name of an attached file or picture, which is no text.
#define kAuricleCodecAttachment "attachment:"

// Called for each text of a file: key ("title", "artist", …) and value, both UTF-8.
typedef void (*AuricleCodecTextProc)(void *context, const char *key, const char *value);
// Called for each mark of a file.
typedef void (*AuricleCodecMarkProc)(void *context, const AuricleCodecMark *mark);

typedef struct AuricleCodecReader AuricleCodecReader;
typedef struct AuricleCodecWriter AuricleCodecWriter;

// Kind of the failure.
typedef enum AuricleCodecStatus {
  kAuricleCodecOK = 0,
  kAuricleCodecDamaged = 1,       // the file is cut short, or makes no sense
  kAuricleCodecUnknownKind = 2,   // the file is of no kind that the library knows
  kAuricleCodecUnsupported = 3,   // no decoder or encoder accepts it
  kAuricleCodecNoTrack = 4,       // the file holds no sound track
  kAuricleCodecNoSuchTrack = 5,   // the file holds sound tracks, but not the one that was asked for
  kAuricleCodecSystemError = 6,   // bytes could not be read or written
  kAuricleCodecOutOfMemory = 7,
  kAuricleCodecNoVideo = 8,       // the container has no place for the picture tracks
} AuricleCodecStatus;

// The reason why a function failed.
typedef struct AuricleCodecFailure {
  int32_t status;       // an AuricleCodecStatus
  int32_t systemError;  // for kAuricleCodecSystemError the errno; 0 for all others
  char reason[256];     // the end of a sentence, UTF-8, ended by 0
} AuricleCodecFailure;

// ---- Packets: the units between a container and sound.

// The layout of decoded samples: interleaved, in the byte order of the machine.
typedef enum AuricleCodecSamples {
  kAuricleCodecInt16 = 1,
  kAuricleCodecInt32 = 2,    // shorter ones are in the high bits
  kAuricleCodecFloat32 = 3,
} AuricleCodecSamples;

// The distribution of bits by an encoder.
typedef enum AuricleCodecBitRateMode {
  kAuricleCodecConstant = 0,
  kAuricleCodecAverage = 1,
  kAuricleCodecConstrained = 2,
  kAuricleCodecVariable = 3,
} AuricleCodecBitRateMode;

// A stream of packets. Its configuration is the decoder configuration of the encoding's specification. It is
// the AudioSpecificConfig of AAC, the 24 bytes of ALAC, STREAMINFO of FLAC, "OpusHead" to its end, the three
// laced headers of Vorbis; nothing for most. Channels are in the order of extensible WAV's mask.
typedef struct AuricleCodecPackets {
  char encoding[32];         // "aac", "alac", "adpcm_ima_qt", …
  double sampleRate;         // frames a second, in Hz
  uint32_t channelCount;
  uint32_t framesPerPacket;  // 0 where packets differ
  uint32_t bytesPerPacket;   // 0 where packets differ
  uint32_t bitsPerSample;    // of losslessly packed samples; 0 where that has no meaning
  uint32_t samples;          // an AuricleCodecSamples, which the library chooses
  uint32_t leadFrames;       // that an encoder lays before the sound
  uint32_t largestPacket;    // that an encoder makes, in bytes
  int64_t bitRate;           // bits a second; 0 for the encoder's own choice
  uint32_t bitRateMode;      // an AuricleCodecBitRateMode
  int32_t quality;           // 0 to 127, for a variable bit rate; -1 for none
  const uint8_t *configuration;  // the library's, until the next call with the same decoder or encoder
  size_t configurationSize;
} AuricleCodecPackets;

// Decoded frames, which are the library's until the next call with the same decoder.
typedef struct AuricleCodecFrames {
  const void *samples;
  int64_t count;
  double sampleRate;
  uint32_t channelCount;
} AuricleCodecFrames;

typedef struct AuricleCodecDecoder AuricleCodecDecoder;
typedef struct AuricleCodecEncoder AuricleCodecEncoder;

// Called for each packet that was made, with the frames a decoder makes of it.
typedef void (*AuricleCodecPacketProc)(
    void *context, const uint8_t *packet, size_t size, uint32_t frameCount);

// The abilities of a library. Functions that fail fill in the failure, and return NULL, -1 or false.
typedef struct AuricleCodec {
  uint32_t version;
  const char *name;  // "FFmpeg 59.37.100"
  // Names of the containers that can be written, and of the encodings for each (first the usual
  // one): "m4a=aac,alac;ac3=ac3".
  const char *writable;
  // Opens a sound track of a file: that of the number from 1 in `format->track`; for 0 the first that
  // the file marks as its default, or the first. All of the format is filled in.
  // With `passesDamage`, damage in the first frames is passed over.
  AuricleCodecReader *(*openReader)(
      const AuricleCodecBytes *bytes, bool passesDamage, AuricleCodecFormat *format,
      AuricleCodecFailure *failure);
  // Reads interleaved frames; 0 at the end, -1 for damage. Called again after damage, it continues
  // behind it, as far as that is possible.
  int64_t (*read)(
      AuricleCodecReader *reader, float *samples, int64_t frameCount, AuricleCodecFailure *failure);
  void (*texts)(AuricleCodecReader *reader, AuricleCodecTextProc procedure, void *context);
  void (*marks)(AuricleCodecReader *reader, AuricleCodecMarkProc procedure, void *context);
  void (*closeReader)(AuricleCodecReader *reader);
  // Begins a file; texts are pairs of key and value, ended by NULL; marks are in order; NULL for no video.
  AuricleCodecWriter *(*openWriter)(
      const AuricleCodecBytes *bytes, const AuricleCodecFormat *format, const char *const *texts,
      const AuricleCodecMark *marks, size_t markCount, const AuricleCodecVideo *video,
      AuricleCodecFailure *failure);
  // Writes interleaved frames.
  bool (*write)(
      AuricleCodecWriter *writer, const float *samples, int64_t frameCount,
      AuricleCodecFailure *failure);
  // Ends the file; the writer must be closed all the same.
  bool (*finish)(AuricleCodecWriter *writer, AuricleCodecFailure *failure);
  void (*closeWriter)(AuricleCodecWriter *writer);

  // Packets. Functions that fail answer a status; the opening ones NULL and a status. The encodings
  // that can be decoded, and the ones that can be encoded: "aac,alac,mp3".
  const char *decodable;
  const char *encodable;
  // Opens a decoder; the kind of its samples is filled in.
  AuricleCodecDecoder *(*openDecoder)(AuricleCodecPackets *packets, int32_t *status);
  // Decodes one packet, or with NULL the rest at the end. After damage, the next packet may follow.
  int32_t (*decode)(
      AuricleCodecDecoder *decoder, const uint8_t *packet, size_t size, AuricleCodecFrames *frames);
  // Forgets all packets, to begin anywhere.
  void (*resetDecoder)(AuricleCodecDecoder *decoder);
  void (*closeDecoder)(AuricleCodecDecoder *decoder);
  // Opens an encoder; all of the description is filled in.
  AuricleCodecEncoder *(*openEncoder)(AuricleCodecPackets *packets, int32_t *status);
  // Encodes one packet's frames, fewer only at the end; with NULL the rest at the end, so that a decoder makes all
  // frames of the packets. Any number of frames where packets differ.
  int32_t (*encode)(
      AuricleCodecEncoder *encoder, const void *samples, int64_t frameCount,
      AuricleCodecPacketProc procedure, void *context);
  // Describes the encoded stream: some of it is known only at the end.
  void (*describeEncoder)(AuricleCodecEncoder *encoder, AuricleCodecPackets *packets);
  void (*closeEncoder)(AuricleCodecEncoder *encoder);
} AuricleCodec;

// The function that a library exports as `AuricleCodecEntry`; it returns NULL for a version it does not know.
typedef const AuricleCodec *(*AuricleCodecEntryProc)(uint32_t version);

#endif
