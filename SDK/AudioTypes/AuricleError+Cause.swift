// The cause of a failure, for code that depends on it instead of its sentence.
// SPDX-License-Identifier: Apache-2.0

extension AuricleError {
  /// The cause of a failure, if code needs it; the sentence is for the user.
  public enum Cause: Sendable, Hashable {
    /// A system call failed with this `errno`.
    case errno(Int32)
    /// A file has another number of frames than it should; `found` is -1 if unknown.
    case frameCount(expected: Int, found: Int)
    /// The binary of a component cannot be loaded here, with any file or setting.
    case binaryCannotLoad
    /// A file has no sound track of the requested number.
    case noSuchTrack
    /// The run cannot continue; only a new one can do the work.
    case needsNewRun
    /// Nothing of this kind has the name.
    case unknownName(String, kind: NameKind)
  }

  /// A kind of thing that users name, as a word of messages.
  public enum NameKind: String, Sendable, CaseIterable {
    /// A word of a command line that belongs to no option.
    case argument
    /// A command of the program.
    case command
    /// A unit.
    case component
    /// A container of sound files.
    case container
    /// A sound device.
    case device
    /// An encoding of sound.
    case encoding
    /// A file.
    case file
    /// A file or a folder.
    case fileOrFolder = "file or folder"
    /// A folder.
    case folder
    /// A preset of a chain.
    case preset
    /// A sound bank.
    case soundBank = "sound bank"
    /// A voice that speaks.
    case voice
  }
}

extension AuricleError.Cause {
  /// The cause in a few characters, for messages between processes: `errno:28`, `frames:48000:47999`,
  /// `name:preset:telephone`.
  public var code: String {
    switch self {
    case .errno(let number): "errno:\(number)"
    case .frameCount(let expected, let found): "frames:\(expected):\(found)"
    case .binaryCannotLoad: "binary"
    case .noSuchTrack: "track"
    case .needsNewRun: "new-run"
    case .unknownName(let name, let kind): "name:\(kind.rawValue):\(name)"
    }
  }

  /// Parses `code`; nil for anything else.
  public init?(code: String) {
    let parts = code.split(separator: ":", omittingEmptySubsequences: false)
    if parts.first == "name", parts.count > 2,
      let kind = AuricleError.NameKind(rawValue: String(parts[1]))
    {
      // A name may hold colons.
      self = .unknownName(parts.dropFirst(2).joined(separator: ":"), kind: kind)
      return
    }
    let numbers = parts.dropFirst().compactMap { Int($0) }
    guard numbers.count == parts.count - 1 else { return nil }
    switch (parts.first, numbers.count) {
    case ("errno", 1):
      guard let number = Int32(exactly: numbers[0]) else { return nil }
      self = .errno(number)
    case ("frames", 2): self = .frameCount(expected: numbers[0], found: numbers[1])
    case ("binary", 0): self = .binaryCannotLoad
    case ("track", 0): self = .noSuchTrack
    case ("new-run", 0): self = .needsNewRun
    default: return nil
    }
  }
}
