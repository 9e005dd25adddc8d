// The streams behind the handles of AudioFileStream.h: which are open, and one thread at a time for each.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import CAudioToolbox
import Glibc
import Synchronization

/// An open stream with its caller's functions.
///
/// A handle is found in a table, never followed. The lock is recursive: listeners ask for
/// properties, seek, and may close.
///
/// @unchecked Sendable because everything is reached through the lock.
@safe final class OpenedStream: @unchecked Sendable {
  let stream: PacketStream
  let clientData: UnsafeMutableRawPointer?
  let listener: AudioFileStream_PropertyListenerProc
  let packets: AudioFileStream_PacketsProc
  /// Whether the stream was closed while it was parsed.
  private(set) var isClosed = false
  /// Whether bytes are being parsed.
  var isParsing = false
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  private static let opened = Mutex<[UInt: OpenedStream]>([:])

  private init(
    _ stream: PacketStream, _ clientData: UnsafeMutableRawPointer?,
    _ listener: @escaping AudioFileStream_PropertyListenerProc,
    _ packets: @escaping AudioFileStream_PacketsProc
  ) {
    self.stream = stream
    unsafe self.clientData = clientData
    unsafe self.listener = listener
    unsafe self.packets = packets
    unsafe mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&attributes)
    unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    unsafe pthread_mutex_init(mutex, &attributes)
    unsafe pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Makes a handle for a stream.
  static func insert(
    _ stream: PacketStream, _ clientData: UnsafeMutableRawPointer?,
    _ listener: @escaping AudioFileStream_PropertyListenerProc,
    _ packets: @escaping AudioFileStream_PacketsProc
  ) -> AudioFileStreamHandle {
    // An address that nothing else has while the stream is open.
    let place = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
    let entry = unsafe OpenedStream(stream, clientData, listener, packets)
    opened.withLock { $0[UInt(bitPattern: place)] = entry }
    return AudioFileStreamHandle(place)
  }

  /// Whether an address is the handle of an open stream.
  static func isOpen(_ address: UInt) -> Bool { opened.withLock { $0[address] != nil } }

  /// Runs a call on a stream.
  ///
  /// - Returns: The status of the error of `body`, -50 for a null handle, -38 for one that is not open.
  static func call(
    _ handle: AudioFileStreamHandle?, _ body: (OpenedStream) throws(AudioFileFailure) -> Void
  ) -> OSStatus {
    guard let handle = unsafe handle else { return kAudio_ParamError }
    guard let found = opened.withLock({ $0[UInt(bitPattern: handle)] }) else {
      return kAudioFileNotOpenError
    }
    unsafe pthread_mutex_lock(found.mutex)
    defer { unsafe pthread_mutex_unlock(found.mutex) }
    guard !found.isClosed else { return kAudioFileNotOpenError }
    return OpenedFile.status { () throws(AudioFileFailure) in try body(found) }
  }

  /// Forgets a stream. One that is being parsed delivers nothing more.
  static func close(_ handle: AudioFileStreamHandle?) -> OSStatus {
    guard let handle = unsafe handle else { return kAudio_ParamError }
    guard let found = opened.withLock({ $0.removeValue(forKey: UInt(bitPattern: handle)) }) else {
      return kAudioFileNotOpenError
    }
    unsafe pthread_mutex_lock(found.mutex)
    found.isClosed = true
    unsafe pthread_mutex_unlock(found.mutex)
    unsafe UnsafeMutableRawPointer(handle).deallocate()
    return noErr
  }
}
