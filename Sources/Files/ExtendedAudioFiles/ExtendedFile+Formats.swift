// The formats of both sides, and the converter between them.
// SPDX-License-Identifier: Apache-2.0

package import AudioFilePackets
package import AudioFormats
package import CAudioToolbox
import RealtimeSupport

extension ExtendedFile {
  /// Sets the format of the client's buffers.
  ///
  /// - Throws: -66563 for another format than linear PCM, -66566 for one without sense, -66565 once
  ///   sound was written; the status of the converter that cannot be made.
  package func setClientFormat(_ format: AudioStreamBasicDescription) throws(AudioFileFailure) {
    guard format.mFormatID == kAudioFormatLinearPCM else { throw .clientFormat }
    guard !isWriting || clientFrames == 0 else { throw .order }
    var format = format
    if format.mSampleRate == 0 { format.mSampleRate = fileFormat.mSampleRate }
    guard let samples = SampleFormat(format), format.mSampleRate.isFinite, format.mSampleRate >= 0
    else { throw .extendedFormat }
    let place = position
    let kept = (clientFormat, clientSamples, clientLayout)
    let size = UInt32(samples.byteCount(frameCount: 1))
    (format.mFramesPerPacket, format.mBytesPerFrame, format.mBytesPerPacket) = (1, size, size)
    (clientFormat, clientSamples) = (format, samples)
    if let layout = clientLayout, layout.channelCount != samples.channelCount { clientLayout = nil }
    do throws(AudioFileFailure) {
      try connect(at: place)
    } catch {
      (clientFormat, clientSamples, clientLayout) = kept
      throw error
    }
  }

  /// Sets the channels of the client's buffers, once their format is known.
  package func setClientLayout(_ layout: ChannelLayout) throws(AudioFileFailure) {
    guard layout.channelCount == Int(clientFormat.mChannelsPerFrame) else { throw .channels }
    guard !isWriting || clientFrames == 0 else { throw .order }
    let place = position
    clientLayout = layout
    try connect(at: place)
  }

  /// Sets the channels of the file: kept in a new one that has a place for them, assumed of one that is read.
  package func setFileLayout(_ layout: ChannelLayout) throws(AudioFileFailure) {
    guard layout.channelCount == Int(fileFormat.mChannelsPerFrame) else { throw .channels }
    guard !isWriting || clientFrames == 0 else { throw .order }
    let place = position
    fileLayout = layout
    try storeLayout()
    if clientSamples != nil { try connect(at: place) }
  }

  /// Writes the layout of more than two channels into a new file, where it has a place for it.
  private func storeLayout() throws(AudioFileFailure) {
    guard isWriting, let layout = fileLayout, layout.channelCount > 2 else { return }
    try file.use { (file) throws(AudioFileFailure) in
      guard file.stores(kAudioFilePropertyChannelLayout) else { return }
      // A container that has a place for some layouts only goes without the others.
      try? file.setLayout(layout.bytes)
    }
  }

  /// Makes the converter that is needed now, or does without, and goes to a place.
  private func connect(at place: Int64) throws(AudioFileFailure) {
    guard let samples = clientSamples else { return }
    let isAlike =
      SampleFormat(fileFormat) == samples && fileFormat.mSampleRate == clientFormat.mSampleRate
    if isAlike, !isReordered {
      converter = nil
    } else {
      let (from, to) = isWriting ? (clientFormat, fileFormat) : (fileFormat, clientFormat)
      let made = try makeConverter(from, to, codecManufacturer)
      if !isWriting {
        let cookie = try file.value { (file) throws(AudioFileFailure) in file.cookie }
        if !cookie.isEmpty {
          let status = made.set(kAudioConverterDecompressionMagicCookie, to: cookie)
          if fileFormat.mFormatID != kAudioFormatLinearPCM { try AudioFileFailure.check(status) }
        }
      }
      setLayouts(of: made)
      converter = made
    }
    if isWriting { try synchronize() } else { try go(to: place) }
  }

  /// Whether both sides know their channels, and not the same ones.
  private var isReordered: Bool {
    guard let file = fileLayout, let client = clientLayout else { return false }
    return file.identity != client.identity
  }

  private func setLayouts(of converter: any FileConverter) {
    guard let file = fileLayout, let client = clientLayout else { return }
    let (from, to) = isWriting ? (client, file) : (file, client)
    _ = converter.set(kAudioConverterInputChannelLayout, to: from.bytes)
    _ = converter.set(kAudioConverterOutputChannelLayout, to: to.bytes)
  }

  /// Brings file and place up to date with a converter that was changed.
  ///
  /// Errors: -66565 where sound was written.
  package func converterChanged() throws(AudioFileFailure) {
    guard !isWriting || clientFrames == 0 else { throw .order }
    if isWriting { try synchronize() } else { try go(to: position) }
  }

  /// Passes the encoder's format, channels and cookie to a new file.
  private func synchronize() throws(AudioFileFailure) {
    guard let converter, fileFormat.mFormatID != kAudioFormatLinearPCM else { return }
    if let made = format(converter.value(of: kAudioConverterCurrentOutputStreamDescription)) {
      try file.use { (file) throws(AudioFileFailure) in
        let present = file.format
        if made.mSampleRate != present.mSampleRate
          || made.mChannelsPerFrame != present.mChannelsPerFrame
          || made.mFormatFlags != present.mFormatFlags
          || made.mFramesPerPacket != present.mFramesPerPacket
          || made.mBytesPerPacket != present.mBytesPerPacket
        {
          try file.setFormat(made)
        }
        fileFormat = file.format
      }
    }
    if fileFormat.mChannelsPerFrame > 2,
      let bytes = converter.value(of: kAudioConverterOutputChannelLayout),
      let layout = unsafe bytes.withUnsafeBytes({ unsafe ChannelLayout($0) }),
      layout.channelCount == Int(fileFormat.mChannelsPerFrame)
    {
      fileLayout = layout
      try storeLayout()
    }
    try storeCookie()
  }

  /// Stores the encoder's cookie, where the file has a place for one.
  func storeCookie() throws(AudioFileFailure) {
    guard let cookie = converter?.value(of: kAudioConverterCompressionMagicCookie), !cookie.isEmpty
    else { return }
    try file.use { (file) throws(AudioFileFailure) in
      guard file.stores(kAudioFilePropertyMagicCookieData), file.cookie != cookie else { return }
      try file.setCookie(cookie)
    }
  }

  private func format(_ bytes: [UInt8]?) -> AudioStreamBasicDescription? {
    guard let bytes, bytes.count == MemoryLayout<AudioStreamBasicDescription>.size else {
      return nil
    }
    return unsafe bytes.withUnsafeBytes {
      unsafe $0.loadUnaligned(as: AudioStreamBasicDescription.self)
    }
  }
}
