// Tags out of files: TagLib's property maps, pictures of each kind of tag, chapters.
// SPDX-License-Identifier: Apache-2.0

#include <initializer_list>
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
#include <taglib/uniquefileidentifierframe.h>
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
        tags.texts.push_back({key.upper().to8Bit(true), value.to8Bit(true), ""});
}

static void addPart(AuricleTags &tags, bool isFrame, const String &name, const ByteVector &bytes) {
  if (tags.parts.size() >= mostTexts || bytes.size() > mostBytes) return;
  tags.parts.push_back({isFrame, name.to8Bit(true), std::string(bytes.data(), bytes.size())});
}

/// Notes how the file spells the key of a text.
static void spell(AuricleTags &tags, const String &key, const String &name) {
  const std::string wanted = key.upper().to8Bit(true), spelled = name.to8Bit(true);
  for (auto &text : tags.texts)
    if (text.key == wanted && text.name.empty()) text.name = spelled;
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
  const StringList others = tag.properties().unsupportedData();
  for (auto *frame : tag.frameList()) {
    const ByteVector id = frame->frameID();
    if (id == "APIC" || id == "CHAP" || id == "CTOC") continue;
    if (auto *own = dynamic_cast<ID3v2::UserTextIdentificationFrame *>(frame)) {
      const PropertyMap texts = own->asProperties();
      if (!texts.isEmpty()) spell(tags, texts.begin()->first, own->description());
      continue;
    }
    auto *identifier = dynamic_cast<ID3v2::UniqueFileIdentifierFrame *>(frame);
    const bool isText = (id[0] == 'T' || id[0] == 'W') && !others.contains(String(id));
    if (identifier ? !identifier->asProperties().isEmpty() : isText && id != "WXXX") continue;
    // The header of a frame has ten bytes in all versions.
    addPart(tags, true, String(id), frame->render().mid(10));
  }
}

/// The item for a long description, which has a name among texts.
static const char *const longDescription = "ldes";

/// An item as bytes: a letter for its kind, and its values; nothing for a kind that is not kept.
static ByteVector bytesOf(const String &name, const MP4::Item &item) {
  const auto is = [&](std::initializer_list<const char *> names) {
    for (const char *other : names)
      if (name == other) return true;
    return false;
  };
  ByteVector bytes;
  if (is({"stik", "rtng", "akID"})) return bytes.append('B').append(static_cast<char>(item.toByte()));
  if (is({"hdvd"})) return bytes.append('b').append(static_cast<char>(item.toBool()));
  if (is({"cnID", "sfID", "atID", "geID", "cmID"}))
    return bytes.append('u').append(ByteVector::fromUInt(item.toUInt()));
  if (name == "plID") return bytes.append('l').append(ByteVector::fromLongLong(item.toLongLong()));
  const StringList texts = item.toStringList();
  if (!texts.isEmpty()) {
    bytes.append('t');
    for (const auto &text : texts) {
      const ByteVector value = text.data(String::UTF8);
      bytes.append(ByteVector::fromUInt(value.size())).append(value);
    }
    return bytes;
  }
  for (const auto &value : item.toByteVectorList())
    bytes.append(bytes.isEmpty() ? ByteVector("d") : ByteVector())
        .append(ByteVector::fromUInt(value.size()))
        .append(value);
  return bytes;
}

static void addItems(AuricleTags &tags, const MP4::Tag &tag, const PropertyMap &known) {
  static const String own("----:com.apple.iTunes:");
  const StringList others = known.unsupportedData();
  for (const auto &[name, item] : tag.itemMap()) {
    const bool isText = name.startsWith(own) || name == longDescription;
    if (!isText) {
      if (name == "covr" || !others.contains(name)) continue;
      const ByteVector bytes = bytesOf(name, item);
      if (!bytes.isEmpty()) addPart(tags, false, name, bytes);
      continue;
    }
    const String spelled = name == longDescription ? "LONGDESCRIPTION" : name.substr(own.size());
    const String key = spelled.upper();
    if (known.contains(key)) continue;
    PropertyMap one;
    one[key] = item.toStringList();
    addTexts(tags, one);
    spell(tags, key, spelled);
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
