// The format of the samples in a file without a header, as a user writes it.
// SPDX-License-Identifier: Apache-2.0

extension AudioFileFormat {
  /// Reads `pcm16,44100,2` or `pcm16,44100,2,big`: encoding, sample rate in Hz, channels, and the order
  /// of bytes, which is `little` when nothing is said.
  ///
  /// Nil when that makes no sense. Context: any.
  public init?(rawDescription text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    guard (3...4).contains(parts.count), let encoding = AudioEncoding(named: parts[0]),
      let rate = Int(parts[1]), let channels = Int(parts[2])
    else { return nil }
    self.init(
      container: .raw, encoding: encoding, sampleRate: Double(rate), channelCount: channels)
    let hasOrder = encoding.bitsPerSample ?? 0 > 8
    byteOrder = hasOrder ? .little : .standard
    if parts.count == 4 {
      switch parts[3].lowercased() {
      case "big" where hasOrder: byteOrder = .big
      case "little" where hasOrder: break
      default: return nil
      }
    }
    guard writingProblem == nil else { return nil }
  }

  /// The description that `init(rawDescription:)` reads.
  ///
  /// Context: any.
  public var rawDescription: String {
    "\(encoding.name),\(Int(sampleRate)),\(channelCount)" + (byteOrder == .big ? ",big" : "")
  }
}
