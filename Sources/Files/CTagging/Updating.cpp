// Single texts of files that have tags already: everything else stays as it is.
// SPDX-License-Identifier: Apache-2.0

#include <taglib/aifffile.h>
#include <taglib/flacfile.h>
#include <taglib/id3v2framefactory.h>
#include <taglib/id3v2header.h>
#include <taglib/id3v2tag.h>
#include <taglib/mp4file.h>
#include <taglib/mpegfile.h>
#include <taglib/opusfile.h>
#include <taglib/textidentificationframe.h>
#include <taglib/tfilestream.h>
#include <taglib/vorbisfile.h>
#include <taglib/wavfile.h>
#include <taglib/xiphcomment.h>
#include <unistd.h>

#include "Tags.hpp"

using namespace TagLib;

static String text(const std::string &utf8) { return String(utf8, String::UTF8); }

static void put(const AuricleTags &changes, Ogg::XiphComment &comment) {
  for (const auto &item : changes.texts) {
    comment.removeFields(text(item.key));
    if (!item.value.empty()) comment.addField(text(item.key), text(item.value));
  }
}

static void put(const AuricleTags &changes, ID3v2::Tag &tag) {
  for (const auto &item : changes.texts) {
    const String key = text(item.key);
    // A copy, because frames leave the list on the way.
    const ID3v2::FrameList frames = tag.frameList("TXXX");
    for (auto *frame : frames) {
      auto *own = dynamic_cast<ID3v2::UserTextIdentificationFrame *>(frame);
      if (own && own->description().upper() == key.upper()) tag.removeFrame(own);
    }
    if (item.value.empty()) continue;
    auto *frame = new ID3v2::UserTextIdentificationFrame(String::Latin1);
    frame->setDescription(key);
    frame->setText(text(item.value));
    tag.addFrame(frame);
  }
}

static void put(const AuricleTags &changes, MP4::Tag &tag) {
  for (const auto &item : changes.texts) {
    const String name = "----:com.apple.iTunes:" + text(item.key);
    StringList same;
    for (const auto &[key, value] : tag.itemMap())
      if (key.upper() == name.upper()) same.append(key);
    for (const auto &key : same) tag.removeItem(key);
    if (!item.value.empty()) tag.setItem(name, MP4::Item(StringList(text(item.value))));
  }
}

/// The version that a tag has, so that old players go on reading it.
static ID3v2::Version version(const ID3v2::Tag &tag) {
  return tag.header()->majorVersion() == 3 ? ID3v2::v3 : ID3v2::v4;
}

static bool update(const AuricleTags &changes, IOStream &stream, AuricleTagPlace place) {
  switch (place) {
    case AuricleTagPlaceFLAC: {
      FLAC::File file(&stream, ID3v2::FrameFactory::instance(), false);
      if (!file.isValid()) return false;
      put(changes, *file.xiphComment(true));
      return file.save();
    }
    case AuricleTagPlaceVorbis: {
      Ogg::Vorbis::File file(&stream, false);
      if (!file.isValid() || !file.tag()) return false;
      put(changes, *file.tag());
      return file.save();
    }
    case AuricleTagPlaceOpus: {
      Ogg::Opus::File file(&stream, false);
      if (!file.isValid() || !file.tag()) return false;
      put(changes, *file.tag());
      return file.save();
    }
    case AuricleTagPlaceMPEG: {
      MPEG::File file(&stream, ID3v2::FrameFactory::instance(), false);
      if (!file.isValid()) return false;
      const bool isOld = file.hasID3v2Tag() && version(*file.ID3v2Tag()) == ID3v2::v3;
      put(changes, *file.ID3v2Tag(true));
      return file.save(MPEG::File::ID3v2, File::StripNone, isOld ? ID3v2::v3 : ID3v2::v4,
                       File::DoNotDuplicate);
    }
    case AuricleTagPlaceMP4: {
      MP4::File file(&stream, false);
      if (!file.isValid() || !file.tag()) return false;
      put(changes, *file.tag());
      return file.save();
    }
    case AuricleTagPlaceWAV: {
      RIFF::WAV::File file(&stream, false);
      if (!file.isValid() || !file.ID3v2Tag()) return false;
      const bool isOld = file.hasID3v2Tag() && version(*file.ID3v2Tag()) == ID3v2::v3;
      put(changes, *file.ID3v2Tag());
      return file.save(RIFF::WAV::File::ID3v2, File::StripNone, isOld ? ID3v2::v3 : ID3v2::v4);
    }
    case AuricleTagPlaceAIFF: {
      RIFF::AIFF::File file(&stream, false);
      if (!file.isValid() || !file.tag()) return false;
      const bool isOld = file.hasID3v2Tag() && version(*file.tag()) == ID3v2::v3;
      put(changes, *file.tag());
      return file.save(isOld ? ID3v2::v3 : ID3v2::v4);
    }
  }
  return false;
}

bool AuricleTagsUpdateFile(const AuricleTags *changes, int descriptor, AuricleTagPlace place) {
  const int own = dup(descriptor);
  if (own < 0) return false;
  // Chunks are read from where the descriptor stands.
  lseek(own, 0, SEEK_SET);
  try {
    FileStream stream(own, false);
    return stream.isOpen() && !stream.readOnly() && update(*changes, stream, place);
  } catch (...) {
    return false;
  }
}
