// The extended files that C code has handles of: records with a magic number, which are never freed.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import CAudioToolbox
import ExtendedAudioFiles
import Synchronization

/// An extended file of C code, and the thread that writes for it.
///
/// @unchecked Sendable because C code moves handles between threads; the file is used by its lock.
@safe final class OpenExtendedFile: @unchecked Sendable {
  /// The file that reads and writes.
  let extended: ExtendedFile
  /// The sound file behind it.
  let fileID: AudioFileHandle
  /// The writer for a render thread, once it was requested.
  var writer: AsyncWriter?

  init(_ extended: ExtendedFile, _ fileID: AudioFileHandle) {
    self.extended = extended
    unsafe self.fileID = unsafe fileID
  }
}

/// The records of extended files.
///
/// A handle is a pointer to a record. Once it was disposed of, its magic number is gone; the record is used again
/// after many others, so that an old handle is refused and never read from freed memory.
enum ExtendedFiles {
  /// Records that lie idle before one is used again.
  private static let idleCount = 1024
  private static let idle = Mutex<[UInt]>([])
  /// The mark that distinguishes records of this library from those of another copy of it.
  private static let owner = UInt(
    bitPattern: UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16))

  /// Makes a handle, which lives until it is disposed of.
  static func keep(_ file: OpenExtendedFile) -> ExtAudioFileRef {
    let address = idle.withLock { idle in idle.count > idleCount ? idle.removeFirst() : nil }
    let record =
      unsafe address.flatMap { unsafe ExtAudioFileRef(bitPattern: $0) } ?? .allocate(capacity: 1)
    unsafe record.initialize(
      to: OpaqueExtAudioFile(
        magic: kAuricleExtendedFileMagic,
        recordSize: UInt32(MemoryLayout<OpaqueExtAudioFile>.size),
        owner: UnsafeMutableRawPointer(bitPattern: owner),
        file: Unmanaged.passRetained(file).toOpaque(), asyncEnd: nil))
    return unsafe record
  }

  /// The record of a handle; nil for null, for a foreign one, and for one that was disposed of.
  ///
  /// Context: any.
  @_noLocks static func record(_ handle: ExtAudioFileRef?) -> ExtAudioFileRef? {
    guard let handle = unsafe handle, UInt(bitPattern: handle) & 7 == 0,
      UInt(bitPattern: handle) >= 4096, unsafe handle.pointee.magic == kAuricleExtendedFileMagic,
      unsafe handle.pointee.file != nil
    else { return nil }
    return unsafe handle
  }

  /// The file of a handle of this library.
  static func file(_ handle: ExtAudioFileRef?) -> OpenExtendedFile? {
    guard let record = unsafe record(handle),
      unsafe UInt(bitPattern: record.pointee.owner) == owner,
      let file = unsafe record.pointee.file
    else { return nil }
    return unsafe Unmanaged<OpenExtendedFile>.fromOpaque(file).takeUnretainedValue()
  }

  /// Removes the file of a handle, which is refused from then on.
  static func remove(_ handle: ExtAudioFileRef?) -> OpenExtendedFile? {
    guard let handle = unsafe handle, let found = unsafe file(handle) else { return nil }
    unsafe handle.pointee.magic = 0
    unsafe handle.pointee.file = nil
    unsafe handle.pointee.asyncEnd = nil
    unsafe Unmanaged.passUnretained(found).release()
    let address = UInt(bitPattern: handle)
    idle.withLock { $0.append(address) }
    return found
  }

  /// Calls a body with the file of a handle, one caller at a time.
  static func call(
    _ handle: ExtAudioFileRef?,
    _ body: (OpenExtendedFile, ExtendedFile) throws(AudioFileFailure) -> Void
  ) -> OSStatus {
    guard let open = unsafe file(handle) else { return kAudio_ParamError }
    return OpenedFile.status { () throws(AudioFileFailure) in
      try open.extended.locked { (extended) throws(AudioFileFailure) in try body(open, extended) }
    }
  }
}
