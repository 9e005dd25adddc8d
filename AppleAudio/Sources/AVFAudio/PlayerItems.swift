// The items that a player plays: buffers and parts of files.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Something that a player plays at a time, or behind the one before.
class PlayerItem: @unchecked Sendable {
  /// The first frame on the player's timeline; nil for as soon as possible.
  var start: AVAudioFramePosition?
  var startHostTime: UInt64?
  let completion: (() -> Void)?
  /// Whether the completion waits until the sound has left the loudspeaker.
  var waitsForSound = false
  /// The host time at which the last frame is at the output.
  var endHostTime: UInt64 = 0
  var hasBegun = false
  var loops = false

  init(_ completion: (() -> Void)?) { self.completion = completion }
  /// Writes frames at a place; the number is smaller at the end. Render thread.
  func read(
    _ list: UnsafeMutableAudioBufferListPointer, _ offset: Int, _ frames: Int, _ waits: Bool
  ) -> Int { 0 }
  /// Whether everything was read.
  var isExhausted: Bool { true }
  /// Whether the next frame is the first one of a pass of a loop.
  var isAtBorder: Bool { true }
  /// Reads ahead.
  func fill() {}
}

/// A buffer that is played once or again and again.
final class BufferItem: PlayerItem, @unchecked Sendable {
  private let buffer: AVAudioPCMBuffer
  private let frames: Int
  private var place = 0
  init(_ buffer: AVAudioPCMBuffer, _ completion: (() -> Void)?) {
    self.buffer = buffer
    frames = Int(buffer.frameLength)
    super.init(completion)
  }
  override var isExhausted: Bool { frames == 0 || place >= frames && !loops }
  override var isAtBorder: Bool { place >= frames || place == 0 }
  override func read(
    _ list: UnsafeMutableAudioBufferListPointer, _ offset: Int, _ count: Int, _ waits: Bool
  ) -> Int {
    if place >= frames {
      guard loops, frames > 0 else { return 0 }
      place = 0
    }
    let part = Swift.min(count, frames - place)
    let step = buffer.stride
    guard let data = buffer.floatChannelData else { return 0 }
    for channel in 0..<list.count {
      guard let to = floats(list, channel), channel < Int(buffer.format.channelCount) else {
        continue
      }
      let from = data[channel]
      if step == 1 {
        memcpy(to + offset, from + place, part * 4)
      } else {
        for frame in 0..<part { to[offset + frame] = from[(place + frame) * step] }
      }
    }
    place += part
    return part
  }
}

/// A part of a file, read ahead on a queue.
final class FileItem: PlayerItem, @unchecked Sendable {
  private static let chunkFrames = 16_384
  private static let chunkCount = 6
  private static let queue = DispatchQueue(label: "org.auricle.player-files", qos: .userInitiated)
  private let file: ExtAudioFileRef
  private let chunks: [AVAudioPCMBuffer]
  private let filled = Atomic<Int>(0)
  private let emptied = Atomic<Int>(0)
  private let hasEnded = Atomic<Bool>(false)
  private var place = 0
  private var remaining: Int
  private let lock = NSLock()
  private let wake: any DispatchSourceUserDataAdd

  init?(
    _ url: URL, _ start: AVAudioFramePosition, _ count: Int, _ format: AVAudioFormat,
    _ completion: (() -> Void)?
  ) {
    var file: ExtAudioFileRef?
    guard ExtAudioFileOpenURL(url as CFURL, &file) == noErr, let file else { return nil }
    self.file = file
    let standard = AVAudioFormat.auricleStandard(format.sampleRate, format.channelCount)
    let rate =
      (try? auricleValue(file, kExtAudioFileProperty_FileDataFormat, AudioStreamBasicDescription()))?
      .mSampleRate ?? 0
    remaining =
      rate == format.sampleRate || rate <= 0
      ? count : Int((Double(count) * format.sampleRate / rate).rounded())
    chunks = (0..<FileItem.chunkCount).compactMap { _ in
      AVAudioPCMBuffer(pcmFormat: standard, frameCapacity: AVAudioFrameCount(FileItem.chunkFrames))
    }
    wake = DispatchSource.makeUserDataAddSource(queue: FileItem.queue)
    super.init(completion)
    var raw = standard.raw
    let size = UInt32(MemoryLayout.size(ofValue: raw))
    guard
      ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, size, &raw) == noErr,
      ExtAudioFileSeek(file, start) == noErr, chunks.count == FileItem.chunkCount
    else {
      ExtAudioFileDispose(file)
      return nil
    }
    wake.setEventHandler { [weak self] in self?.fill() }
    wake.resume()
    fill()
  }
  deinit {
    wake.cancel()
    ExtAudioFileDispose(file)
  }

  /// Fills the chunks that are free.
  override func fill() {
    lock.lock()
    defer { lock.unlock() }
    while !hasEnded.load(ordering: .relaxed),
      filled.load(ordering: .relaxed) - emptied.load(ordering: .acquiring) < chunks.count
    {
      let chunk = chunks[filled.load(ordering: .relaxed) % chunks.count]
      let wanted = Swift.min(remaining, FileItem.chunkFrames)
      var done = 0
      while done < wanted {
        var count = UInt32(wanted - done)
        let memory = AudioBufferList.allocate(maximumBuffers: chunk.list.count)
        defer { free(memory.unsafeMutablePointer) }
        for index in 0..<memory.count {
          memory[index] = chunk.list[index]
          memory[index].mData = chunk.list[index].mData.map { $0 + done * 4 }
          memory[index].mDataByteSize = count * 4
        }
        guard ExtAudioFileRead(file, &count, memory.unsafeMutablePointer) == noErr, count > 0 else {
          break
        }
        done += Int(count)
      }
      chunk.frameLength = AVAudioFrameCount(done)
      remaining -= done
      if done < wanted || remaining <= 0 { hasEnded.store(true, ordering: .relaxed) }
      if done > 0 { filled.store(filled.load(ordering: .relaxed) + 1, ordering: .releasing) }
      if done == 0 { hasEnded.store(true, ordering: .releasing) }
    }
  }
  override var isExhausted: Bool {
    hasEnded.load(ordering: .acquiring)
      && filled.load(ordering: .acquiring) == emptied.load(ordering: .relaxed)
  }
  override func read(
    _ list: UnsafeMutableAudioBufferListPointer, _ offset: Int, _ count: Int, _ waits: Bool
  ) -> Int {
    let number = emptied.load(ordering: .relaxed)
    if filled.load(ordering: .acquiring) == number {
      if isExhausted { return 0 }
      guard waits else {
        wake.add(data: 1)
        return 0
      }
      fill()
      if filled.load(ordering: .acquiring) == number { return 0 }
    }
    let chunk = chunks[number % chunks.count]
    let part = Swift.min(count, Int(chunk.frameLength) - place)
    for channel in 0..<Swift.min(list.count, chunk.list.count) {
      if let to = floats(list, channel), let from = floats(chunk.list, channel) {
        memcpy(to + offset, from + place, part * 4)
      }
    }
    place += part
    if place >= Int(chunk.frameLength) {
      place = 0
      emptied.store(number + 1, ordering: .releasing)
      if !waits { wake.add(data: 1) }
    }
    return part
  }
}
