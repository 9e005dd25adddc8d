// Where whole sounds lie that offline units are run over.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes

/// Planar sound that is appended frame by frame and then read at any place. Context: one control thread.
public protocol SoundStore: AnyObject {
  /// Frames so far.
  var frameCount: Int { get }
  /// Appends frames: a pointer a channel.
  func append(
    _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ count: Int
  ) throws(AuricleError)
  /// Reads frames that there are, from one on.
  func read(
    from frame: Int, into rows: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AuricleError)
  /// Removes all frames.
  func removeAll()
}

/// The result of an offline stage as the file that the rest of a chain plays.
final class WholeSoundFile: SideFile {
  private let label: String
  private var store: (any SoundStore)?
  private var place = 0

  /// Names the stage, for messages.
  init(_ label: String) { self.label = label }

  var frameCount: Int? { store?.frameCount }

  /// Plays a sound from its start.
  func play(_ sound: any SoundStore) {
    store = sound
    place = 0
  }

  func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AuricleError) -> Int {
    guard let store else { throw OfflineStage.refusal(label) }
    let count = min(frameCount, store.frameCount - place)
    if count > 0 { try unsafe store.read(from: place, into: channels, frameCount: count) }
    place += max(count, 0)
    return max(count, 0)
  }

  func rewind() { place = 0 }
}
