// Single texts of files that have tags already: everything else stays as it is.
// SPDX-License-Identifier: Apache-2.0

#include <taglib/aifffile.h>
#include <taglib/apetag.h>
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

/// Whether a name is one of the figures by which players turn a file up or down.
static bool isGain(const String &name) {
  const String key = name.upper();
  return key.startsWith("REPLAYGAIN_") || key.startsWith("R128_") || key.startsWith("RG_");
}

/// The work on the gains of a file: they are counted, except texts of a list, or removed.
struct Gains {
  const AuricleTags *known;
  bool removes;
  int count = 0;

  /// Notes a gain; whether it is to be removed.
  bool meets(const String &name, const String &value, bool isInPlace) {
    for (const auto &item : known->texts)
      if (isInPlace && !removes && !item.value.empty() && name == text(item.key) &&
          value == text(item.value))
        return false;
    count++;
    return removes;
  }
};

static void visit(Gains &gains, Ogg::XiphComment &comment) {
  // A copy, because fields leave the list on the way.
  const Ogg::FieldListMap fields = comment.fieldListMap();
  for (const auto &[name, values] : fields)
    if (isGain(name) && gains.meets(name, values.toString("\n"), true)) comment.removeFields(name);
}

static void visit(Gains &gains, ID3v2::Tag &tag, bool isInPlace = true) {
  // Pointers alone: a copy of the list would delete its frames.
  const std::vector<ID3v2::Frame *> frames(tag.frameList().begin(), tag.frameList().end());
  for (auto *frame : frames) {
    const ByteVector id = frame->frameID();
    auto *own = dynamic_cast<ID3v2::UserTextIdentificationFrame *>(frame);
    const bool isAdjustment = id == "RVA2" || id == "RVAD" || id == "XRVA" || id == "RGAD";
    if (!isAdjustment && !(own && isGain(own->description()))) continue;
    const String name = own ? own->description() : String(id);
    const String value = own && own->fieldList().size() > 1 ? own->fieldList()[1] : String();
    if (gains.meets(name, value, isInPlace && own)) tag.removeFrame(frame);
  }
}

static void visit(Gains &gains, APE::Tag &tag) {
  const APE::ItemListMap items = tag.itemListMap();
  for (const auto &[name, item] : items)
    if (isGain(name) && gains.meets(name, item.toString(), false)) tag.removeItem(name);
}

static void visit(Gains &gains, MP4::Tag &tag) {
  const MP4::ItemMap items = tag.itemMap();
  for (const auto &[name, item] : items) {
    const int colon = name.rfind(":");
    const String own = colon < 0 ? String() : name.substr(static_cast<unsigned int>(colon) + 1);
    const bool isInPlace = name == "----:com.apple.iTunes:" + own;
    if (isGain(own) && gains.meets(own, item.toStringList().toString("\n"), isInPlace))
      tag.removeItem(name);
  }
}

/// Returns the places of tags; an empty tag goes with the file's next writing.
static int places(MPEG::File &file) {
  const bool hasAPE = file.hasAPETag() && !file.APETag()->isEmpty();
  if (file.hasAPETag() && !hasAPE) file.strip(MPEG::File::APE, false);
  return hasAPE ? MPEG::File::ID3v2 | MPEG::File::APE : MPEG::File::ID3v2;
}

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

/// Counts or removes the gains of all tags of a file, puts the texts into it where it is to be changed, and saves it.
static bool update(
    const AuricleTags &changes, Gains &gains, bool saves, IOStream &stream, AuricleTagPlace place) {
  switch (place) {
    case AuricleTagPlaceFLAC: {
      FLAC::File file(&stream, ID3v2::FrameFactory::instance(), false);
      if (!file.isValid()) return false;
      visit(gains, *file.xiphComment(true));
      if (file.hasID3v2Tag()) visit(gains, *file.ID3v2Tag(), false);
      if (!saves) return true;
      put(changes, *file.xiphComment(true));
      return file.save();
    }
    case AuricleTagPlaceVorbis: {
      Ogg::Vorbis::File file(&stream, false);
      if (!file.isValid() || !file.tag()) return false;
      visit(gains, *file.tag());
      if (!saves) return true;
      put(changes, *file.tag());
      return file.save();
    }
    case AuricleTagPlaceOpus: {
      Ogg::Opus::File file(&stream, false);
      if (!file.isValid() || !file.tag()) return false;
      visit(gains, *file.tag());
      if (!saves) return true;
      put(changes, *file.tag());
      return file.save();
    }
    case AuricleTagPlaceMPEG: {
      MPEG::File file(&stream, ID3v2::FrameFactory::instance(), false);
      if (!file.isValid()) return false;
      const bool isOld = file.hasID3v2Tag() && version(*file.ID3v2Tag()) == ID3v2::v3;
      visit(gains, *file.ID3v2Tag(true));
      if (file.hasAPETag()) visit(gains, *file.APETag());
      if (!saves) return true;
      put(changes, *file.ID3v2Tag(true));
      return file.save(places(file), File::StripNone, isOld ? ID3v2::v3 : ID3v2::v4,
                       File::DoNotDuplicate);
    }
    case AuricleTagPlaceMP4: {
      MP4::File file(&stream, false);
      if (!file.isValid() || !file.tag()) return false;
      visit(gains, *file.tag());
      if (!saves) return true;
      put(changes, *file.tag());
      return file.save();
    }
    case AuricleTagPlaceWAV: {
      RIFF::WAV::File file(&stream, false);
      if (!file.isValid() || !file.ID3v2Tag()) return false;
      const bool isOld = file.hasID3v2Tag() && version(*file.ID3v2Tag()) == ID3v2::v3;
      visit(gains, *file.ID3v2Tag());
      if (!saves) return true;
      put(changes, *file.ID3v2Tag());
      return file.save(RIFF::WAV::File::ID3v2, File::StripNone, isOld ? ID3v2::v3 : ID3v2::v4);
    }
    case AuricleTagPlaceAIFF: {
      RIFF::AIFF::File file(&stream, false);
      if (!file.isValid() || !file.tag()) return false;
      const bool isOld = file.hasID3v2Tag() && version(*file.tag()) == ID3v2::v3;
      visit(gains, *file.tag());
      if (!saves) return true;
      put(changes, *file.tag());
      return file.save(isOld ? ID3v2::v3 : ID3v2::v4);
    }
  }
  return false;
}

/// Opens a file and does so; false when that fails.
static bool update(
    const AuricleTags &changes, Gains &gains, bool saves, int descriptor, AuricleTagPlace place) {
  const int own = dup(descriptor);
  if (own < 0) return false;
  // Chunks are read from the descriptor's position.
  lseek(own, 0, SEEK_SET);
  try {
    FileStream stream(own, !saves);
    return stream.isOpen() && stream.readOnly() != saves &&
           update(changes, gains, saves, stream, place);
  } catch (...) {
    return false;
  }
}

bool AuricleTagsUpdateFile(
    const AuricleTags *changes, int descriptor, AuricleTagPlace place, bool replacesGains) {
  Gains gains{changes, replacesGains};
  return update(*changes, gains, true, descriptor, place);
}

int AuricleTagsOtherGains(const AuricleTags *texts, int descriptor, AuricleTagPlace place) {
  Gains gains{texts, false};
  return update(*texts, gains, false, descriptor, place) ? gains.count : -1;
}
