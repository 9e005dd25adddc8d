// The kind of a file by its first bytes, for the advice about a file in the wrong place.
// SPDX-License-Identifier: Apache-2.0

/// A kind of file that is often passed to commands by mistake.
package enum FileBeginning: Sendable {
  /// A sound file, or a video.
  case sound
  /// A standard MIDI file, also within RIFF.
  case notes
  /// A sound bank: SoundFont or DLS.
  case bank

  /// Bytes that are enough to know a kind.
  package static let byteCount = 12

  /// Recognizes the first bytes of a file; nil for those of other kinds.
  ///
  /// Context: any.
  package init?(_ bytes: some Collection<UInt8>) {
    let start = Array(bytes.prefix(Self.byteCount))
    func has(_ code: String, at place: Int = 0) -> Bool {
      start.dropFirst(place).starts(with: code.utf8)
    }
    let isRIFF = has("RIFF")
    if has("MThd") || isRIFF && has("RMID", at: 8) {
      self = .notes
      return
    }
    if isRIFF && (has("sfbk", at: 8) || has("DLS ", at: 8)) {
      self = .bank
      return
    }
    if isRIFF && has("WAVE", at: 8)
      || ["fLaC", "OggS", "RF64", "BW64"].contains(where: { has($0) })
    {
      self = .sound
      return
    }
    // The other beginnings may be those of a text, which has none of these bytes.
    guard start.count > 1, start.contains(where: { $0 < 9 || $0 >= 0x80 }) else { return nil }
    let isFrame = start[0] == 0xFF && start[1] & 0xE0 == 0xE0 && start[1] < 0xFE
    let codes = ["FORM", "caff", ".snd", "ID3", "riff", "wvpk", "MAC ", "\u{0B}w", "\u{1A}E"]
    guard isFrame || has("ftyp", at: 4) || codes.contains(where: { has($0) }) else { return nil }
    self = .sound
  }

  /// Recognizes a file; nil for other kinds, and for a path that leads to no file.
  ///
  /// Context: control.
  package init?(path: String) {
    guard FileIdentity.of(path)?.kind == .file, let file = FileDescriptor(ifReadable: path)
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Self.byteCount)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe FileTransfer.read(file.number, into: $0)
    }
    self.init(bytes.prefix(count))
  }

  /// The kind, and the commands that are for it.
  package var advice: String {
    switch self {
    case .sound:
      "a sound file: auricle process runs it through a chain, auricle file info describes it"
    case .notes: "a MIDI file: auricle render renders it, auricle midi info describes it"
    case .bank: "a sound bank: auricle render --bank plays MIDI files with it"
    }
  }
}
