// A file's data beside its sound: texts, marks, broadcast data, instrument, channel places.
// SPDX-License-Identifier: Apache-2.0

import CSndFile

/// Texts and other data of an audio file, to be carried over to another one.
public struct AudioFileMetadata: Sendable, Equatable {
  /// A kind of text.
  public enum TextKey: String, CaseIterable, Sendable {
    /// The title.
    case title
    /// The copyright.
    case copyright
    /// The program that made it.
    case software
    /// The artist.
    case artist
    /// Anything.
    case comment
    /// The date of its making.
    case date
    /// The album it belongs to.
    case album
    /// Under which licence it may be used.
    case license
    /// The number on the album.
    case trackNumber = "track number"
    /// The kind of music.
    case genre

    var soundFileKind: Int {
      switch self {
      case .title: SF_STR_TITLE
      case .copyright: SF_STR_COPYRIGHT
      case .software: SF_STR_SOFTWARE
      case .artist: SF_STR_ARTIST
      case .comment: SF_STR_COMMENT
      case .date: SF_STR_DATE
      case .album: SF_STR_ALBUM
      case .license: SF_STR_LICENSE
      case .trackNumber: SF_STR_TRACKNUMBER
      case .genre: SF_STR_GENRE
      }
    }
  }

  /// The texts.
  public var texts: [TextKey: String] = [:]
  /// Texts of any name as tags have them: upper-case keys, one or more values. The usual ones are
  /// in `texts` as well, which counts where they differ.
  public var tags: [String: [String]] = [:]
  /// The keys of `tags` as the file spells them, where that is not in capitals alone.
  public var spellings: [String: String] = [:]
  /// Parts of the tags that have no text.
  public var tagParts: [TagPart] = []
  /// The title of the sound track, where the file has one besides its own.
  public var trackTitle: String?
  /// Pictures, such as the front cover.
  public var pictures: [AudioPicture] = []
  /// The description of a recording in XML (`iXML`), as it is in the file.
  public var productionXML: [UInt8] = []
  /// Chunks of WAV that are carried over unchanged.
  public var furtherChunks: [FurtherChunk: [UInt8]] = [:]
  /// Things that were left behind, because they would not be true of the sound any more.
  public internal(set) var leftBehind: [String] = []
  /// Names of the chunks of the file whose content is not known here.
  public internal(set) var unknownChunks: [String] = []
  /// Names of the parts of the file that are known, and that nothing here keeps; each once.
  public internal(set) var unreadParts: [String] = []
  /// Marks within the sound.
  public var cuePoints: [AudioCuePoint] = []
  /// Whether the marks are chapters: each extends to the next.
  public var hasChapters = false
  /// The loudspeaker of each channel, in the file library's numbers; empty when unknown.
  public var channelMap: [Int32] = []
  /// The broadcast extension (`bext`), as the file library lays it out; empty when there is none.
  public var broadcastExtension: [UInt8] = []
  /// The radio traffic data (`cart`), as the file library lays it out; empty when there is none.
  public var cart: [UInt8] = []
  /// Key, velocity and loops of a sampled instrument, as the file library lays them out.
  public var instrument: [UInt8] = []
  /// Whether the channels are an ambisonic B-format.
  public var isAmbisonic = false

  /// Nothing at all.
  public init() {}

  /// A chunk of WAV that is carried over unchanged.
  public enum FurtherChunk: String, CaseIterable, Sendable {
    /// The audio definition model: the roles of the channels, in XML.
    case definitions = "axml"
    /// The channels of the definitions.
    case definedChannels = "chna"
    /// Adobe's description, in XML.
    case description = "_PMX"
    /// Tempo, beats and key of a piece of music.
    case tempo = "acid"

    /// The name for people.
    var name: String {
      switch self {
      case .definitions, .definedChannels: "ADM"
      case .description: "XMP"
      case .tempo: "tempo and beats"
      }
    }
  }

  /// Their names, each once.
  var furtherNames: [String] {
    FurtherChunk.allCases.filter { furtherChunks[$0] != nil }.map(\.name)
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Leaves descriptions of the input's channels behind.
  public mutating func leaveChannelsBehind() {
    leaveBehind([.definitions, .definedChannels])
  }

  /// Leaves chunks behind, and records that.
  mutating func leaveBehind(_ kinds: Set<FurtherChunk>) {
    let names = furtherNames
    for kind in kinds { furtherChunks[kind] = nil }
    leftBehind += names.filter { !furtherNames.contains($0) }
  }

  /// The text of a kind; setting nil removes it.
  public subscript(key: TextKey) -> String? {
    get { texts[key] }
    set { texts[key] = newValue }
  }

  /// Whether there is nothing.
  public var isEmpty: Bool { self == AudioFileMetadata() }
}

/// A mark within a file.
public struct AudioCuePoint: Sendable, Equatable {
  /// The mark's number within its file.
  public var identifier: Int32
  /// The frame in the order of playing.
  public var position: UInt32
  /// The frame in the file's sound.
  public var frame: UInt32
  /// The name; may be empty.
  public var name: String
  /// The frames of a region that begins here; 0 for a mark.
  public var length: UInt32 = 0
  /// More about it; may be empty.
  public var note = ""
  /// The address of a page about it; may be empty.
  public var address = ""

  /// Makes a mark at a frame.
  public init(identifier: Int32, frame: UInt32, name: String = "") {
    self.identifier = identifier
    position = frame
    self.frame = frame
    self.name = name
  }
}
