// Tags out of files: TagLib's property maps, pictures of each kind of tag, chapters.
// SPDX-License-Identifier: Apache-2.0

#include <initializer_list>
#include <taglib/aifffile.h>
#include <taglib/apetag.h>
#include <taglib/attachedpictureframe.h>
#include <taglib/chapterframe.h>
#include <taglib/commentsframe.h>
#include <taglib/flacfile.h>
#include <taglib/generalencapsulatedobjectframe.h>
#include <taglib/id3v1tag.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/mp4file.h>
#include <taglib/mpegfile.h>
#include <taglib/opusfile.h>
#include <taglib/tableofcontentsframe.h>
#include <taglib/tbytevectorstream.h>
#include <taglib/textidentificationframe.h>
#include <taglib/tfilestream.h>
#include <taglib/tpropertymap.h>
#include <taglib/uniquefileidentifierframe.h>
#include <taglib/unknownframe.h>
#include <taglib/unsynchronizedlyricsframe.h>
#include <taglib/urllinkframe.h>
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

/// Notes how a frame spells its description, which is a part of its text's key.
template <typename Frame>
static void spellDescription(AuricleTags &tags, const char *key, const ID3v2::Frame *frame) {
  auto *described = dynamic_cast<const Frame *>(frame);
  if (!described || described->description().isEmpty()) return;
  const String name = String(key) + ":" + described->description();
  spell(tags, name, name);
}

/// Whether a frame of version 2.3 became part of the date of version 2.4: day and month, or the time.
static bool isInDate(const ID3v2::Tag &tag, const ByteVector &id) {
  const auto &dates = tag.frameList("TDRC");
  if (dates.isEmpty() || (id != "TDAT" && id != "TIME")) return false;
  return dates.front()->toString().size() > (id == "TDAT" ? 4u : 10u);
}

/// Adds a text of version 2.3 that version 2.4 has no frame for.
static void addOldText(AuricleTags &tags, const ByteVector &id, const ByteVector &data) {
  if (data.size() < 2 || data[0] < 0 || data[0] > 3) return;
  // The encodings of ID3 have the numbers of the library's.
  const String all(data.mid(1), static_cast<String::Type>(data[0]));
  unsigned int end = 0;
  while (end < all.size() && all[static_cast<int>(end)] != 0) end++;
  PropertyMap text;
  text[id == "TRDA" ? String("RECORDINGDATES") : String(id)] = StringList(all.substr(0, end));
  addTexts(tags, text);
}

/// Notes a part that nothing here keeps, once.
static void addUnread(AuricleTags &tags, const char *name) {
  for (const auto &other : tags.unread)
    if (other == name) return;
  tags.unread.push_back(name);
}

/// Adds a chapter with its title and its first address.
static void addChapter(AuricleTags &tags, const ID3v2::ChapterFrame &chapter) {
  AuricleTags::Chapter added{chapter.startTime(), chapter.endTime(), "", ""};
  for (const auto *inner : chapter.embeddedFrameList()) {
    const auto *link = dynamic_cast<const ID3v2::UserUrlLinkFrame *>(inner);
    if (inner->frameID() == "TIT2")
      added.name = inner->toString().to8Bit(true);
    else if (link && added.address.empty())
      added.address = link->url().to8Bit(true);
    else
      addUnread(tags, "further frames of chapters");
  }
  tags.chapters.push_back(added);
}

static void addFrames(AuricleTags &tags, const ID3v2::Tag &tag) {
  for (auto *frame : tag.frameList("APIC"))
    if (auto *picture = dynamic_cast<ID3v2::AttachedPictureFrame *>(frame))
      addPicture(tags, picture->type(), picture->mimeType(), picture->description(),
                 picture->picture());
  for (auto *frame : tag.frameList("CHAP")) {
    auto *chapter = dynamic_cast<ID3v2::ChapterFrame *>(frame);
    if (chapter && tags.chapters.size() < mostChapters) addChapter(tags, *chapter);
  }
  for (auto *frame : tag.frameList("CTOC")) {
    auto *table = dynamic_cast<ID3v2::TableOfContentsFrame *>(frame);
    if (table && !table->embeddedFrameList().isEmpty())
      addUnread(tags, "texts of the table of contents (CTOC)");
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
    spellDescription<ID3v2::CommentsFrame>(tags, "COMMENT", frame);
    spellDescription<ID3v2::UnsynchronizedLyricsFrame>(tags, "LYRICS", frame);
    spellDescription<ID3v2::UserUrlLinkFrame>(tags, "URL", frame);
    if (auto *unknown = dynamic_cast<ID3v2::UnknownFrame *>(frame)) {
      if (id[0] == 'T' && !isInDate(tag, id)) addOldText(tags, id, unknown->data());
      if (id[0] != 'T') addPart(tags, true, String(id), frame->render().mid(10));
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
    if (name == "covr" || !others.contains(name)) continue;
    // Items of QuickTime have numbers for names, which a table explains.
    if (name.isEmpty() || name[0] < 0x20) continue;
    const bool isText = name.startsWith(own) || name == longDescription;
    if (!isText || item.toStringList().isEmpty()) {
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

/// The kinds of pictures of ID3, by the names of their items in APE tags.
static int pictureKind(const String &item) {
  static const char *const names[] = {
      "OTHER",       "PNG ICON", "ICON",     "FRONT",     "BACK",     "LEAFLET", "MEDIA",
      "LEAD ARTIST", "ARTIST",   "CONDUCTOR", "BAND",     "COMPOSER", "LYRICIST",
      "RECORDING LOCATION", "DURING RECORDING", "DURING PERFORMANCE", "VIDEO CAPTURE", "FISH",
      "ILLUSTRATION", "BAND LOGO", "PUBLISHER LOGO"};
  for (int kind = 0; kind < 21; kind++)
    if (item == String("COVER ART (") + names[kind] + ")") return kind;
  return item.startsWith("COVER ART (") ? 0 : -1;
}

/// Adds the pictures, the addresses and the data of an APE tag.
static void addItems(AuricleTags &tags, const APE::Tag &tag, PropertyMap &texts) {
  for (const auto &[name, item] : tag.itemListMap()) {
    const String key = name.upper();
    const ByteVector bytes = item.binaryData();
    if (item.type() == APE::Item::Locator && !texts.contains(key))
      texts[key] = StringList::split(String(bytes, String::UTF8), String(std::string(1, 0)));
    if (item.type() != APE::Item::Binary) continue;
    const int kind = pictureKind(key), end = bytes.find(ByteVector(1, 0));
    if (kind >= 0 && end >= 0) {
      const ByteVector picture = bytes.mid(static_cast<unsigned int>(end) + 1);
      const char *type = picture.startsWith("\x89PNG") ? "image/png" : "image/jpeg";
      addPicture(tags, kind, type, String(), picture);
    } else {
      ID3v2::GeneralEncapsulatedObjectFrame object;
      object.setTextEncoding(String::UTF8);
      object.setMimeType("application/octet-stream");
      object.setDescription(name);
      object.setObject(bytes);
      addPart(tags, true, "GEOB", object.render().mid(10));
    }
  }
}

/// Puts the mark of ISO 8601 in front of a time of day, for which ID3's texts have a space here.
static void markTimes(PropertyMap &texts) {
  for (auto &[key, values] : texts) {
    if (key.size() < 4 || key.substr(key.size() - 4) != "DATE") continue;
    for (auto &value : values)
      if (value.size() > 10 && value[4] == '-' && value[10] == ' ') value[10] = 'T';
  }
}

/// Reads the tags of MPEG audio: of several with one text, that of ID3v2 counts, then that of APE.
static bool readMPEG(AuricleTags &tags, IOStream &stream) {
  MPEG::File file(&stream, ID3v2::FrameFactory::instance(), false);
  if (!file.isValid()) return false;
  PropertyMap texts;
  if (const auto *tag = file.ID3v2Tag()) texts = tag->properties();
  markTimes(texts);
  const auto add = [&](const PropertyMap &more) {
    for (const auto &[key, values] : more)
      if (!texts.contains(key)) texts[key] = values;
  };
  if (const auto *tag = file.APETag()) {
    add(tag->properties());
    addItems(tags, *tag, texts);
  }
  if (const auto *tag = file.ID3v1Tag()) add(tag->properties());
  addTexts(tags, texts);
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
      if (auto *comment = file.xiphComment()) addPictures(tags, comment->pictureList());
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
