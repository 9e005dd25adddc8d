// Copies the packets of an input into another container, where nothing asks for another sound.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFiles
import AudioTypes
import CAudioToolbox
import Glibc
import HostSystem
import PlugInGuard
import ResultSettings

extension FileJob {
  /// Copies packets, or the whole file where the container stays; nil where the sound has to be decoded.
  ///
  /// Errors: `inputOutput`, `interrupted`; a file that cannot be copied is left to decoding.
  func copyPackets(
    _ reader: AudioFileReader, since start: ContinuousClock.Instant, shouldStop: () -> Bool
  ) throws(AuricleError) -> FileResult? {
    guard let format = copiedFormat(of: reader), let output = ends.outputs.first else { return nil }
    Heartbeat.enter(.write, unit: Heartbeat.noUnit)
    var notes = reader.notes
    if format.container == reader.format.container, settings.keepsMetadata {
      try copyBytes(to: output, shouldStop)
    } else {
      guard let dropped = try move(reader, to: output, format, shouldStop) else {
        guard ftruncate(output, 0) == 0 else { throw systemError(errno, "write", outputs[0]) }
        return nil
      }
      notes += dropped
    }
    Heartbeat.enter(.verify, unit: Heartbeat.noUnit)
    guard
      let copy = try? AudioFileReader(
        descriptor: fcntl(output, F_DUPFD_CLOEXEC, 3), path: outputs[0], readsMetadata: false)
    else {
      // Packets that are not read here again are decoded.
      guard ftruncate(output, 0) == 0 else { throw systemError(errno, "write", outputs[0]) }
      return nil
    }
    let frames = reader.frameCount ?? copy.frameCount ?? 0
    var result = FileResult(
      input: input, output: outputs[0], inputFormat: reader.format, outputFormat: copy.format,
      inputFrameCount: frames, outputFrameCount: copy.frameCount ?? frames)
    result.isCopied = true
    result.notes = notes
    result.byteCounts = [Int(lseek(output, 0, SEEK_END))]
    result.checksums = [nil]
    let elapsed = (ContinuousClock.now - start).components
    result.elapsedSeconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
    return result
  }

  /// The format of a copy; nil where the settings, or the file, ask for more.
  private func copiedFormat(of reader: AudioFileReader) -> AudioFileFormat? {
    guard settings.copiesPackets, settings.deliverables.count == 1, settings.isPlain,
      let deliverable = settings.deliverables.first, reader.video == nil,
      reader.toleratedDamage.isEmpty
    else { return nil }
    let input = reader.format
    var plain = DeliverableSettings()
    plain.container = deliverable.container
    plain.encoding = deliverable.encoding == input.encoding ? input.encoding : nil
    plain.resampleQuality = deliverable.resampleQuality
    plain.sampleRate = deliverable.sampleRate == input.sampleRate ? input.sampleRate : nil
    plain.channelCount = deliverable.channelCount == input.channelCount ? input.channelCount : nil
    let container = deliverable.container ?? input.container
    guard plain == deliverable,
      Self.isWorthCopying(input.encoding, staysInKind: input.container == container)
    else { return nil }
    var format = input
    format.container = container
    return format
  }

  /// Whether decoding and encoding would cost sound: plain samples go through unchanged anyway.
  private static func isWorthCopying(_ encoding: AudioEncoding, staysInKind: Bool) -> Bool {
    switch encoding {
    case .pcmU8, .pcmS8, .pcm16, .pcm24, .float32: false
    case .pcm32, .float64, .ulaw, .alaw, .alac16, .alac20, .alac24, .alac32: true
    case .mpegLayer1, .mpegLayer2, .mpegLayer3, .aac, .ac3, .opus: true
    default: staysInKind
    }
  }

  /// Copies the whole file.
  private func copyBytes(to output: Int32, _ shouldStop: () -> Bool) throws(AuricleError) {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 4096)
    defer { unsafe memory.deallocate() }
    var place = 0
    while true {
      if shouldStop() { throw AuricleError(.interrupted, "interrupted") }
      let count = unsafe pread(ends.input, memory, 1 << 20, place)
      guard count >= 0 else { throw systemError(errno, "read", input) }
      if count == 0 { return }
      var done = 0
      while done < count {
        let put = unsafe pwrite(output, memory + done, count - done, place + done)
        guard put > 0 else { throw systemError(errno, "write", outputs[0]) }
        done += put
      }
      place += count
    }
  }

  /// Copies packets and their metadata; nil where one of the containers is not read or written so.
  private func move(
    _ reader: AudioFileReader, to output: Int32, _ format: AudioFileFormat,
    _ shouldStop: () -> Bool
  ) throws(AuricleError) -> [String]? {
    guard let type = format.container.packetFileType else { return nil }
    let copy: PacketCopy
    do throws(AudioFileFailure) {
      copy = try PacketCopy(from: ends.input, to: output, type: type)
      try copy.begin(keepsInfo: settings.keepsMetadata)
    } catch {
      return nil
    }
    do throws(AudioFileFailure) {
      while try copy.step() {
        if shouldStop() { throw AudioFileFailure(kAudioFileUserCanceledError) }
      }
      try copy.finish()
    } catch {
      if error.status == kAudioFileUserCanceledError {
        throw AuricleError(.interrupted, "interrupted")
      }
      throw AuricleError(
        .inputOutput, status: error.status, "cannot copy the packets of \(input) to \(outputs[0])")
    }
    var notes = copy.notes
    if settings.keepsMetadata {
      notes += reader.metadata.notesOfUnread
      notes += try reader.metadata.add(
        toFile: output, path: outputs[0], format: format, frameCount: reader.frameCount ?? 0)
    }
    return notes
  }
}

/// The status that ends a copy between two steps; nobody else sees it.
private let kAudioFileUserCanceledError: OSStatus = -128

extension JobSettings {
  /// Whether nothing is asked for but a format.
  fileprivate var isPlain: Bool {
    inputLoudness == nil && start == nil && end == nil && crop == nil && silenceThreshold == nil
      && rawInput == nil && track == nil && (tail == .automatic || tail == .none)
  }
}

extension AudioContainer {
  /// The type of such files where they are written by packets; nil for others.
  fileprivate var packetFileType: AudioFileTypeID? {
    switch self {
    case .wav, .wavex: kAudioFileWAVEType
    case .rf64: kAudioFileRF64Type
    case .w64: kAudioFileWave64Type
    case .aiff: kAudioFileAIFCType
    case .caf: kAudioFileCAFType
    case .au: kAudioFileNextType
    case .flac: kAudioFileFLACType
    case .ogg, .opus: kAuricleAudioFileOggType
    case .mp3: kAudioFileMP3Type
    case .m4a: kAudioFileM4AType
    case .aac: kAudioFileAAC_ADTSType
    case .ac3: kAudioFileAC3Type
    default: nil
    }
  }
}
