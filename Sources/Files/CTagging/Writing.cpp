// Tags into files, in place of the present ones.
// SPDX-License-Identifier: Apache-2.0

#include <cstdlib>
#include <cstring>
#include <taglib/attachedpictureframe.h>
#include <taglib/chapterframe.h>
#include <taglib/commentsframe.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2header.h>
#include <taglib/id3v2tag.h>
#include <taglib/mp4file.h>
#include <taglib/mpegfile.h>
#include <taglib/opusfile.h>
#include <taglib/tableofcontentsframe.h>
#include <taglib/textidentificationframe.h>
#include <taglib/tfilestream.h>
#include <taglib/tpropertymap.h>
#include <taglib/unsynchronizedlyricsframe.h>
#include <taglib/urllinkframe.h>
#include <taglib/vorbisfile.h>
#include <taglib/xiphcomment.h>
#include <unistd.h>

#include "Tags.hpp"

using namespace TagLib;

static String text(const std::string &utf8) { return String(utf8, String::UTF8); }

static ByteVector data(const std::string &bytes) {
  return ByteVector(bytes.data(), static_cast<unsigned int>(bytes.size()));
}

static PropertyMap properties(const AuricleTags &tags) {
  PropertyMap map;
  for (const auto &item : tags.texts) map[text(item.key)].append(text(item.value));
  return map;
}

template <typename Target> static void putPictures(const AuricleTags &tags, Target &target) {
  for (const auto &item : tags.pictures) {
    auto *picture = new FLAC::Picture;
    picture->setType(static_cast<FLAC::Picture::Type>(item.kind));
    picture->setMimeType(text(item.type));
    picture->setDescription(text(item.text));
    picture->setData(data(item.bytes));
    target.addPicture(picture);
  }
}

/// The spelling of a key: that of the file it came from, or the one that players search.
static String spelling(const AuricleTags &tags, const String &key) {
  static const std::pair<const char *, const char *> usual[] = {
      {"ACOUSTID_FINGERPRINT", "Acoustid Fingerprint"},
      {"ACOUSTID_ID", "Acoustid Id"},
      {"MUSICBRAINZ_ALBUMARTISTID", "MusicBrainz Album Artist Id"},
      {"MUSICBRAINZ_ALBUMID", "MusicBrainz Album Id"},
      {"MUSICBRAINZ_ALBUMSTATUS", "MusicBrainz Album Status"},
      {"MUSICBRAINZ_ALBUMTYPE", "MusicBrainz Album Type"},
      {"MUSICBRAINZ_ARTISTID", "MusicBrainz Artist Id"},
      {"MUSICBRAINZ_RELEASEGROUPID", "MusicBrainz Release Group Id"},
      {"MUSICBRAINZ_RELEASETRACKID", "MusicBrainz Release Track Id"},
      {"MUSICBRAINZ_WORKID", "MusicBrainz Work Id"},
      {"MUSICIP_PUID", "MusicIP PUID"},
      {"RELEASECOUNTRY", "MusicBrainz Album Release Country"},
  };
  const std::string wanted = key.upper().to8Bit(true);
  for (const auto &item : tags.texts)
    if (item.key == wanted && !item.name.empty()) return text(item.name);
  for (const auto &[known, spelled] : usual)
    if (wanted == known) return spelled;
  return key;
}

/// Removes the texts of a key, and those with a description behind it, from a map; returns them.
static PropertyMap taken(PropertyMap &map, const char *key) {
  PropertyMap found;
  for (const auto &[name, values] : map)
    if (name == key || name.startsWith(String(key) + ":")) found[name] = values;
  for (const auto &[name, values] : found) map.erase(name);
  return found;
}

/// Adds a frame with a language for each text.
template <typename Frame>
static void putTexts(const PropertyMap &texts, const char *key, ID3v2::Tag &tag) {
  for (const auto &[name, values] : texts)
    for (const auto &value : values) {
      auto *frame = new Frame(String::UTF8);
      if (name != key) frame->setDescription(name.substr(std::strlen(key) + 1));
      frame->setText(value);
      tag.addFrame(frame);
    }
}

static void putProperties(const AuricleTags &tags, ID3v2::Tag &tag) {
  PropertyMap map = properties(tags);
  const PropertyMap comments = taken(map, "COMMENT"), lyrics = taken(map, "LYRICS");
  tag.setProperties(map);
  putTexts<ID3v2::CommentsFrame>(comments, "COMMENT", tag);
  putTexts<ID3v2::UnsynchronizedLyricsFrame>(lyrics, "LYRICS", tag);
  for (auto *frame : tag.frameList("TXXX")) {
    auto *own = dynamic_cast<ID3v2::UserTextIdentificationFrame *>(frame);
    const PropertyMap texts = own ? own->asProperties() : PropertyMap();
    if (texts.isEmpty()) continue;
    const String key = texts.begin()->first, spelled = spelling(tags, key);
    if (spelled != key) own->setDescription(spelled);
  }
}

/// Copies language and description of a frame to the one of the same text; whether there is one.
template <typename Frame> static bool adopt(const Frame &source, ID3v2::Tag &tag) {
  for (auto *frame : tag.frameList(source.frameID())) {
    auto *target = dynamic_cast<Frame *>(frame);
    if (!target || target->language().size() == 3 || target->text() != source.text() ||
        target->description().upper() != source.description().upper())
      continue;
    target->setLanguage(source.language());
    target->setDescription(source.description());
    return true;
  }
  return false;
}

/// Adds the further frames; of comments, lyrics and links, those beyond their texts.
static void putParts(const AuricleTags &tags, ID3v2::Tag &tag) {
  ID3v2::Header header;
  header.setMajorVersion(4);
  for (const auto &part : tags.parts) {
    if (!part.isFrame || part.name.size() != 4) continue;
    const auto size = static_cast<unsigned int>(part.bytes.size());
    ByteVector bytes = data(part.name);
    for (int shift = 21; shift >= 0; shift -= 7)
      bytes.append(static_cast<char>(size >> shift & 0x7F));
    bytes.append(ByteVector(2, 0)).append(data(part.bytes));
    auto *frame = ID3v2::FrameFactory::instance()->createFrame(bytes, &header);
    if (!frame) continue;
    bool isOver = true;
    if (auto *comment = dynamic_cast<ID3v2::CommentsFrame *>(frame)) {
      adopt(*comment, tag);
    } else if (auto *lyrics = dynamic_cast<ID3v2::UnsynchronizedLyricsFrame *>(frame)) {
      adopt(*lyrics, tag);
    } else if (auto *link = dynamic_cast<ID3v2::UserUrlLinkFrame *>(frame)) {
      for (auto *other : tag.frameList("WXXX")) {
        auto *own = dynamic_cast<ID3v2::UserUrlLinkFrame *>(other);
        if (own && own->url() == link->url()) own->setDescription(link->description());
      }
    } else {
      isOver = false;
      tag.addFrame(frame);
    }
    if (isOver) delete frame;
  }
}

static void putFrames(const AuricleTags &tags, ID3v2::Tag &tag) {
  putProperties(tags, tag);
  putParts(tags, tag);
  tag.removeFrames("APIC");
  tag.removeFrames("CHAP");
  tag.removeFrames("CTOC");
  for (const auto &item : tags.pictures) {
    auto *frame = new ID3v2::AttachedPictureFrame;
    frame->setTextEncoding(String::UTF8);
    frame->setType(static_cast<ID3v2::AttachedPictureFrame::Type>(item.kind));
    frame->setMimeType(text(item.type));
    frame->setDescription(text(item.text));
    frame->setPicture(data(item.bytes));
    tag.addFrame(frame);
  }
  if (tags.chapters.empty()) return;
  ByteVectorList names;
  for (size_t index = 0; index < tags.chapters.size(); index++) {
    const auto &item = tags.chapters[index];
    const std::string id = "chp" + std::to_string(index);
    ID3v2::FrameList inner;
    if (!item.name.empty()) {
      auto *title = new ID3v2::TextIdentificationFrame("TIT2", String::UTF8);
      title->setText(text(item.name));
      inner.append(title);
    }
    if (!item.address.empty()) {
      auto *link = new ID3v2::UserUrlLinkFrame(String::UTF8);
      link->setUrl(text(item.address));
      inner.append(link);
    }
    const ByteVector element(id.c_str(), static_cast<unsigned int>(id.size()) + 1);
    // The table ends each name itself.
    names.append(data(id));
    tag.addFrame(
        new ID3v2::ChapterFrame(element, item.start, item.end, 0xFFFFFFFF, 0xFFFFFFFF, inner));
  }
  auto *contents = new ID3v2::TableOfContentsFrame(ByteVector("toc", 4), names);
  contents->setIsTopLevel(true);
  contents->setIsOrdered(true);
  tag.addFrame(contents);
}

/// The item of a part; an empty one for bytes that are none.
static MP4::Item item(const AuricleTags::Part &part) {
  const ByteVector all = data(part.bytes);
  if (all.isEmpty()) return MP4::Item();
  const ByteVector bytes = all.mid(1);
  switch (all[0]) {
    case 'B': return MP4::Item(static_cast<unsigned char>(bytes.isEmpty() ? 0 : bytes[0]));
    case 'b': return MP4::Item(!bytes.isEmpty() && bytes[0]);
    case 'u': return MP4::Item(bytes.toUInt());
    case 'l': return MP4::Item(bytes.toLongLong());
    default: break;
  }
  StringList texts;
  ByteVectorList values;
  for (unsigned int place = 0; place + 4 <= bytes.size();) {
    const unsigned int size = bytes.toUInt(place);
    if (size > bytes.size() - place - 4) return MP4::Item();
    const ByteVector value = bytes.mid(place + 4, size);
    texts.append(String(value, String::UTF8));
    values.append(value);
    place += 4 + size;
  }
  return all[0] == 't' ? MP4::Item(texts) : MP4::Item(values);
}

static void putItems(const AuricleTags &tags, MP4::Tag &tag) {
  PropertyMap map = properties(tags);
  if (map.contains("LONGDESCRIPTION")) {
    tag.setItem("ldes", MP4::Item(map["LONGDESCRIPTION"]));
    map.erase("LONGDESCRIPTION");
  }
  // A key without an item gets one with its name, in which the library allows no colon.
  const PropertyMap others = tag.setProperties(map);
  for (const auto &[key, values] : others) {
    const String name = StringList::split(spelling(tags, key), ":").toString(" ");
    tag.setItem("----:com.apple.iTunes:" + name, MP4::Item(values));
  }
  for (const auto &part : tags.parts) {
    const MP4::Item own = part.isFrame ? MP4::Item() : item(part);
    if (own.isValid()) tag.setItem(text(part.name), own);
  }
  MP4::CoverArtList covers;
  for (const auto &item : tags.pictures) {
    const auto format = item.type == "image/png"   ? MP4::CoverArt::PNG
                        : item.type == "image/gif" ? MP4::CoverArt::GIF
                        : item.type == "image/bmp" ? MP4::CoverArt::BMP
                                                   : MP4::CoverArt::JPEG;
    covers.append(MP4::CoverArt(format, data(item.bytes)));
  }
  if (!covers.isEmpty()) tag.setItem("covr", MP4::Item(covers));
}

static bool write(const AuricleTags &tags, IOStream &stream, AuricleTagPlace place) {
  switch (place) {
    case AuricleTagPlaceFLAC: {
      FLAC::File file(&stream, ID3v2::FrameFactory::instance(), false);
      if (!file.isValid()) return false;
      file.setProperties(properties(tags));
      file.removePictures();
      putPictures(tags, file);
      return file.save();
    }
    case AuricleTagPlaceVorbis: {
      Ogg::Vorbis::File file(&stream, false);
      if (!file.isValid() || !file.tag()) return false;
      file.tag()->setProperties(properties(tags));
      putPictures(tags, *file.tag());
      return file.save();
    }
    case AuricleTagPlaceOpus: {
      Ogg::Opus::File file(&stream, false);
      if (!file.isValid() || !file.tag()) return false;
      file.tag()->setProperties(properties(tags));
      putPictures(tags, *file.tag());
      return file.save();
    }
    case AuricleTagPlaceMPEG: {
      MPEG::File file(&stream, ID3v2::FrameFactory::instance(), false);
      if (!file.isValid()) return false;
      putFrames(tags, *file.ID3v2Tag(true));
      return file.save(MPEG::File::ID3v2, File::StripOthers, ID3v2::v4, File::DoNotDuplicate);
    }
    case AuricleTagPlaceMP4: {
      MP4::File file(&stream, false);
      if (!file.isValid() || !file.tag()) return false;
      putItems(tags, *file.tag());
      return file.save();
    }
    case AuricleTagPlaceWAV:
    case AuricleTagPlaceAIFF: return false;
  }
  return false;
}

bool AuricleTagsWriteFile(const AuricleTags *tags, int descriptor, AuricleTagPlace place) {
  const int own = dup(descriptor);
  if (own < 0) return false;
  try {
    FileStream stream(own, false);
    return stream.isOpen() && !stream.readOnly() && write(*tags, stream, place);
  } catch (...) {
    return false;
  }
}

void *AuricleTagsMakeID3(const AuricleTags *tags, size_t *count) {
  *count = 0;
  try {
    ID3v2::Tag tag;
    putFrames(*tags, tag);
    const ByteVector bytes = tag.render(ID3v2::v4);
    void *copy = std::malloc(bytes.size());
    if (!copy) return nullptr;
    std::memcpy(copy, bytes.data(), bytes.size());
    *count = bytes.size();
    return copy;
  } catch (...) {
    return nullptr;
  }
}
