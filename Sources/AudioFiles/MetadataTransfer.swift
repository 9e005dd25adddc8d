// Metadata out of and into an open file of the library.
// SPDX-License-Identifier: Apache-2.0

import CSndFile

/// The most marks that are taken from a file.
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
    // The history of a broadcast file may be long: room for the most that the library keeps.
    var broadcast = [UInt8](repeating: 0, count: MemoryLayout<SF_BROADCAST_INFO>.size + 16_384)
    if file.command(SFC_GET_BROADCAST_INFO, &broadcast) != 0 { broadcastExtension = broadcast }
    var cart = [UInt8](repeating: 0, count: MemoryLayout<SF_CART_INFO>.size + 16_384)
    if file.command(SFC_GET_CART_INFO, &cart) != 0 { self.cart = cart }
    var instrument = [UInt8](repeating: 0, count: MemoryLayout<SF_INSTRUMENT>.size)
    if file.command(SFC_GET_INSTRUMENT, &instrument) != 0 { self.instrument = instrument }
    readCuePoints(file)
    if AudioContainer(soundFileFormat: file.info.format) == .wavex {
      isAmbisonic = file.set(SFC_WAVEX_GET_AMBISONIC, false) == Int32(SF_AMBISONIC_B_FORMAT)
    }
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
    for key in TextKey.allCases {
      guard let text = texts[key], !text.isEmpty else { continue }
      if !format.container.takesTexts || !file.setText(key.soundFileKind, text) {
        dropped.append(key.rawValue)
      }
    }
    if !channelMap.isEmpty, channelMap.count == format.channelCount {
      var bytes = unsafe channelMap.withUnsafeBytes { unsafe [UInt8]($0) }
      // A plain channel order needs no place of its own.
      let isPlain = [[1], [2, 3]].contains(channelMap)
      if file.command(SFC_SET_CHANNEL_MAP_INFO, &bytes) == 0, !isPlain {
        dropped.append("channel map")
      }
    }
    if isAmbisonic, format.container == .wavex {
      unsafe sf_command(
        file.handle, Int32(SFC_WAVEX_SET_AMBISONIC), nil, Int32(SF_AMBISONIC_B_FORMAT))
    }
    if !put(broadcastExtension, SFC_SET_BROADCAST_INFO, file) {
      dropped.append("broadcast extension")
    }
    if !put(cart, SFC_SET_CART_INFO, file) { dropped.append("cart") }
    if instrument.count != MemoryLayout<SF_INSTRUMENT>.size
      || !put(instrument, SFC_SET_INSTRUMENT, file)
    {
      if !instrument.isEmpty { dropped.append("instrument") }
    }
    if !cuePoints.isEmpty, !writeCuePoints(file) { dropped.append("cue points") }
    return dropped
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

extension AudioContainer {
  /// Whether files of this kind have a place for texts.
  var takesTexts: Bool {
    switch self {
    case .wav, .wavex, .rf64, .aiff, .caf, .flac, .ogg, .opus, .mp3: true
    default: false
    }
  }
}
