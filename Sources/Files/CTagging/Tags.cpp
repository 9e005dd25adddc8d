// Collections of tags: their texts, pictures and chapters.
// SPDX-License-Identifier: Apache-2.0

#include "Tags.hpp"

#include <new>

AuricleTags *AuricleTagsMake(void) { return new (std::nothrow) AuricleTags; }
void AuricleTagsFree(AuricleTags *tags) { delete tags; }

size_t AuricleTagsTextCount(const AuricleTags *tags) { return tags->texts.size(); }
const char *AuricleTagsKey(const AuricleTags *tags, size_t index) {
  return tags->texts[index].key.c_str();
}
const char *AuricleTagsValue(const AuricleTags *tags, size_t index) {
  return tags->texts[index].value.c_str();
}

size_t AuricleTagsPictureCount(const AuricleTags *tags) { return tags->pictures.size(); }
int AuricleTagsPictureKind(const AuricleTags *tags, size_t index) {
  return tags->pictures[index].kind;
}
const char *AuricleTagsPictureType(const AuricleTags *tags, size_t index) {
  return tags->pictures[index].type.c_str();
}
const char *AuricleTagsPictureText(const AuricleTags *tags, size_t index) {
  return tags->pictures[index].text.c_str();
}
const void *AuricleTagsPictureBytes(const AuricleTags *tags, size_t index, size_t *count) {
  *count = tags->pictures[index].bytes.size();
  return tags->pictures[index].bytes.data();
}

size_t AuricleTagsChapterCount(const AuricleTags *tags) { return tags->chapters.size(); }
uint32_t AuricleTagsChapterStart(const AuricleTags *tags, size_t index) {
  return tags->chapters[index].start;
}
const char *AuricleTagsChapterName(const AuricleTags *tags, size_t index) {
  return tags->chapters[index].name.c_str();
}

const char *AuricleTagsChapterAddress(const AuricleTags *tags, size_t index) {
  return tags->chapters[index].address.c_str();
}

size_t AuricleTagsUnreadCount(const AuricleTags *tags) { return tags->unread.size(); }
const char *AuricleTagsUnread(const AuricleTags *tags, size_t index) {
  return tags->unread[index].c_str();
}

const char *AuricleTagsSpelling(const AuricleTags *tags, size_t index) {
  return tags->texts[index].name.c_str();
}

size_t AuricleTagsPartCount(const AuricleTags *tags) { return tags->parts.size(); }
bool AuricleTagsPartIsFrame(const AuricleTags *tags, size_t index) {
  return tags->parts[index].isFrame;
}
const char *AuricleTagsPartName(const AuricleTags *tags, size_t index) {
  return tags->parts[index].name.c_str();
}
const void *AuricleTagsPartBytes(const AuricleTags *tags, size_t index, size_t *count) {
  *count = tags->parts[index].bytes.size();
  return tags->parts[index].bytes.data();
}

// No exception leaves this door: without memory, data is left out.
template <typename Body> static void attempt(Body body) {
  try {
    body();
  } catch (...) {
  }
}

void AuricleTagsAddText(
    AuricleTags *tags, const char *key, const char *value, const char *spelling) {
  attempt([&] { tags->texts.push_back({key, value, spelling}); });
}

void AuricleTagsAddPart(
    AuricleTags *tags, bool isFrame, const char *name, const void *bytes, size_t count) {
  attempt([&] {
    tags->parts.push_back(
        {isFrame, name, count ? std::string(static_cast<const char *>(bytes), count) : ""});
  });
}

void AuricleTagsAddPicture(AuricleTags *tags, int kind, const char *type, const char *text,
                           const void *bytes, size_t count) {
  attempt([&] {
    tags->pictures.push_back(
        {kind, type, text, std::string(static_cast<const char *>(bytes), count)});
  });
}

void AuricleTagsAddChapter(AuricleTags *tags, uint32_t start, uint32_t end, const char *name,
                           const char *address) {
  attempt([&] { tags->chapters.push_back({start, end, name, address}); });
}
