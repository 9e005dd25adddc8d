// Texts, pictures and chapters of audio files, read and written by TagLib.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_TAGGING_H
#define AURICLE_TAGGING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The place of tags.
typedef enum AuricleTagPlace {
  AuricleTagPlaceFLAC = 1,
  AuricleTagPlaceVorbis = 2,
  AuricleTagPlaceOpus = 3,
  AuricleTagPlaceMPEG = 4,
  AuricleTagPlaceMP4 = 5,
  /// In these two, texts alone are read, and changed one by one.
  AuricleTagPlaceWAV = 6,
  AuricleTagPlaceAIFF = 7,
} AuricleTagPlace;

/// The content of a file's tags.
typedef struct AuricleTags AuricleTags;

/// An empty collection; NULL when memory is short.
AuricleTags *AuricleTagsMake(void);
void AuricleTagsFree(AuricleTags *tags);

/// Reads the tags of an open file; the descriptor stays open. False when nothing can be made of it.
bool AuricleTagsReadFile(AuricleTags *tags, int descriptor, AuricleTagPlace place);
/// Reads an ID3 tag in memory.
bool AuricleTagsReadID3(AuricleTags *tags, const void *bytes, size_t count);

/// Texts: an upper-case key ("TITLE") and a value, UTF-8; a key may come several times.
size_t AuricleTagsTextCount(const AuricleTags *tags);
const char *AuricleTagsKey(const AuricleTags *tags, size_t index);
const char *AuricleTagsValue(const AuricleTags *tags, size_t index);
/// The key as the file spells it ("MusicBrainz Album Id"); empty where files of its kind have no spelling.
const char *AuricleTagsSpelling(const AuricleTags *tags, size_t index);
/// `spelling` is used where a file has a place for it; it may be empty.
void AuricleTagsAddText(
    AuricleTags *tags, const char *key, const char *value, const char *spelling);

/// Further parts, which tags of the same family alone can hold: frames of ID3 by their identifiers ("POPM", with the
/// bytes of their fields), items of MP4 by their names ("stik"). Comments and lyrics are among them, for their languages.
size_t AuricleTagsPartCount(const AuricleTags *tags);
bool AuricleTagsPartIsFrame(const AuricleTags *tags, size_t index);
const char *AuricleTagsPartName(const AuricleTags *tags, size_t index);
const void *AuricleTagsPartBytes(const AuricleTags *tags, size_t index, size_t *count);
void AuricleTagsAddPart(
    AuricleTags *tags, bool isFrame, const char *name, const void *bytes, size_t count);

/// Pictures: the subject by the numbers of ID3 and FLAC (3: front cover), MIME type, description.
size_t AuricleTagsPictureCount(const AuricleTags *tags);
int AuricleTagsPictureKind(const AuricleTags *tags, size_t index);
const char *AuricleTagsPictureType(const AuricleTags *tags, size_t index);
const char *AuricleTagsPictureText(const AuricleTags *tags, size_t index);
const void *AuricleTagsPictureBytes(const AuricleTags *tags, size_t index, size_t *count);
void AuricleTagsAddPicture(AuricleTags *tags, int kind, const char *type, const char *text,
                           const void *bytes, size_t count);

/// Chapters, in ID3 alone: from and to in milliseconds, a name, and an address.
size_t AuricleTagsChapterCount(const AuricleTags *tags);
uint32_t AuricleTagsChapterStart(const AuricleTags *tags, size_t index);
const char *AuricleTagsChapterName(const AuricleTags *tags, size_t index);
const char *AuricleTagsChapterAddress(const AuricleTags *tags, size_t index);
void AuricleTagsAddChapter(AuricleTags *tags, uint32_t start, uint32_t end, const char *name,
                           const char *address);

/// Names of parts of the tags that nothing here keeps.
size_t AuricleTagsUnreadCount(const AuricleTags *tags);
const char *AuricleTagsUnread(const AuricleTags *tags, size_t index);

/// Writes the tags into an open file in place of those it has; the descriptor stays open.
bool AuricleTagsWriteFile(const AuricleTags *tags, int descriptor, AuricleTagPlace place);
/// Puts the texts in the place of those with the same keys, and leaves all else; an empty value removes. With
/// `replacesGains`, all figures of loudness that a player may use are removed first, from every tag of the file.
bool AuricleTagsUpdateFile(
    const AuricleTags *changes, int descriptor, AuricleTagPlace place, bool replacesGains);
/// Counts figures of loudness in a file beside texts of these keys; -1 when nothing can be made of the file.
int AuricleTagsOtherGains(const AuricleTags *texts, int descriptor, AuricleTagPlace place);
/// The tags as an ID3 tag of version 2.4, to be released with `free`; NULL on failure.
void *AuricleTagsMakeID3(const AuricleTags *tags, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
