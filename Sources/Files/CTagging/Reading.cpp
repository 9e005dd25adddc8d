// Tags out of files: TagLib's property maps, pictures of each kind of tag, chapters.
// SPDX-License-Identifier: Apache-2.0

#include <taglib/aifffile.h>
#include <taglib/attachedpictureframe.h>
#include <taglib/chapterframe.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/mp4file.h>
#include <taglib/mpegfile.h>
#include <taglib/opusfile.h>
#include <taglib/tbytevectorstream.h>
#include <taglib/textidentificationframe.h>
#include <taglib/tfilestream.h>
#include <taglib/tpropertymap.h>
#include <taglib/vorbisfile.h>
#include <taglib/wavfile.h>
#include <taglib/xiphcomment.h>
#include <unistd.h>

#include "Tags.hpp"

using namespace TagLib;

static const size_t mostTexts = 2000, mostPictures = 64, mostChapters = 10000;
static const unsigned int mostBytes = 64 << 20;

static void addTexts(AuricleTags &tags, const PropertyMap &map) {
  for (const auto &[key, values] : map)
    for (const auto &value : values)
      if (tags.texts.size() < mostTexts && !value.isEmpty())
        tags.texts.push_back({key.upper().to8Bit(true), value.to8Bit(true)});
}

static void addPicture(AuricleTags &tags, int kind, const String &type, const String &text,
                       const ByteVector &bytes) {
  if (tags.pictures.size() >= mostPictures || bytes.isEmpty() || bytes.size() > mostBytes) return;
  tags.pictures.push_back({kind, type.to8Bit(true), text.to8Bit(true),
                           std::string(bytes.data(), bytes.size())});
}

static void addPictures(AuricleTags &tags, const List<FLAC::Picture *> &pictures) {
  for (const auto *picture : pictures)
    addPicture(tags, picture->type(), picture->mimeType(), picture->description(), picture->data());
}

static void addFrames(AuricleTags &tags, const ID3v2::Tag &tag) {
  for (auto *frame : tag.frameList("APIC"))
    if (auto *picture = dynamic_cast<ID3v2::AttachedPictureFrame *>(frame))
      addPicture(tags, picture->type(), picture->mimeType(), picture->description(),
                 picture->picture());
  for (auto *frame : tag.frameList("CHAP")) {
    auto *chapter = dynamic_cast<ID3v2::ChapterFrame *>(frame);
    if (!chapter || tags.chapters.size() >= mostChapters) continue;
    std::string name;
    for (auto *inner : chapter->embeddedFrameList("TIT2")) name = inner->toString().to8Bit(true);
    tags.chapters.push_back({chapter->startTime(), chapter->endTime(), name});
  }
}

static void addItems(AuricleTags &tags, const MP4::Tag &tag, const PropertyMap &known) {
  for (const auto &[name, item] : tag.itemMap()) {
    static const String own("----:com.apple.iTunes:");
    if (!name.startsWith(own)) continue;
    const String key = name.substr(own.size()).upper();
    if (known.contains(key)) continue;
    PropertyMap one;
    one[key] = item.toStringList();
    addTexts(tags, one);
  }
  if (!tag.contains("covr")) return;
  for (const auto &cover : tag.item("covr").toCoverArtList()) {
    const char *type = cover.format() == MP4::CoverArt::PNG   ? "image/png"
                       : cover.format() == MP4::CoverArt::GIF ? "image/gif"
                       : cover.format() == MP4::CoverArt::BMP ? "image/bmp"
                                                              : "image/jpeg";
    addPicture(tags, 3, type, String(), cover.data());
  }
}

static bool readMPEG(AuricleTags &tags, IOStream &stream) {
  MPEG::File file(&stream, ID3v2::FrameFactory::instance(), false);
  if (!file.isValid()) return false;
  addTexts(tags, file.properties());
  if (const auto *tag = file.ID3v2Tag()) addFrames(tags, *tag);
  return true;
}

static bool read(AuricleTags &tags, IOStream &stream, AuricleTagPlace place) {
  switch (place) {
    case AuricleTagPlaceFLAC: {
      FLAC::File file(&stream, ID3v2::FrameFactory::instance(), false);
      if (!file.isValid()) return false;
      addTexts(tags, file.properties());
      addPictures(tags, file.pictureList());
      return true;
    }
    case AuricleTagPlaceVorbis: {
      Ogg::Vorbis::File file(&stream, false);
      if (!file.isValid() || !file.tag()) return false;
      addTexts(tags, file.tag()->properties());
      addPictures(tags, file.tag()->pictureList());
      return true;
    }
    case AuricleTagPlaceOpus: {
      Ogg::Opus::File file(&stream, false);
      if (!file.isValid() || !file.tag()) return false;
      addTexts(tags, file.tag()->properties());
      addPictures(tags, file.tag()->pictureList());
      return true;
    }
    case AuricleTagPlaceMPEG: return readMPEG(tags, stream);
    case AuricleTagPlaceMP4: {
      MP4::File file(&stream, false);
      if (!file.isValid() || !file.tag()) return false;
      const PropertyMap known = file.tag()->properties();
      addTexts(tags, known);
      addItems(tags, *file.tag(), known);
      return true;
    }
    case AuricleTagPlaceWAV: {
      RIFF::WAV::File file(&stream, false);
      if (!file.isValid() || !file.ID3v2Tag()) return false;
      addTexts(tags, file.ID3v2Tag()->properties());
      return true;
    }
    case AuricleTagPlaceAIFF: {
      RIFF::AIFF::File file(&stream, false);
      if (!file.isValid() || !file.tag()) return false;
      addTexts(tags, file.tag()->properties());
      return true;
    }
  }
  return false;
}

bool AuricleTagsReadFile(AuricleTags *tags, int descriptor, AuricleTagPlace place) {
  const int own = dup(descriptor);
  if (own < 0) return false;
  lseek(own, 0, SEEK_SET);
  try {
    FileStream stream(own, true);
    return stream.isOpen() && read(*tags, stream, place);
  } catch (...) {
    return false;
  }
}

bool AuricleTagsReadID3(AuricleTags *tags, const void *bytes, size_t count) {
  if (count > mostBytes) return false;
  try {
    ByteVectorStream stream(ByteVector(static_cast<const char *>(bytes), count));
    return readMPEG(*tags, stream);
  } catch (...) {
    return false;
  }
}
