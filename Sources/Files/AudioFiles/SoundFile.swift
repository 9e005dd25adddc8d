// One open file of the file library: owner of the handle, its errors and its commands.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import CSndFile
import Glibc
import Synchronization

/// A failure in the library: its kind, and the library's text.
struct SoundFileFailure: Error {
  /// The kind of a failure, by which code decides.
  enum Kind {
    /// The file is of no kind that the library knows.
    case unknownKind
    /// The library does not know the encoding.
    case unknownEncoding
    /// The sample rate or the number of channels in the header makes no sense.
    case badNumbers
    /// The library stopped for internal reasons.
    case internalError
    /// The encoder cannot make the temporary file that it works with.
    case noTemporaryFile
    /// Anything else.
    case other
  }

  let kind: Kind
  /// The library's text as the end of a sentence.
  let reason: String

  /// Whether the library does not know the file, so that a codec may.
  var isOfUnknownKind: Bool { kind == .unknownKind || kind == .unknownEncoding }

  /// The library's answer to unknown kinds.
  static let unrecognised = SoundFileFailure(kind: .unknownKind, reason: "unknown kind")
  /// Its answer to unknown encodings.
  static let unsupportedEncoding = SoundFileFailure(
    kind: .unknownEncoding, reason: "unknown encoding")
}

extension SoundFileFailure {
  /// A failure by the library's number and text.
  ///
  /// Five numbers are in the library's header. The others are its own and differ between its
  /// releases: of those only the text has the meaning, and it is read here and nowhere else.
  init(number: Int32, text: String) {
    reason = trimmedReason(text)
    switch number {
    case Int32(SF_ERR_UNRECOGNISED_FORMAT): kind = .unknownKind
    case Int32(SF_ERR_UNSUPPORTED_ENCODING): kind = .unknownEncoding
    // The library looks for the resources of a file without a name at last: in any file of that name in this folder.
    case _ where resourceFaults.contains(where: text.contains): kind = .unknownKind
    case _ where text.contains("SF_INFO"): kind = .badNumbers
    case _ where text.contains("does not exist") || text.lowercased().contains("internal error"):
      kind = .internalError
    case _ where text.contains("tmp file"): kind = .noTemporaryFile
    default: kind = .other
    }
  }
}

/// The library's texts about the resources of Sound Designer's files.
private let resourceFaults = [
  "bad data offset", "bad map offset", "bad data length", "bad map length", "bad resource fork",
]

/// Opening is done by one thread at a time: the library keeps the reason of a failed opening, and
/// the random numbers of Ogg streams, in places shared by all threads.
private let opening = Mutex<Void>(())

/// An open handle of the library, over a `FileStream`.
@safe final class SoundFile {
  private(set) var handle: OpaquePointer?
  let stream: FileStream
  let info: SF_INFO

  /// Opens a file for reading or writing. The format is found in the file, or passed for one
  /// without a header and for writing.
  init(
    _ stream: FileStream, writing info: SF_INFO?, reading raw: SF_INFO? = nil
  ) throws(SoundFileFailure) {
    self.stream = stream
    var filled = info ?? raw ?? SF_INFO()
    let mode = Int32(info == nil ? SFM_READ : SFM_WRITE)
    var failure = SoundFileFailure(kind: .other, reason: "")
    let context = unsafe Unmanaged.passUnretained(stream).toOpaque()
    // As a number, because a pointer may not leave the lock.
    let address = opening.withLock { _ -> UInt in
      var callbacks = FileStream.makeCallbacks()
      let handle = unsafe sf_open_virtual(&callbacks, mode, &filled, context)
      if unsafe handle == nil { failure = unsafe Self.failure(of: nil) }
      return UInt(bitPattern: handle)
    }
    guard let handle = unsafe OpaquePointer(bitPattern: address) else { throw failure }
    unsafe self.handle = handle
    self.info = filled
  }

  deinit {
    close()
  }

  /// Closes the handle; the library's error number, or 0.
  @discardableResult
  func close() -> Int32 {
    guard let open = unsafe handle else { return 0 }
    unsafe handle = nil
    return unsafe sf_close(open)
  }

  /// The error that the last call left, if any.
  var failure: SoundFileFailure? {
    // Asked after every read: the text is made only where there is one.
    unsafe sf_error(handle) == 0 ? nil : Self.failure(of: handle)
  }

  private static func failure(of handle: OpaquePointer?) -> SoundFileFailure {
    let number = unsafe sf_error(handle)
    // Numbers it does not know itself the library complains about on the standard output.
    guard number >= 0 else {
      return SoundFileFailure(kind: .other, reason: "the encoder or the decoder failed")
    }
    let text = unsafe sf_strerror(handle).map { unsafe String(cString: $0) } ?? ""
    return SoundFileFailure(number: number, text: text)
  }

  /// Sends a command that switches something on or off.
  @discardableResult
  func set(_ command: Int, _ on: Bool) -> Int32 {
    unsafe sf_command(handle, Int32(command), nil, Int32(on ? SF_TRUE : SF_FALSE))
  }

  /// Sends a command with a value; whether the library accepted it.
  @discardableResult
  func set<Value: BitwiseCopyable>(_ command: Int, value: Value) -> Bool {
    var value = value
    return unsafe sf_command(
      handle, Int32(command), &value, Int32(MemoryLayout<Value>.size)) != 0
  }

  /// Leaves out the chunk of peaks, which carries the time of writing.
  func leaveOutPeaks() {
    set(SFC_SET_ADD_PEAK_CHUNK, false)
    // The header is shorter now, and the library would read the rest of the longer one as sound.
    if info.format & Int32(SF_FORMAT_TYPEMASK) == Int32(SF_FORMAT_AIFF) { stream.cutHere() }
  }

  /// Sends a command with bytes in and out; returns the library's result.
  func command(_ command: Int, _ bytes: inout [UInt8]) -> Int32 {
    let count = Int32(clamping: bytes.count)
    return unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe sf_command(handle, Int32(command), buffer.baseAddress, count)
    }
  }

  /// Asks for a number.
  func integer(_ command: Int) -> UInt32? {
    var value: UInt32 = 0
    let answer = unsafe sf_command(
      handle, Int32(command), &value, Int32(MemoryLayout<UInt32>.size))
    return answer != 0 ? value : nil
  }

  /// A text of the file, by the library's number.
  func text(_ kind: Int) -> String? {
    guard let text = unsafe sf_get_string(handle, Int32(kind)) else { return nil }
    let bytes = unsafe UnsafeBufferPointer(
      start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: strlen(text))
    return unsafe decodedText(Array(bytes))
  }

  /// Sets a text of the file; whether the container has a place for it.
  func setText(_ kind: Int, _ text: String) -> Bool {
    unsafe sf_set_string(handle, Int32(kind), text) == 0
  }

  /// Moves to a frame; false when the library cannot.
  func seek(toFrame frame: Int) -> Bool {
    unsafe sf_seek(handle, Int64(frame), Int32(SEEK_SET)) == Int64(frame)
  }

  /// Reads interleaved frames; how many came.
  func read(_ samples: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    unsafe Int(sf_readf_float(handle, samples, Int64(frameCount)))
  }

  /// Reads interleaved frames of 16 bits; how many came.
  func read(_ samples: UnsafeMutablePointer<Int16>, frameCount: Int) -> Int {
    unsafe Int(sf_readf_short(handle, samples, Int64(frameCount)))
  }

  /// Reads interleaved frames of 32 bits; how many came.
  func read(_ samples: UnsafeMutablePointer<Int32>, frameCount: Int) -> Int {
    unsafe Int(sf_readf_int(handle, samples, Int64(frameCount)))
  }

  /// Writes interleaved frames; how many went.
  func write(_ samples: UnsafePointer<Float>, frameCount: Int) -> Int {
    unsafe Int(sf_writef_float(handle, samples, Int64(frameCount)))
  }

  /// Writes interleaved frames of 16 bits; how many went.
  func write(_ samples: UnsafePointer<Int16>, frameCount: Int) -> Int {
    unsafe Int(sf_writef_short(handle, samples, Int64(frameCount)))
  }

  /// Writes interleaved frames of 32 bits; how many went.
  func write(_ samples: UnsafePointer<Int32>, frameCount: Int) -> Int {
    unsafe Int(sf_writef_int(handle, samples, Int64(frameCount)))
  }
}

/// Text of a file: UTF-8, or Latin-1 of old ones, where every byte is its own character.
func decodedText(_ bytes: [UInt8]) -> String {
  if let valid = String(validating: bytes, as: UTF8.self) { return valid }
  return String(bytes.reduce(into: String.UnicodeScalarView()) { $0.append(Unicode.Scalar($1)) })
}
