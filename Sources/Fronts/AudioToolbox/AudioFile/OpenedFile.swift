// The files behind the handles of AudioFile.h: which are open, and one caller at a time for each.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import CAudioToolbox
import Synchronization

/// An open file and its lock.
///
/// A handle is found in a table, never followed: a null, closed or foreign one has a status, not a
/// crash.
final class OpenedFile: @unchecked Sendable {
  private var file: PacketFile
  private let lock = Mutex<Void>(())

  private static let opened = Mutex<[UInt: OpenedFile]>([:])

  private init(_ file: PacketFile) { self.file = file }

  /// Makes a handle for a file.
  static func insert(_ file: PacketFile) -> AudioFileHandle {
    // An address that nothing else has while the file is open.
    let place = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
    let entry = OpenedFile(file)
    opened.withLock { $0[UInt(bitPattern: place)] = entry }
    return AudioFileHandle(place)
  }

  /// Whether an address is the handle of an open file.
  static func isOpen(_ address: UInt) -> Bool { opened.withLock { $0[address] != nil } }

  /// Forgets a handle, and returns its file.
  private static func remove(_ handle: AudioFileHandle?) -> OpenedFile? {
    guard let handle = unsafe handle else { return nil }
    let found = opened.withLock { $0.removeValue(forKey: UInt(bitPattern: handle)) }
    if found != nil { unsafe UnsafeMutableRawPointer(handle).deallocate() }
    return found
  }

  /// Runs a call on a file.
  ///
  /// - Returns: The status of the error of `body`, -50 for a null handle, -38 for one that is not open.
  static func call(
    _ handle: AudioFileHandle?, _ body: (PacketFile) throws(AudioFileFailure) -> Void
  ) -> OSStatus {
    unsafe perform(handle) { (entry) throws(AudioFileFailure) in try body(entry.file) }
  }

  private static func perform(
    _ handle: AudioFileHandle?, _ body: (OpenedFile) throws(AudioFileFailure) -> Void
  ) -> OSStatus {
    guard let handle = unsafe handle else { return kAudio_ParamError }
    guard let found = opened.withLock({ $0[UInt(bitPattern: handle)] }) else {
      return kAudioFileNotOpenError
    }
    return found.lock.withLock { _ in status { () throws(AudioFileFailure) in try body(found) } }
  }

  /// Has a file's other track used from here on.
  ///
  /// - Returns: -50 for one that is not there; otherwise as `call`.
  static func choose(track: UInt32, of handle: AudioFileHandle?) -> OSStatus {
    unsafe perform(handle) { (entry) throws(AudioFileFailure) in
      entry.file = try entry.file.choosing(track: Int(track))
    }
  }

  /// Closes a file.
  static func close(_ handle: AudioFileHandle?) -> OSStatus {
    guard unsafe handle != nil else { return kAudio_ParamError }
    guard let found = unsafe remove(handle) else { return kAudioFileNotOpenError }
    return found.lock.withLock { _ in
      status { () throws(AudioFileFailure) in try found.file.flush() }
    }
  }

  /// The status of a call that may throw.
  static func status(_ body: () throws(AudioFileFailure) -> Void) -> OSStatus {
    do throws(AudioFileFailure) {
      try body()
      return noErr
    } catch {
      return error.status
    }
  }
}
