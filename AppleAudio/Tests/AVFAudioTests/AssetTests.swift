// Readers, writers and exports of assets; the formats and buffers that they pass.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap

import AVFoundation
import Testing

struct AssetTests {
  let sound = noise(20_000)

  /// All samples of a reader's output.
  private func samples(_ output: AVAssetReaderTrackOutput) -> (frames: [Float], times: [CMTime]) {
    var (frames, times): ([Float], [CMTime]) = ([], [])
    while let buffer = output.copyNextSampleBuffer() {
      times.append(buffer.presentationTimeStamp)
      let block = CMSampleBufferGetDataBuffer(buffer)!
      var part = [Float](repeating: 0, count: CMBlockBufferGetDataLength(block) / 4)
      CMBlockBufferCopyDataBytes(
        block, atOffset: 0, dataLength: part.count * 4, destination: &part)
      #expect(part.count == buffer.numSamples)
      frames += part
    }
    return (frames, times)
  }
  private let floats: [String: Any] = [
    AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32,
  ]

  @Test func aReaderHasAllSamplesInOrder() throws {
    let folder = try Folder()
    try writeFile(folder.file("a.wav"), sound)
    let asset = AVURLAsset(url: folder.file("a.wav"))
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: asset.tracks(withMediaType: .audio)[0], outputSettings: floats)
    #expect(reader.canAdd(output))
    reader.add(output)
    #expect(reader.status == .unknown && output.copyNextSampleBuffer() == nil)
    #expect(reader.startReading() && reader.status == .reading && !reader.canAdd(output))
    let (frames, times) = samples(output)
    #expect(frames == sound && reader.status == .completed)
    #expect(times.first == .zero && times == times.sorted())
  }

  @Test func aReaderHasAPart() throws {
    let folder = try Folder()
    try writeFile(folder.file("a.wav"), sound)
    let asset = AVURLAsset(url: folder.file("a.wav"))
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(track: asset.tracks[0], outputSettings: floats)
    reader.add(output)
    reader.timeRange = CMTimeRange(
      start: CMTime(value: 1_000, timescale: 44_100),
      duration: CMTime(value: 12_345, timescale: 44_100))
    reader.startReading()
    let (frames, times) = samples(output)
    #expect(frames == part(sound, 1_000, 12_345))
    #expect(times.first == CMTime(value: 1_000, timescale: 44_100))
  }

  @Test func aReaderConvertsRatesAndEnds() throws {
    let folder = try Folder()
    try writeFile(folder.file("a.wav"), sine(48_000, 440, 48_000), 48_000)
    let asset = AVURLAsset(url: folder.file("a.wav"))
    let reader = try AVAssetReader(asset: asset)
    let output = AVAssetReaderTrackOutput(
      track: asset.tracks[0], outputSettings: floats.merging([AVSampleRateKey: 16_000]) { $1 })
    reader.add(output)
    reader.startReading()
    #expect(samples(output).frames.count == 16_000)
    let other = try AVAssetReader(asset: asset)
    let cut = AVAssetReaderTrackOutput(track: asset.tracks[0], outputSettings: nil)
    other.add(cut)
    other.startReading()
    #expect(
      cut.copyNextSampleBuffer()?.formatDescription?.audioStreamBasicDescription?.mBitsPerChannel
        == 16)
    other.cancelReading()
    #expect(cut.copyNextSampleBuffer() == nil && other.status == .cancelled)
    #expect(throws: NSError.self) {
      try AVAssetReader(asset: AVURLAsset(url: folder.file("none.wav")))
    }
  }

  @Test(arguments: [AVFileType.wav, .aiff, .caf]) func aWriterKeepsSamples(_ type: AVFileType)
    async throws
  {
    let folder = try Folder()
    try writeFile(folder.file("a.wav"), sound)
    let asset = AVURLAsset(url: folder.file("a.wav"))
    let (reader, writer) = (
      try AVAssetReader(asset: asset),
      try AVAssetWriter(outputURL: folder.file("b"), fileType: type)
    )
    let output = AVAssetReaderTrackOutput(track: asset.tracks[0], outputSettings: nil)
    let input = AVAssetWriterInput(
      mediaType: .audio,
      outputSettings: [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
        AVLinearPCMBitDepthKey: 16, AVLinearPCMIsBigEndianKey: type != .wav,
      ])
    #expect(!input.isReadyForMoreMediaData)
    writer.add(input)
    reader.add(output)
    #expect(writer.startWriting() && reader.startReading() && input.isReadyForMoreMediaData)
    writer.startSession(atSourceTime: .zero)
    while let buffer = output.copyNextSampleBuffer() { #expect(input.append(buffer)) }
    input.markAsFinished()
    await writer.finishWriting()
    #expect(writer.status == .completed && writer.error == nil)
    let file = try AVAudioFile(forReading: folder.file("b"))
    let read = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 30_000)!
    try file.read(into: read)
    #expect(read.samples() == sound)
    let again = try AVAssetWriter(outputURL: folder.file("b"), fileType: type)
    again.add(AVAssetWriterInput(mediaType: .audio, outputSettings: nil))
    #expect(!again.startWriting() && again.status == .failed && again.error != nil)
  }

  @Test func anExportIsCompressed() async throws {
    let folder = try Folder()
    try writeFile(folder.file("a.wav"), sine(44_100, 440, 44_100))
    let asset = AVURLAsset(url: folder.file("a.wav"))
    #expect(AVAssetExportSession(asset: asset, presetName: "none") == nil)
    let session = try #require(
      AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetAppleM4A))
    #expect(await session.compatibleFileTypes == [.m4a])
    try await session.export(to: folder.file("b.m4a"), as: .m4a)
    #expect(session.status == .completed)
    let file = try AVAudioFile(forReading: folder.file("b.m4a"))
    #expect(file.fileFormat.streamDescription.pointee.mFormatID == kAudioFormatMPEG4AAC)
    #expect(file.length == 44_100)
    let size = try folder.file("b.m4a").resourceValues(forKeys: [.fileSizeKey]).fileSize!
    #expect(size < 44_100)
  }

  @Test func tracksAndFormatsAreDescribed() async throws {
    let folder = try Folder()
    try writeFile(folder.file("a.wav"), sound, channels: 2)
    let track = try #require(
      try await AVURLAsset(url: folder.file("a.wav")).loadTracks(withMediaType: .audio).first)
    #expect(try await track.load(.timeRange).duration == CMTime(value: 20_000, timescale: 44_100))
    let description = try #require(try await track.load(.formatDescriptions).first)
    let format = AVAudioFormat(cmAudioFormatDescription: description)
    #expect(format.channelCount == 2 && format.sampleRate == 44_100)
    #expect(
      CMAudioFormatDescriptionGetStreamBasicDescription(format.formatDescription)?.pointee
        .mBitsPerChannel == 16)
  }
}
