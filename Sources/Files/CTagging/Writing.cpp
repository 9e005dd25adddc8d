// Tags into files, in place of those that are there.
// SPDX-License-Identifier: Apache-2.0

#include <cstdlib>
#include <cstring>
#include <taglib/attachedpictureframe.h>
#include <taglib/chapterframe.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2tag.h>
#include <taglib/mp4file.h>
#include <taglib/mpegfile.h>
#include <taglib/opusfile.h>
#include <taglib/tableofcontentsframe.h>
#include <taglib/textidentificationframe.h>
#include <taglib/tfilestream.h>
#include <taglib/tpropertymap.h>
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

static void putFrames(const AuricleTags &tags, ID3v2::Tag &tag) {
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

static void putItems(const AuricleTags &tags, MP4::Tag &tag) {
  // What has no item of its own gets one with its name.
  const PropertyMap others = tag.setProperties(properties(tags));
  for (const auto &[key, values] : others)
    tag.setItem("----:com.apple.iTunes:" + key, MP4::Item(values));
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
      file.ID3v2Tag(true)->setProperties(properties(tags));
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
    tag.setProperties(properties(*tags));
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
