// Files of kinds without packets: the frames of the decoding reader as the packets of a file.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import CAudioToolbox
import CAuricleCodec
import CHostSystem
import Glibc
import HostSystem

/// A sound that is read from its beginning on.
@safe private final class ReadSound {
  let library: SoundLibrary
  let format: AuricleCodecFormat
  private let handle: UnsafeMutableRawPointer

  /// Reads an open file, which stays the caller's; nil where it cannot be read.
  init?(_ descriptor: Int32, _ path: String) {
    guard let library = SoundLibrary.shared else { return nil }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return nil }
    var format = AuricleCodecFormat()
    guard let handle = unsafe library.open(copy, path, &format) else { return nil }
    self.library = library
    self.format = format
    unsafe self.handle = handle
  }

  deinit { unsafe library.close(handle) }

  /// Reads frames; -1 for damage.
  func read(_ samples: UnsafeMutablePointer<Float>, _ count: Int) -> Int {
    unsafe Int(library.read(handle, samples, Int64(count)))
  }

  private final class Found {
    var info = SoundInfo()
    var marks = SoundMarks()
  }

  /// The texts and the marks.
  var description: (info: SoundInfo, marks: SoundMarks) {
    let found = Found()
    let context = unsafe Unmanaged.passUnretained(found).toOpaque()
    unsafe library.texts(
      handle,
      { context, key, text in
        guard let context = unsafe context, let key = unsafe key, let text = unsafe text else {
          return
        }
        let found = unsafe Unmanaged<Found>.fromOpaque(context).takeUnretainedValue()
        unsafe found.info[String(cString: key)] = String(cString: text)
      }, context)
    unsafe library.marks(
      handle,
      { context, mark in
        guard let context = unsafe context, let mark = unsafe mark?.pointee else { return }
        let found = unsafe Unmanaged<Found>.fromOpaque(context).takeUnretainedValue()
        let name = unsafe mark.name.map { unsafe String(cString: $0) } ?? ""
        found.marks.marks.append(
          SoundMark(
            identifier: Int32(found.marks.marks.count + 1), frame: unsafe Double(mark.frame),
            name: name))
      }, context)
    return (found.info, found.marks)
  }
}

/// The decoded frames of a file by their place. To go back, the file is read from its beginning again.
final class DecodedStore: ByteStore {
  private static let blockFrames = 4096

  let byteCount: Int64
  private let descriptor: FileDescriptor
  private let path: String
  private let frameSize: Int
  private var sound: ReadSound
  /// The frames that were read last, and the place of the first of their bytes.
  private var block: [Float]
  private var blockStart: Int64 = 0
  private var blockSize = 0

  fileprivate init(_ sound: ReadSound, _ descriptor: consuming FileDescriptor, _ path: String) {
    self.sound = sound
    self.descriptor = descriptor
    self.path = path
    frameSize = 4 * Int(sound.format.channelCount)
    byteCount = sound.format.frameCount * Int64(frameSize)
    block = Array(repeating: 0, count: Self.blockFrames * Int(sound.format.channelCount))
  }

  func read(
    at position: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(AudioFileFailure) -> Int {
    guard position >= 0 else { throw .parameter }
    if position < blockStart {
      guard let again = ReadSound(descriptor.number, path) else { throw .unspecified }
      sound = again
      (blockStart, blockSize) = (0, 0)
    }
    var done = 0
    let wanted = Int(min(Int64(buffer.count), max(0, byteCount - position)))
    while done < wanted {
      let place = position + Int64(done)
      guard place < blockStart + Int64(blockSize) else {
        guard try readBlock() else { break }
        continue
      }
      let offset = Int(place - blockStart)
      let count = min(wanted - done, blockSize - offset)
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done..<(done + count)])
      unsafe block.withUnsafeBytes { bytes in
        unsafe target.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)]))
      }
      done += count
    }
    return done
  }

  /// Reads the next frames; false at the end.
  private func readBlock() throws(AudioFileFailure) -> Bool {
    blockStart += Int64(blockSize)
    blockSize = 0
    let count = unsafe block.withUnsafeMutableBufferPointer { samples in
      unsafe samples.baseAddress.map { unsafe sound.read($0, Self.blockFrames) } ?? 0
    }
    guard count >= 0 else { throw .broken }
    blockSize = count * frameSize
    return count > 0
  }

  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(AudioFileFailure) {
    throw .permission
  }

  func resize(to byteCount: Int64) throws(AudioFileFailure) { throw .permission }
}

extension PacketFile {
  /// Opens a file by its packets, or else by the frames of the decoding reader.
  ///
  /// - Throws: As `PacketFile.open`, where neither reads it.
  ///
  /// Context: control.
  static func openAny(
    _ store: any ByteStore, hint: AudioFileTypeID, fileExtension: String = "", path: String,
    isWritable: Bool
  ) throws(AudioFileFailure) -> PacketFile {
    do throws(AudioFileFailure) {
      return try open(
        store, hint: hint, fileExtension: fileExtension, isWritable: isWritable)
    } catch {
      // The same rule as that of `auricle file info`.
      guard !isWritable, [.fileType, .dataFormat, .broken].contains(error),
        let file = try? decoding(store, path)
      else { throw error }
      return file
    }
  }

  /// Opens all bytes of a stream by their decoded frames; nil where the reader refuses them.
  ///
  /// Context: control.
  static func openDecoded(_ store: any ByteStore) -> PacketFile? {
    (try? decoding(store, "")) ?? nil
  }

  /// A file by its decoded frames; nil where the reader refuses it.
  private static func decoding(
    _ store: any ByteStore, _ path: String
  ) throws(AudioFileFailure) -> PacketFile? {
    let descriptor = try descriptor(of: store, path)
    guard let sound = ReadSound(descriptor.number, path) else { return nil }
    let format = sound.format
    var decoded = DecodedSound(
      DecodedStore(sound, descriptor, path), sampleRate: format.sampleRate,
      channelCount: Int(format.channelCount), frameCount: format.frameCount)
    decoded.channelMask = UInt32(truncatingIfNeeded: format.channelMask)
    decoded.sourceBitDepth = Int32(format.bitsPerSample)
    (decoded.info, decoded.marks) = sound.description
    return PacketFile(decoded)
  }

  /// An open file with the bytes of a store: the one of its path, or a copy in memory.
  private static func descriptor(
    of store: any ByteStore, _ path: String
  ) throws(AudioFileFailure) -> FileDescriptor {
    guard path.isEmpty else {
      guard let file = FileDescriptor(ifReadable: path, O_NONBLOCK | O_NOCTTY) else {
        throw .unspecified
      }
      return file
    }
    let made = AuricleMakeMemoryFile()
    guard made >= 0 else { throw .unspecified }
    let copy = FileDescriptor(owning: made)
    let memory = try FileStore(sharing: copy.number)
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var span = bytes.mutableSpan
    var place: Int64 = 0
    let total = try store.byteCount
    while place < total {
      let got = try unsafe span.withUnsafeMutableBytes { (buffer) throws(AudioFileFailure) in
        let got = try unsafe store.read(at: place, into: buffer)
        if got > 0 {
          try unsafe memory.write(UnsafeRawBufferPointer(rebasing: buffer[..<got]), at: place)
        }
        return got
      }
      guard got > 0 else { break }
      place += Int64(got)
    }
    return copy
  }
}
