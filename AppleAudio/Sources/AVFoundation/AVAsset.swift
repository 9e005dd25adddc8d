// The audio side of assets: length, tracks, and metadata of files.
// SPDX-License-Identifier: Apache-2.0

import AVFAudio
import Foundation

/// The kind of a file.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
  /// The name of the kind.
  public let rawValue: String
  /// A kind by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// WAVE.
  public static let wav = AVFileType(rawValue: "com.microsoft.waveform-audio")
  /// AIFF.
  public static let aiff = AVFileType(rawValue: "public.aiff-audio")
  /// AIFC.
  public static let aifc = AVFileType(rawValue: "public.aifc-audio")
  /// CAF.
  public static let caf = AVFileType(rawValue: "com.apple.coreaudio-format")
  /// MPEG-4 with sound.
  public static let m4a = AVFileType(rawValue: "com.apple.m4a-audio")
  /// MPEG-4.
  public static let mp4 = AVFileType(rawValue: "public.mpeg-4")
  /// MPEG's layer 3.
  public static let mp3 = AVFileType(rawValue: "public.mp3")
  /// AC-3.
  public static let ac3 = AVFileType(rawValue: "public.ac3-audio")
  /// The container of C; nil for kinds that are not of sound.
  var container: AudioFileTypeID? {
    let containers: [AVFileType: AudioFileTypeID] = [
      .wav: kAudioFileWAVEType, .aiff: kAudioFileAIFFType, .aifc: kAudioFileAIFCType,
      .caf: kAudioFileCAFType, .m4a: kAudioFileM4AType, .mp4: kAudioFileMPEG4Type,
      .mp3: kAudioFileMP3Type, .ac3: kAudioFileAC3Type,
    ]
    return containers[self]
  }
}

/// The kind of a track.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  /// The name of the kind.
  public let rawValue: String
  /// A kind by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Sound.
  public static let audio = AVMediaType(rawValue: "soun")
  /// Pictures, which no asset has here.
  public static let video = AVMediaType(rawValue: "vide")
}

/// The name of a fact that a file says of itself.
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String
  /// A fact by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The title.
  public static let commonKeyTitle = AVMetadataKey(rawValue: "title")
  /// The artist.
  public static let commonKeyArtist = AVMetadataKey(rawValue: "artist")
  /// The album.
  public static let commonKeyAlbumName = AVMetadataKey(rawValue: "albumName")
  /// The kind of music.
  public static let commonKeyType = AVMetadataKey(rawValue: "type")
  /// The date.
  public static let commonKeyCreationDate = AVMetadataKey(rawValue: "creationDate")
  /// A remark.
  public static let commonKeyDescription = AVMetadataKey(rawValue: "description")
}

/// A fact that a file says of itself.
public final class AVMetadataItem: NSObject, @unchecked Sendable {
  /// The name that kinds of files share; nil for others.
  public let commonKey: AVMetadataKey?
  /// The name in the file.
  public let key: String
  /// The text.
  public let stringValue: String?
  /// The value.
  public var value: Any? { stringValue }
  init(_ key: String, _ value: String) {
    let common: [String: AVMetadataKey] = [
      "title": .commonKeyTitle, "artist": .commonKeyArtist, "album": .commonKeyAlbumName,
      "genre": .commonKeyType,
      "year": .commonKeyCreationDate, "comments": .commonKeyDescription,
    ]
    self.key = key
    commonKey = common[key]
    stringValue = value
  }
}

/// A track of an asset.
public final class AVAssetTrack: NSObject, @unchecked Sendable {
  /// The kind.
  public let mediaType = AVMediaType.audio
  /// The number, from 1.
  public let trackID: Int32 = 1
  /// The asset.
  public private(set) weak var asset: AVAsset?
  let format: AVAudioFormat
  /// The time of the sound in the asset.
  public let timeRange: CMTimeRange
  /// The format of the sound: one description.
  public var formatDescriptions: [Any] { [format.formatDescription] }
  /// Bits a second.
  public let estimatedDataRate: Float
  /// Parts of a second that its times are counted in.
  public var naturalTimeScale: CMTimeScale { CMTimeScale(format.sampleRate) }
  init(_ asset: AVAsset, _ format: AVAudioFormat, _ duration: CMTime, _ rate: Float) {
    self.asset = asset
    self.format = format
    timeRange = CMTimeRange(start: .zero, duration: duration)
    estimatedDataRate = rate
  }
  /// Loads a property.
  public func load<Value>(_ property: AVAsyncProperty<AVAssetTrack, Value>) async throws -> Value {
    try property.read(self)
  }
}

/// A property of an asset or of a track that is loaded.
public struct AVAsyncProperty<Root: Sendable, Value: Sendable>: Sendable {
  let read: @Sendable (Root) throws -> Value
}
extension AVAsyncProperty where Root == AVAssetTrack, Value == [CMFormatDescription] {
  /// The format of the sound.
  public static var formatDescriptions: Self {
    AVAsyncProperty { [$0.format.formatDescription] }
  }
}
extension AVAsyncProperty where Root == AVAssetTrack, Value == CMTimeRange {
  /// The time of the sound in the asset.
  public static var timeRange: Self { AVAsyncProperty { $0.timeRange } }
}
extension AVAsyncProperty where Root == AVAssetTrack, Value == Float {
  /// Bits a second.
  public static var estimatedDataRate: Self { AVAsyncProperty { $0.estimatedDataRate } }
}
extension AVAsyncProperty where Root == AVURLAsset, Value == CMTime {
  /// The length.
  public static var duration: Self {
    AVAsyncProperty { try $0.contents().duration }
  }
}
extension AVAsyncProperty where Root == AVURLAsset, Value == [AVAssetTrack] {
  /// The tracks.
  public static var tracks: Self {
    AVAsyncProperty { try $0.contents().tracks }
  }
}
extension AVAsyncProperty where Root == AVURLAsset, Value == [AVMetadataItem] {
  /// The file's own information.
  public static var metadata: Self {
    AVAsyncProperty { try $0.contents().metadata }
  }
  /// The file's own information, under common names.
  public static var commonMetadata: Self {
    AVAsyncProperty { try $0.contents().metadata.filter { $0.commonKey != nil } }
  }
}
extension AVAsyncProperty where Root == AVURLAsset, Value == Bool {
  /// Whether the sound can be played.
  public static var isPlayable: Self {
    AVAsyncProperty { (try? $0.contents()) != nil }
  }
}

/// An asset.
public typealias AVAsset = AVURLAsset

/// An asset of a file.
open class AVURLAsset: NSObject, @unchecked Sendable {
  /// The file.
  public let url: URL
  private let lock = NSLock()
  private var known: Contents?

  /// An asset of a file.
  public init(url: URL, options: [String: Any]? = nil) { self.url = url }

  struct Contents {
    var duration = CMTime.zero
    var tracks: [AVAssetTrack] = []
    var metadata: [AVMetadataItem] = []
  }
  func contents() throws -> Contents {
    lock.lock()
    defer { lock.unlock() }
    if let known { return known }
    let file = try AVAudioFile(forReading: url)
    var contents = Contents()
    contents.duration = CMTime(
      value: file.length, timescale: CMTimeScale(file.fileFormat.sampleRate))
    var id: AudioFileID?
    var rate: UInt32 = 0
    if AudioFileOpenURL(url as CFURL, .readPermission, 0, &id) == noErr, let id {
      defer { AudioFileClose(id) }
      var size: UInt32 = 4
      AudioFileGetProperty(id, kAudioFilePropertyBitRate, &size, &rate)
      var reference: Unmanaged<NSDictionary>?
      size = 8
      if AudioFileGetProperty(id, kAudioFilePropertyInfoDictionary, &size, &reference) == noErr,
        let dictionary = reference?.takeRetainedValue()
      {
        contents.metadata = dictionary.map {
          AVMetadataItem(String(describing: $0.key), String(describing: $0.value))
        }
        .sorted { $0.key < $1.key }
      }
    }
    contents.tracks = [
      AVAssetTrack(self, file.fileFormat, contents.duration, Float(rate))
    ]
    known = contents
    return contents
  }

  /// The length; no time where the file cannot be read.
  open var duration: CMTime { (try? contents())?.duration ?? .invalid }
  /// The tracks.
  open var tracks: [AVAssetTrack] { (try? contents())?.tracks ?? [] }
  /// The tracks of a kind.
  open func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
    tracks.filter { $0.mediaType == mediaType }
  }
  /// The file's own information.
  open var metadata: [AVMetadataItem] { (try? contents())?.metadata ?? [] }
  /// The file's own information, under common names.
  open var commonMetadata: [AVMetadataItem] { metadata.filter { $0.commonKey != nil } }
  /// Whether the sound can be played.
  open var isPlayable: Bool { (try? contents()) != nil }
  /// Loads a property.
  open func load<Value>(_ property: AVAsyncProperty<AVURLAsset, Value>) async throws -> Value {
    try property.read(self)
  }
  /// Loads two properties.
  open func load<A, B>(
    _ a: AVAsyncProperty<AVURLAsset, A>, _ b: AVAsyncProperty<AVURLAsset, B>
  ) async throws -> (A, B) {
    (try a.read(self), try b.read(self))
  }
  /// Loads the tracks of a kind.
  open func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
    try contents().tracks.filter { $0.mediaType == mediaType }
  }
}

/// Whether a program may use a device.
public enum AVAuthorizationStatus: Int, Sendable {
  /// Nobody was asked.
  case notDetermined = 0
  /// Forbidden by the system.
  case restricted = 1
  /// Forbidden by the user.
  case denied = 2
  /// Allowed.
  case authorized = 3
}

/// The permission to record, which every program has here.
public enum AVCaptureDevice {
  /// Whether a program may record: yes.
  public static func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
    .authorized
  }
  /// Asks whether the program may record: yes.
  public static func requestAccess(
    for mediaType: AVMediaType, completionHandler handler: @escaping (Bool) -> Void
  ) { handler(true) }
  /// Asks whether the program may record: yes.
  public static func requestAccess(for mediaType: AVMediaType) async -> Bool { true }
}
