// The contents of a sound file, as its container declares them.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFiles
import AudioFormats
public import AudioTypes
import CAudioToolbox
import HostSystem

/// All about one sound file, without decoding it: format, packets, chunks, markers, texts.
public struct SoundFileReport: Encodable, Sendable {
  /// A type or a format: its four-character code and its name.
  public struct Named: Encodable, Sendable {
    /// The code; `0x` and hexadecimal digits where it is no text.
    public var code: String
    /// The name.
    public var name: String
  }

  /// Where one packet is.
  public struct Packet: Encodable, Sendable {
    /// Bytes from the start of the sound.
    public var offset: Int64
    /// Its bytes.
    public var bytes: Int64
  }

  /// A named place.
  public struct Marker: Encodable, Sendable {
    /// Its name; empty for none.
    public var name: String
    /// Frames from the start.
    public var frame: Double
  }

  /// The file as it was named.
  public var path: String
  /// The container.
  public var fileType: Named
  /// The format of the packets.
  public var format: Named
  /// Frames a second.
  public var sampleRate: Double
  /// The number of channels.
  public var channels: Int
  /// Bits a sample, of linear PCM or before encoding; nil where the file does not say.
  public var bitsPerSample: Int?
  /// Bytes of a packet; nil where they vary.
  public var bytesPerPacket: Int?
  /// Frames of a packet; nil where they vary.
  public var framesPerPacket: Int?
  /// The number of packets.
  public var packets: Int64
  /// The largest packet, in bytes.
  public var largestPacket: Int
  /// Bytes of sound.
  public var soundBytes: Int64
  /// Where the first byte of sound is.
  public var soundOffset: Int64
  /// Frames of audible sound.
  public var frames: Int64
  /// Frames in front of them that an encoder added; nil where the file does not say.
  public var primingFrames: Int?
  /// Frames behind them; nil where the file does not say.
  public var remainderFrames: Int?
  /// Seconds of audible sound.
  public var seconds: Double
  /// Bits a second, on average.
  public var bitRate: Int
  /// Bytes of a decoder's cookie; nil for none.
  public var cookieBytes: Int?
  /// The layout of the channels; nil where the file stores none.
  public var layout: String?
  /// Whether sound can be added without writing the file anew.
  public var isOptimized: Bool
  /// The kinds of chunk, in their order; nil for containers without chunks.
  public var chunks: [String]?
  /// Markers; nil without any.
  public var markers: [Marker]?
  /// The file's information about itself.
  public var info: [String: String]
  /// The loudness that the file declares; nil without.
  public var loudness: ReportedLoudness?
  /// The damage of the file, as ends of sentences; nil where none is found.
  public var damage: [String]?
  /// The packets; nil unless they were asked for.
  public var packetList: [Packet]?

  /// Reads all of a file but its sound.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - listsPackets: Whether each packet is listed.
  /// - Throws: When it cannot be read, or no container recognises its content.
  ///
  /// Context: control.
  public init(of path: String, listsPackets: Bool = false) throws(AuricleError) {
    do throws(AudioFileFailure) {
      let store = try FileStore(opening: path, writable: false)
      let suffix = path.split(separator: ".").last.map(String.init) ?? ""
      let file = try PacketFile.open(store, fileExtension: suffix)
      try self.init(path, file)
      damage = Self.damage(of: path, file)
      if listsPackets { packetList = try Self.packets(file, count: packets) }
    } catch {
      // Kinds whose packets nobody finds here are read by the libraries of files.
      guard [.fileType, .dataFormat, .broken].contains(error), FileStamp(path: path) != nil else {
        throw error.explained(path)
      }
      do throws(AuricleError) {
        self = try Self(reading: path)
      } catch let other {
        let isDamaged = error == .fileType && other.status == AudioFileFailure.broken.status
        throw error == .dataFormat || isDamaged ? other : error.explained(path)
      }
    }
  }

  /// Lists the damage that the reader of sound finds before it decodes anything; nil for none.
  private static func damage(of path: String, _ file: PacketFile) -> [String]? {
    // Others are decoded by a codec, which is not loaded for this: their bytes alone are examined.
    let kinds = [
      kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileBW64Type, kAudioFileWave64Type,
      kAudioFileAIFFType, kAudioFileAIFCType, kAudioFileNextType, kAudioFileFLACType,
      kAudioFileMP3Type, kAudioFileMP2Type, kAudioFileMP1Type, kAuricleAudioFileOggType,
    ]
    let isPlainCAF =
      file.type == kAudioFileCAFType && file.format.mFormatID == kAudioFormatLinearPCM
    guard let descriptor = try? InputFile.open(path) else { return nil }
    if let problem = try? file.endProblem() {
      close(descriptor)
      return [problem]
    }
    guard kinds.contains(file.type) || isPlainCAF,
      file.format.mFormatID != kAudioFormatFLAC || !file.isOgg
    else { return AudioFileReader.damageBeforeDecoding(descriptor: descriptor, path: path) }
    do throws(AuricleError) {
      let reader = try AudioFileReader(
        descriptor: descriptor, path: path, readsMetadata: false, isTolerant: true)
      return reader.toleratedDamage.isEmpty ? nil : reader.toleratedDamage
    } catch {
      // Its packets are found here, and the reader of sound refuses it.
      let start = "\(path) is damaged: "
      guard error.message.hasPrefix(start) else { return nil }
      return [String(error.message.dropFirst(start.count))]
    }
  }

  /// Describes a file of a kind that only the reader of sound knows.
  private init(reading path: String) throws(AuricleError) {
    let reader = try AudioFileReader(path: path)
    let (format, metadata) = (reader.format, reader.metadata)
    self.path = path
    fileType = Named(code: format.container.name, name: format.container.name)
    self.format = Named(code: format.encoding.name, name: format.encoding.name)
    sampleRate = format.sampleRate
    channels = format.channelCount
    bitsPerSample = format.encoding.bitsPerSample
    var count = reader.frameCount
    if count == nil { count = try reader.countFrames() }
    frames = Int64(count ?? 0)
    seconds = sampleRate > 0 ? Double(frames) / sampleRate : 0
    (packets, largestPacket) = (0, 0)
    (soundBytes, soundOffset) = (0, 0)
    bitRate = reader.soundBitRate() ?? 0
    isOptimized = true
    markers =
      metadata.cuePoints.isEmpty
      ? nil : metadata.cuePoints.map { Marker(name: $0.name, frame: Double($0.frame)) }
    info = [:]
    for (key, name) in Self.textNames {
      if let text = metadata[key], !text.isEmpty { info[name] = text }
    }
  }

  private static let textNames: [(AudioFileMetadata.TextKey, String)] = [
    (.title, "title"), (.artist, "artist"), (.album, "album"), (.comment, "comments"),
    (.date, "year"), (.genre, "genre"), (.trackNumber, "track number"),
    (.copyright, "copyright"), (.software, "encoding application"), (.license, "license"),
  ]

  private init(_ path: String, _ file: PacketFile) throws(AudioFileFailure) {
    let description = file.format
    self.path = path
    fileType = Named(code: Self.text(file.type), name: try FileType.of(file.type).name)
    // Rate and channels have lines of their own.
    var kind = description
    (kind.mSampleRate, kind.mChannelsPerFrame) = (0, 0)
    let code = Self.text(description.mFormatID)
    format = Named(code: code, name: FormatNames.name(of: kind) ?? code)
    sampleRate = description.mSampleRate
    channels = Int(description.mChannelsPerFrame)
    let bits = description.mBitsPerChannel
    let depth = bits > 0 ? Int(bits) : Int(file.sourceBitDepth)
    bitsPerSample = depth > 0 ? depth : nil
    bytesPerPacket = description.mBytesPerPacket > 0 ? Int(description.mBytesPerPacket) : nil
    framesPerPacket = description.mFramesPerPacket > 0 ? Int(description.mFramesPerPacket) : nil
    packets = try file.packetCount()
    largestPacket = Int(try file.largestPacket())
    soundBytes = file.byteCount()
    soundOffset = file.origin + file.soundOffset
    let trim = try file.packetTrim()
    frames = try file.soundFrameCount()
    primingFrames = trim.map { Int($0.mPrimingFrames) }
    remainderFrames = trim.map { Int($0.mRemainderFrames) }
    seconds = try file.duration()
    bitRate = seconds > 0 ? Int((Double(soundBytes) * 8 / seconds).rounded()) : 0
    cookieBytes = file.cookie.isEmpty ? nil : file.cookie.count
    layout = file.layout.flatMap(Self.layoutText)
    isOptimized = file.isOptimized
    chunks = file.hasChunks ? file.chunkCodes.map(Self.text) : nil
    let marks = (try? file.marks().marks) ?? []
    markers = marks.isEmpty ? nil : marks.map { Marker(name: $0.name, frame: $0.frame) }
    info = [:]
    for (key, text) in try file.storedInfo().entries { info[key] = text }
    loudness = try ReportedLoudness(file)
  }

  /// A code as four characters, or as a number where they cannot be shown.
  private static func text(_ code: UInt32) -> String {
    FourCharacterCode(rawValue: code).description
  }

  /// A layout by its name, as Audio Format services name it: `Stereo (L R)`.
  private static func layoutText(_ bytes: [UInt8]) -> String? {
    guard let layout = unsafe bytes.withUnsafeBytes({ unsafe ChannelLayout($0) }) else {
      return nil
    }
    return layout.name ?? "layout \(layout.tag >> 16), channels: \(layout.channelCount)"
  }

  private static func packets(
    _ file: PacketFile, count: Int64
  ) throws(AudioFileFailure) -> [Packet] {
    var list: [Packet] = []
    for packet in 0..<count {
      list.append(
        Packet(
          offset: try file.byte(ofPacket: packet),
          bytes: try file.byteCount(ofPackets: packet, count: 1)))
    }
    return list
  }
}

extension AudioFileFailure {
  /// The failure as a sentence: the fault, the place, the remedy.
  fileprivate func explained(_ path: String) -> AuricleError {
    switch self {
    case .notFound: AuricleError(.noInput, status: status, "there is no file \(path)")
    case .permission:
      AuricleError(.noInput, status: status, "\(path) cannot be read: check its permissions")
    case .fileType where FileStamp(path: path) == nil:
      AuricleError(
        .badData, status: status, "\(path) is a folder or a device, not a sound file")
    case .fileType:
      AuricleError(
        .badData, status: status,
        FileBeginning(path: path).flatMap { $0 == .sound ? nil : "\(path) is \($0.advice)" }
          ?? "\(path) is no sound file of a known kind")
    case .dataFormat:
      AuricleError(.badData, status: status, "\(path) has a format that is not known")
    case .broken:
      AuricleError(
        .badData, status: status,
        "\(path) is damaged or cut short: the description of its sound cannot be read")
    default: AuricleError(.inputOutput, status: status, "cannot read \(path)")
    }
  }
}
