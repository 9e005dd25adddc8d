// Reads metadata from an open file of the file library, and writes it into one.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import CAuricleCodec
import CSndFile

/// The most marks that are read from a file.
private let maximumCuePoints = 10_000

extension AudioFileMetadata {
  /// Reads everything a file open for reading has.
  init(_ file: SoundFile) {
    for key in TextKey.allCases {
      if let text = file.text(key.soundFileKind), !text.isEmpty { texts[key] = text }
    }
    var channels = [UInt8](
      repeating: 0, count: Int(file.info.channels) * MemoryLayout<Int32>.stride)
    if file.command(SFC_GET_CHANNEL_MAP_INFO, &channels) != 0 {
      channelMap = unsafe channels.withUnsafeBytes { bytes in
        (0..<Int(file.info.channels)).map {
          unsafe bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self)
        }
      }
      if channelMap.contains(where: { $0 <= 0 || $0 >= SF_CHANNEL_MAP_MAX }) { channelMap = [] }
    }
    broadcastExtension = Self.variableData(
      file, SFC_GET_BROADCAST_INFO, size: MemoryLayout<SF_BROADCAST_INFO>.size,
      lengthOffset: MemoryLayout<SF_BROADCAST_INFO>.offset(of: \.coding_history_size))
    cart = Self.variableData(
      file, SFC_GET_CART_INFO, size: MemoryLayout<SF_CART_INFO>.size,
      lengthOffset: MemoryLayout<SF_CART_INFO>.offset(of: \.tag_text_size))
    var instrument = [UInt8](repeating: 0, count: MemoryLayout<SF_INSTRUMENT>.size)
    if file.command(SFC_GET_INSTRUMENT, &instrument) != 0 { self.instrument = instrument }
    readCuePoints(file)
    if AudioContainer(soundFileFormat: file.info.format) == .wavex {
      isAmbisonic = file.set(SFC_WAVEX_GET_AMBISONIC, false) == Int32(SF_AMBISONIC_B_FORMAT)
    }
  }

  /// Reads the texts of a codec.
  init(_ file: CodecReader) {
    let keys: [String: TextKey] = [
      "title": .title, "artist": .artist, "album": .album, "comment": .comment, "date": .date,
      "genre": .genre, "track": .trackNumber, "copyright": .copyright, "license": .license,
      "date_released": .date, "part_number": .trackNumber, "year": .date,
    ]
    for (text, value) in file.texts {
      if text == kAuricleCodecAttachment {
        // For kinds of files that TagLib reads, it reads the pictures.
        if file.format.container.tagPlace == nil {
          noteUnread(value.isEmpty ? "an attachment" : "the attachment \(value)")
        }
        continue
      }
      let isOfTrack = text.hasPrefix(kAuricleCodecOfTrack)
      let key = isOfTrack ? String(text.dropFirst(kAuricleCodecOfTrack.count)) : text
      if isOfTrack, key == "title" { trackTitle = value }
      if isOfTrack, key == "language", value != "und" { tags[Self.languageKey] = [value] }
      guard let known = keys[key.lowercased()] else {
        // For kinds of files that TagLib reads, it reads all tags.
        if file.format.container.tagPlace == nil, !isOfTrack || key != "language" {
          addTag(Self.tagKey(key), value)
          if Self.tagKey(key) != key { spellings[Self.tagKey(key)] = key }
        }
        continue
      }
      if texts[known] == nil {
        if !value.isEmpty { texts[known] = value }
      } else if texts[known] != value, known.tagKey != Self.tagKey(key),
        file.format.container.tagPlace == nil
      {
        addTag(Self.tagKey(key), value)
      }
    }
    cuePoints = file.marks
    hasChapters = !cuePoints.isEmpty
    channelMap = ChannelOrder.map(
      mask: file.channelMask, channelCount: file.format.channelCount)
  }

  /// FFmpeg's names of some texts, and their keys in tags.
  private static let codecKeys = [
    "track": "TRACKNUMBER", "album_artist": "ALBUMARTIST", "disc": "DISCNUMBER",
  ]

  /// The codec's name for a text.
  func codecKey(_ key: String) -> String {
    Self.codecKeys.first { $0.value == key }?.key ?? spellings[key] ?? key.lowercased()
  }

  /// The key in tags of the language of the sound.
  static let languageKey = "LANGUAGE"

  /// The language of the sound as a code that tracks have; nil for none.
  var trackLanguage: String? {
    guard let value = tags[Self.languageKey], value.count == 1, value[0].utf8.count == 3,
      value[0].utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
    else { return nil }
    return value[0]
  }

  /// Returns the key in tags for the codec's name of a text.
  private static func tagKey(_ name: String) -> String {
    codecKeys[name.lowercased()] ?? name.uppercased()
  }

  /// A structure that ends with a text of up to 16 KiB (256 bytes are part of its size), without
  /// the room beyond the text: the library accepts no more back than it returns.
  private static func variableData(
    _ file: SoundFile, _ command: Int, size: Int, lengthOffset: Int?
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: size - 256 + 16_384)
    guard let lengthOffset, file.command(command, &bytes) != 0 else { return [] }
    let length = unsafe bytes.withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: lengthOffset, as: UInt32.self)
    }
    return Array(bytes.prefix(size - 256 + max(256, min(Int(length), 16_384))))
  }

  private mutating func readCuePoints(_ file: SoundFile) {
    guard let count = file.integer(SFC_GET_CUE_COUNT), count > 0, count <= maximumCuePoints else {
      return
    }
    let stride = MemoryLayout<SF_CUE_POINT>.stride
    var bytes = [UInt8](repeating: 0, count: 4 + Int(count) * stride)
    guard file.command(SFC_GET_CUE, &bytes) != 0 else { return }
    cuePoints = unsafe bytes.withUnsafeBytes { buffer in
      (0..<Int(count)).map { index in
        let point = unsafe buffer.loadUnaligned(
          fromByteOffset: 4 + index * stride, as: SF_CUE_POINT.self)
        var cue = AudioCuePoint(identifier: point.indx, frame: point.sample_offset)
        cue.position = point.position
        cue.name = unsafe withUnsafeBytes(of: point.name) { name in
          unsafe String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        }
        return cue
      }
    }
  }

  /// Puts everything into a file open for writing, before its first frame; returns the kinds for
  /// which the container has no place.
  func write(to file: SoundFile, _ format: AudioFileFormat) -> [String] {
    var dropped: [String] = []
    // For kinds of files that TagLib writes, it does so when the file is complete.
    let hasTagPlace = format.container.tagPlace != nil
    for key in TextKey.allCases where !hasTagPlace {
      guard let text = texts[key], !text.isEmpty else { continue }
      if format.container.storesID3, key != .software,
        !format.container.textKeys.contains(key)
      {
        continue
      }
      if !format.container.textKeys.contains(key) || !file.setText(key.soundFileKind, text) {
        dropped.append(key.rawValue)
      }
    }
    if !channelMap.isEmpty, channelMap.count == format.channelCount {
      var bytes = unsafe channelMap.withUnsafeBytes { unsafe [UInt8]($0) }
      if file.command(SFC_SET_CHANNEL_MAP_INFO, &bytes) == 0, !storesChannels(format) {
        dropped.append("channel map")
      }
    }
    if isAmbisonic, format.container == .wavex {
      unsafe sf_command(
        file.handle, Int32(SFC_WAVEX_SET_AMBISONIC), nil, Int32(SF_AMBISONIC_B_FORMAT))
    }
    if !put(Self.withoutLoudness(broadcastExtension), SFC_SET_BROADCAST_INFO, file) {
      dropped.append("broadcast extension")
    }
    if !put(cart, SFC_SET_CART_INFO, file) { dropped.append("cart") }
    if format.container != .aiff, !instrument.isEmpty,
      instrument.count != MemoryLayout<SF_INSTRUMENT>.size
        || ![.wav, .wavex].contains(format.container)
        || !put(instrument, SFC_SET_INSTRUMENT, file)
    {
      dropped.append("instrument")
    }
    // The library accepts marks and loops for every kind of file, and writes them into few.
    let storesCuePoints = [.wav, .wavex].contains(format.container)
    if !hasTagPlace, ![.rf64, .aiff, .caf].contains(format.container), !cuePoints.isEmpty,
      !storesCuePoints || !writeCuePoints(file)
    {
      dropped.append("cue points")
    }
    return dropped + droppedTags(format.container)
  }

  /// The figures of loudness in a broadcast extension are those of another sound: they are cleared.
  private static func withoutLoudness(_ data: [UInt8]) -> [UInt8] {
    guard data.count >= MemoryLayout<SF_BROADCAST_INFO>.size else { return data }
    var data = data
    let fields = [
      MemoryLayout<SF_BROADCAST_INFO>.offset(of: \.loudness_value),
      MemoryLayout<SF_BROADCAST_INFO>.offset(of: \.loudness_range),
      MemoryLayout<SF_BROADCAST_INFO>.offset(of: \.max_true_peak_level),
      MemoryLayout<SF_BROADCAST_INFO>.offset(of: \.max_momentary_loudness),
      MemoryLayout<SF_BROADCAST_INFO>.offset(of: \.max_shortterm_loudness),
    ]
    // An unknown loudness has a number: 0 would be a level.
    for case .some(let offset) in fields {
      data[offset] = 0xFF
      data[offset + 1] = 0x7F
    }
    return data
  }

  private func put(_ data: [UInt8], _ command: Int, _ file: SoundFile) -> Bool {
    guard !data.isEmpty else { return true }
    var bytes = data
    return file.command(command, &bytes) != 0
  }

  private func writeCuePoints(_ file: SoundFile) -> Bool {
    let stride = MemoryLayout<SF_CUE_POINT>.stride
    let points = cuePoints.prefix(maximumCuePoints)
    var bytes = [UInt8](repeating: 0, count: 4 + points.count * stride)
    unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe buffer.storeBytes(of: UInt32(points.count), as: UInt32.self)
      for (index, cue) in points.enumerated() {
        var point = SF_CUE_POINT()
        point.indx = cue.identifier
        point.position = cue.position
        point.fcc_chunk = 0x6174_6164  // "data"
        point.sample_offset = cue.frame
        unsafe withUnsafeMutableBytes(of: &point.name) { name in
          unsafe name.copyBytes(from: Array(cue.name.utf8).prefix(name.count - 1))
        }
        unsafe buffer.storeBytes(of: point, toByteOffset: 4 + index * stride, as: SF_CUE_POINT.self)
      }
    }
    return file.command(SFC_SET_CUE, &bytes) != 0
  }
}

extension AudioFileMetadata {
  /// The kinds of metadata for which a file that a codec writes has no place.
  func droppedByCodec(_ format: AudioFileFormat) -> [String] {
    let container = format.container
    var dropped = droppedTags(container)
    let used = container.textKeys
    for key in TextKey.allCases
    where key != .software && texts[key]?.isEmpty == false && !used.contains(key) {
      dropped.append(key.rawValue)
    }
    if !channelMap.isEmpty, ChannelOrder.mask(of: channelMap) == 0,
      !storesChannels(format)
    {
      dropped.append("channel map")
    }
    if !broadcastExtension.isEmpty { dropped.append("broadcast extension") }
    if !cart.isEmpty { dropped.append("cart") }
    if !instrument.isEmpty { dropped.append("instrument") }
    if !cuePoints.isEmpty, ![.m4a, .mka, .caf].contains(container) { dropped.append("cue points") }
    return dropped
  }
}

extension AudioContainer {
  /// The kinds of text that files of this kind, as the library writes them, have a place for.
  var textKeys: Set<AudioFileMetadata.TextKey> {
    let all = Set(AudioFileMetadata.TextKey.allCases)
    return switch self {
    case .wav, .wavex, .rf64: all.subtracting([.license])
    case .aiff: [.title, .copyright, .software, .artist, .comment]
    case .mp3: all.subtracting([.license, .copyright])
    case .caf, .flac, .ogg, .opus: all
    case .mka, .m4a: all.subtracting([.software])
    default: []
    }
  }
}
