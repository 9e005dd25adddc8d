// Parts of tags that hold no text: they are copied unchanged between tags of one family.
// SPDX-License-Identifier: Apache-2.0

/// A part of a tag, such as a rating, that only tags of its family can hold.
public struct TagPart: Sendable, Equatable {
  /// Whether it is a frame of ID3; else it is an item of MP4.
  public var isFrame: Bool
  /// The identifier of the frame (`POPM`), or the name of the item (`stik`).
  public var name: String
  /// Its fields, or its values.
  public var bytes: [UInt8]

  /// Makes a part.
  public init(isFrame: Bool, name: String, bytes: [UInt8]) {
    self.isFrame = isFrame
    self.name = name
    self.bytes = bytes
  }

  /// Whether it has the language, or the spelling, of a text that goes along by itself.
  var isOfText: Bool { isFrame && ["COMM", "USLT", "WXXX"].contains(name) }

  /// Whether it names a language.
  fileprivate var hasLanguage: Bool {
    guard isOfText, name != "WXXX", bytes.count > 4 else { return false }
    let language = String(decoding: bytes[1..<4], as: UTF8.self).lowercased()
    return !["xxx", "und", "\0\0\0", "   "].contains(language)
  }

  /// Whether it has times in the sound: all, or those counted in frames of MPEG alone.
  fileprivate func hasTimes(inFramesAlone: Bool) -> Bool {
    guard isFrame else { return false }
    let place = ["SYLT": 4, "ETCO": 0, "POSS": 0][name]
    guard let place else { return !inFramesAlone && name == "SYTC" }
    return !inFramesAlone || bytes.count > place && bytes[place] == 1
  }

  /// The title for notes.
  var title: String {
    guard isFrame else {
      let known = ["stik": "kind of media", "rtng": "advisory"]
      return known[name].map { "\($0) (\(name))" } ?? name
    }
    let known = [
      "POPM": "ratings", "SYLT": "synchronised lyrics", "GEOB": "objects", "PRIV": "private data",
      "PCNT": "play counter", "UFID": "file identifiers", "MCDI": "table of a disc",
      "ETCO": "event times", "OWNE": "ownership", "COMR": "commercial data",
    ]
    return known[name].map { "\($0) (\(name))" } ?? name
  }
}

extension AudioFileMetadata {
  /// The titles of parts for which a file has no place, each once.
  func droppedParts(_ container: AudioContainer) -> [String] {
    let holdsFrames = container == .mp3 || container.storesID3
    var dropped: [String] = []
    func add(_ title: String) { if !dropped.contains(title) { dropped.append(title) } }
    for part in tagParts where part.isFrame ? !holdsFrames : container != .m4a {
      if !part.isOfText { add(part.title) }
      if part.hasLanguage { add("languages of comments and lyrics") }
    }
    return dropped
  }

  /// Leaves parts behind whose times would be wrong in sound that was cut, or has another rate.
  mutating func leaveTimedPartsBehind(inFramesAlone: Bool) {
    let timed = tagParts.filter { $0.hasTimes(inFramesAlone: inFramesAlone) }
    tagParts.removeAll(where: timed.contains)
    for part in timed where !leftBehind.contains(part.title) { leftBehind.append(part.title) }
    // A cue sheet has minutes and seconds.
    if !inFramesAlone, tags.removeValue(forKey: "CUESHEET") != nil { leftBehind.append("CUESHEET") }
  }
}
