// Sound files, read and written as linear samples.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A sound file that is read from, or written to, at a place.
open class AVAudioFile: NSObject {
  /// Location of the file.
  public let url: URL
  /// The format in the file, which is always interleaved.
  public let fileFormat: AVAudioFormat
  /// The format of buffers.
  public private(set) var processingFormat: AVAudioFormat
  private let lock = NSRecursiveLock()
  private var file: ExtAudioFileRef?
  private var frames: AVAudioFramePosition
  private var place: AVAudioFramePosition = 0
  private let isForReading: Bool

  /// Opens a file to read, with floats of 32 bits, a buffer a channel.
  public convenience init(forReading fileURL: URL) throws {
    try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
  }
  /// Opens a file to read, with samples of a kind.
  public init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool)
    throws
  {
    var file: ExtAudioFileRef?
    let status = ExtAudioFileOpenURL(fileURL as CFURL, &file)
    guard status == noErr, let file else {
      throw auricleFileError(
        status == kAudio_FileNotFoundError ? kAudioFileUnspecifiedError : status, fileURL)
    }
    do {
      let raw = try auricleValue(
        file, kExtAudioFileProperty_FileDataFormat, AudioStreamBasicDescription())
      let layout = fileLayout(file)
      fileFormat = .auricleMake(raw, layout)
      processingFormat = try auricleLinear(
        format, raw.mSampleRate, raw.mChannelsPerFrame, interleaved, layout)
      try auricleSet(file, kExtAudioFileProperty_ClientDataFormat, processingFormat.raw)
      frames = try auricleValue(file, kExtAudioFileProperty_FileLengthFrames, Int64(0))
    } catch {
      ExtAudioFileDispose(file)
      throw error
    }
    self.file = file
    url = fileURL
    isForReading = true
  }

  /// Makes a file of settings, which replaces another; buffers are of floats of 32 bits, a buffer a channel.
  public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
    try self.init(
      forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
  }
  /// Makes a file of settings, which replaces another.
  public init(
    forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat,
    interleaved: Bool
  ) throws {
    let type = try fileType(fileURL, settings)
    guard let wanted = AVAudioFormat(settings: settings) else {
      throw auricleFileError(kAudioFileUnsupportedDataFormatError, fileURL)
    }
    let (container, raw) = storedFormat(type, wanted.raw)
    var file: ExtAudioFileRef?
    let status = withUnsafePointer(to: raw) { raw in
      ExtAudioFileCreateWithURL(
        fileURL as CFURL, container, raw, wanted.channelLayout?.layout,
        AudioFileFlags.eraseFile.rawValue, &file)
    }
    guard status == noErr, let file else { throw auricleFileError(status, fileURL) }
    do {
      processingFormat = try auricleLinear(
        format, raw.mSampleRate, raw.mChannelsPerFrame, interleaved, wanted.channelLayout)
      try auricleSet(file, kExtAudioFileProperty_ClientDataFormat, processingFormat.raw)
      if raw.mFormatID != kAudioFormatLinearPCM { setEncoder(file, settings) }
    } catch {
      ExtAudioFileDispose(file)
      throw error
    }
    fileFormat = .auricleMake(raw, wanted.channelLayout)
    self.file = file
    url = fileURL
    frames = 0
    isForReading = false
  }
  deinit { close() }
  /// Converts between the file and buffers of any linear format from now on, with the settings of the encoder.
  package func auricleProcess(in format: AVAudioFormat, encoding settings: [String: Any]?) throws {
    try lock.withLock {
      guard let file else { throw auricleFileError(kAudioFileNotOpenError, url) }
      try auricleSet(file, kExtAudioFileProperty_ClientDataFormat, format.raw)
      processingFormat = format
      if let settings, fileFormat.raw.mFormatID != kAudioFormatLinearPCM {
        setEncoder(file, settings)
      }
    }
  }

  /// Writes the rest, and closes; nothing can be read or written afterwards.
  open func close() {
    lock.withLock {
      if let file { ExtAudioFileDispose(file) }
      file = nil
    }
  }
  /// Whether the file is open.
  open var isOpen: Bool { lock.withLock { file != nil } }
  /// The number of frames.
  open var length: AVAudioFramePosition { lock.withLock { frames } }
  /// The next frame to read or write.
  open var framePosition: AVAudioFramePosition {
    get { lock.withLock { place } }
    set {
      lock.withLock {
        auricleRequire(newValue >= 0 && newValue <= frames, "framePosition is in the file")
        if let file, isForReading, ExtAudioFileSeek(file, newValue) == noErr { place = newValue }
      }
    }
  }

  /// Reads up to the buffer's capacity; no frames at the end of the file.
  open func read(into buffer: AVAudioPCMBuffer) throws {
    try read(into: buffer, frameCount: buffer.frameCapacity)
  }
  /// Reads at most so many frames.
  open func read(into buffer: AVAudioPCMBuffer, frameCount: AVAudioFrameCount) throws {
    try lock.withLock {
      guard let file, isForReading else { throw auricleFileError(kAudioFileNotOpenError, url) }
      guard buffer.format.raw == processingFormat.raw else {
        throw auricleFileError(kAudio_ParamError, url)
      }
      let wanted = Swift.min(frameCount, buffer.frameCapacity)
      var done: AVAudioFrameCount = 0
      let bytes = processingFormat.raw.mBytesPerFrame
      let part = AudioBufferList.allocate(maximumBuffers: buffer.list.count)
      defer { free(part.unsafeMutablePointer) }
      while done < wanted {
        for index in 0..<part.count {
          part[index] = buffer.list[index]
          part[index].mData = buffer.list[index].mData.map { $0 + Int(done * bytes) }
          part[index].mDataByteSize = (wanted - done) * bytes
        }
        var count = wanted - done
        let status = ExtAudioFileRead(file, &count, part.unsafeMutablePointer)
        guard status == noErr else {
          buffer.frameLength = done
          throw auricleFileError(status, url)
        }
        if count == 0 { break }
        done += count
      }
      buffer.frameLength = done
      place += AVAudioFramePosition(done)
    }
  }
  /// Adds the frames of a buffer.
  open func write(from buffer: AVAudioPCMBuffer) throws {
    try lock.withLock {
      guard let file, !isForReading else { throw auricleFileError(kAudioFileNotOpenError, url) }
      guard buffer.format.raw == processingFormat.raw else {
        throw auricleFileError(kAudio_ParamError, url)
      }
      buffer.frameLength = buffer.frameLength
      let status = ExtAudioFileWrite(file, buffer.frameLength, buffer.audioBufferList)
      guard status == noErr else { throw auricleFileError(status, url) }
      place += AVAudioFramePosition(buffer.frameLength)
      frames = Swift.max(frames, place)
    }
  }
}

/// An error about a file.
func auricleFileError(_ status: OSStatus, _ url: URL) -> NSError {
  NSError(
    domain: "com.apple.coreaudio.avfaudio", code: Int(status),
    userInfo: [
      NSLocalizedDescriptionKey: "the sound file \(url.path) cannot be used (\(status))",
      "failed call": url.path,
    ])
}

/// A property of a file.
func auricleValue<Value: BitwiseCopyable>(
  _ file: ExtAudioFileRef, _ property: ExtAudioFilePropertyID, _ empty: Value
) throws -> Value {
  var value = empty
  var size = UInt32(MemoryLayout<Value>.size)
  try auricleCheck(ExtAudioFileGetProperty(file, property, &size, &value))
  return value
}
/// Sets a property of a file.
func auricleSet<Value: BitwiseCopyable>(
  _ file: ExtAudioFileRef, _ property: ExtAudioFilePropertyID, _ value: Value
) throws {
  var value = value
  try auricleCheck(
    ExtAudioFileSetProperty(file, property, UInt32(MemoryLayout<Value>.size), &value))
}

/// Linear samples of any number of channels.
func auricleLinear(
  _ kind: AVAudioCommonFormat, _ rate: Double, _ channels: UInt32, _ interleaved: Bool,
  _ layout: AVAudioChannelLayout?
) throws -> AVAudioFormat {
  let needed = layout?.channelCount == channels ? layout : nil
  if channels <= 2, needed == nil {
    guard
      let format = AVAudioFormat(
        commonFormat: kind, sampleRate: rate, channels: channels, interleaved: interleaved)
    else { throw auricleError(kAudioUnitErr_FormatNotSupported) }
    return format
  }
  guard kind != .otherFormat,
    let layout = needed
      ?? AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | channels)
  else { throw auricleError(kAudioUnitErr_FormatNotSupported) }
  if channels <= 2 {
    // Two channels in the usual order need no layout.
    if let format = AVAudioFormat(
      commonFormat: kind, sampleRate: rate, channels: channels, interleaved: interleaved)
    {
      return format
    }
  }
  return AVAudioFormat(
    commonFormat: kind, sampleRate: rate, interleaved: interleaved, channelLayout: layout)
}

private func fileLayout(_ file: ExtAudioFileRef) -> AVAudioChannelLayout? {
  var size: UInt32 = 0
  guard
    ExtAudioFileGetPropertyInfo(file, kExtAudioFileProperty_FileChannelLayout, &size, nil) == noErr,
    size >= 12
  else {
    return nil
  }
  let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(size) + 32, alignment: 8)
  defer { memory.deallocate() }
  memory.initializeMemory(as: UInt8.self, repeating: 0, count: Int(size) + 32)
  guard
    ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileChannelLayout, &size, memory) == noErr
  else { return nil }
  let layout = AVAudioChannelLayout(layout: memory.assumingMemoryBound(to: AudioChannelLayout.self))
  return layout.channelCount > 0 ? layout : nil
}

/// The container that a name or a setting asks for.
private func fileType(_ url: URL, _ settings: [String: Any]) throws -> AudioFileTypeID {
  if let type = settings.auricleNumber(AVAudioFileTypeKey) { return AudioFileTypeID(type) }
  let types: [String: AudioFileTypeID] = [
    "wav": kAudioFileWAVEType, "wave": kAudioFileWAVEType, "bwf": kAudioFileWAVEType,
    "aif": kAudioFileAIFFType,
    "aiff": kAudioFileAIFFType, "aifc": kAudioFileAIFCType, "caf": kAudioFileCAFType,
    "m4a": kAudioFileM4AType,
    "mp4": kAudioFileMPEG4Type, "m4b": kAudioFileM4BType, "aac": kAudioFileAAC_ADTSType,
    "adts": kAudioFileAAC_ADTSType,
    "flac": kAudioFileFLACType, "ac3": kAudioFileAC3Type, "au": kAudioFileNextType,
    "snd": kAudioFileNextType,
    "w64": kAudioFileWave64Type, "3gp": kAudioFile3GPType, "amr": kAudioFileAMRType,
    "mp3": kAudioFileMP3Type,
  ]
  guard let type = types[url.pathExtension.lowercased()] else {
    throw auricleFileError(kAudioFileUnsupportedFileTypeError, url)
  }
  return type
}

/// The format that a container stores: always interleaved, its own byte order; AIFF with floats is AIFC.
private func storedFormat(
  _ type: AudioFileTypeID, _ wanted: AudioStreamBasicDescription
) -> (AudioFileTypeID, AudioStreamBasicDescription) {
  var (type, raw) = (type, wanted)
  guard raw.mFormatID == kAudioFormatLinearPCM else { return (type, raw) }
  if raw.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0 {
    raw.mFormatFlags &= ~kAudioFormatFlagIsNonInterleaved
    raw.mBytesPerFrame *= raw.mChannelsPerFrame
    raw.mBytesPerPacket = raw.mBytesPerFrame
  }
  switch type {
  case kAudioFileWAVEType, kAudioFileWave64Type, kAudioFileRF64Type:
    raw.mFormatFlags &= ~kAudioFormatFlagIsBigEndian
    if raw.mBitsPerChannel == 8 { raw.mFormatFlags &= ~kAudioFormatFlagIsSignedInteger }
  case kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileNextType:
    raw.mFormatFlags |= kAudioFormatFlagIsBigEndian
    if type == kAudioFileAIFFType, raw.mFormatFlags & kAudioFormatFlagIsFloat != 0 {
      type = kAudioFileAIFCType
    }
  case kAudioFileFLACType:
    raw.mFormatID = kAudioFormatFLAC
    raw.mFormatFlags = raw.mBitsPerChannel > 16 ? 3 : 1
    raw.mBytesPerFrame = 0
    raw.mBytesPerPacket = 0
    raw.mFramesPerPacket = 0
    raw.mBitsPerChannel = 0
  default: break
  }
  return (type, raw)
}

/// Sets bit rate and quality of a file's encoder, where the settings have them.
private func setEncoder(_ file: ExtAudioFileRef, _ settings: [String: Any]) {
  guard
    let converter = try? auricleValue(
      file, kExtAudioFileProperty_AudioConverter, OpaquePointer?.none)
  else { return }
  let channels = settings.auricleNumber(AVNumberOfChannelsKey) ?? 1
  let rate =
    settings.auricleNumber(AVEncoderBitRateKey)
    ?? settings.auricleNumber(AVEncoderBitRatePerChannelKey).map { $0 * channels }
  if var rate = rate.map({ UInt32($0) }) {
    AudioConverterSetProperty(converter, kAudioConverterEncodeBitRate, 4, &rate)
  }
  if var quality = settings.auricleNumber(AVEncoderAudioQualityKey).map({ UInt32($0) }) {
    AudioConverterSetProperty(converter, kAudioConverterCodecQuality, 4, &quality)
  }
  var none: OpaquePointer?
  ExtAudioFileSetProperty(file, kExtAudioFileProperty_ConverterConfig, 8, &none)
}
