// The means of nodes for rendering: locks, lists of planar floats, connections, taps.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// A lock that lends the waiter's priority to its holder. Editing code holds it for the exchange of a few pointers.
///
/// The thread that has it may enter again: a program's block in a cycle may read the state of nodes.
final class RenderLock: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<os_unfair_lock_s>.allocate(capacity: 1)
  /// The thread that has the lock; 0 for none.
  private let owner = Atomic<UInt>(0)
  init() { lock.initialize(to: os_unfair_lock_s()) }
  deinit { lock.deallocate() }
  func callAsFunction<Result>(_ body: () throws -> Result) rethrows -> Result {
    let thread = UInt(pthread_self())
    if owner.load(ordering: .relaxed) == thread { return try body() }
    os_unfair_lock_lock(lock)
    owner.store(thread, ordering: .relaxed)
    defer {
      owner.store(0, ordering: .relaxed)
      os_unfair_lock_unlock(lock)
    }
    return try body()
  }
}

/// Buffers of floats, one a channel, of a fixed number of frames.
final class PlanarMemory: @unchecked Sendable {
  let list: UnsafeMutableAudioBufferListPointer
  let channels: Int
  let capacity: Int
  private let memory: UnsafeMutablePointer<Float>

  init(channels: Int, capacity: Int) {
    self.channels = channels
    self.capacity = capacity
    memory = .allocate(capacity: Swift.max(channels * capacity, 1))
    memory.initialize(repeating: 0, count: Swift.max(channels * capacity, 1))
    list = AudioBufferList.allocate(maximumBuffers: Swift.max(channels, 1))
    point(0, capacity)
  }
  deinit {
    memory.deallocate()
    free(list.unsafeMutablePointer)
  }
  /// The list of a number of frames from a place.
  @discardableResult func point(_ start: Int, _ frames: Int) -> UnsafeMutableAudioBufferListPointer
  {
    list.count = channels
    for channel in 0..<channels {
      list[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(frames * 4),
        mData: memory + channel * capacity + start)
    }
    return list
  }
  subscript(channel: Int) -> UnsafeMutablePointer<Float> { memory + channel * capacity }
}

/// The samples of a buffer of a list.
@inline(__always) func floats(_ list: UnsafeMutableAudioBufferListPointer, _ channel: Int)
  -> UnsafeMutablePointer<Float>?
{
  list[channel].mData?.assumingMemoryBound(to: Float.self)
}
/// Silence.
func clear(_ list: UnsafeMutableAudioBufferListPointer, from start: Int = 0, _ frames: Int) {
  for channel in 0..<list.count {
    if let samples = floats(list, channel) { memset(samples + start, 0, frames * 4) }
  }
}
/// A copy of frames; channels that the source lacks are silent, one channel is for all.
func copyFrames(
  _ source: UnsafeMutableAudioBufferListPointer, to list: UnsafeMutableAudioBufferListPointer,
  _ frames: Int
) {
  for channel in 0..<list.count {
    guard let to = floats(list, channel) else { continue }
    let place = source.count == 1 ? 0 : channel
    if place < source.count, let from = floats(source, place) {
      if from != to { memmove(to, from, frames * 4) }
    } else {
      memset(to, 0, frames * 4)
    }
  }
}

/// Volume and pan of a connection, set by any thread.
final class MixingState: Sendable {
  private let volumeBits = Atomic<UInt32>(Float(1).bitPattern)
  private let panBits = Atomic<UInt32>(0)
  var volume: Float {
    get { Float(bitPattern: volumeBits.load(ordering: .relaxed)) }
    set { volumeBits.store(newValue.bitPattern, ordering: .relaxed) }
  }
  var pan: Float {
    get { Float(bitPattern: panBits.load(ordering: .relaxed)) }
    set { panBits.store(newValue.bitPattern, ordering: .relaxed) }
  }
  func copy(from other: MixingState) {
    volume = other.volume
    pan = other.pan
  }
}

/// A connection of an output bus to an input bus.
final class InputLink: @unchecked Sendable {
  let source: AVAudioNode
  let sourceBus: Int
  weak var destination: AVAudioNode?
  let destinationBus: Int
  let format: AVAudioFormat
  let mixing = MixingState()
  let scratch: PlanarMemory
  private var resampler: LinkResampler?

  init(
    _ source: AVAudioNode, _ sourceBus: Int, _ destination: AVAudioNode, _ bus: Int,
    _ format: AVAudioFormat, _ frames: Int
  ) {
    self.source = source
    self.sourceBus = sourceBus
    self.destination = destination
    destinationBus = bus
    self.format = format
    scratch = PlanarMemory(channels: Int(format.channelCount), capacity: frames)
  }
  /// Removes the connection from the side of its destination.
  func leave() {
    destination?.inputLinks[destinationBus] = nil
    destination?.inputChanged(destinationBus)
  }
  /// Makes the converter of the sample rate, if the destination runs at another.
  func prepare(rate: Double) {
    if rate == format.sampleRate || rate <= 0 {
      resampler = nil
    } else if resampler?.outputRate != rate {
      resampler = LinkResampler(self, rate)
    }
  }

  /// Fills a list of the source's channels, at the destination's rate. Render thread.
  func pull(
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
    _ list: UnsafeMutableAudioBufferListPointer
  ) -> OSStatus {
    if let resampler { return resampler.pull(time, frames, list) }
    return pullSource(time, frames, list)
  }
  /// Fills a list at the source's rate, in pieces of at most the frames that there is memory for.
  func pullSource(
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
    _ list: UnsafeMutableAudioBufferListPointer
  ) -> OSStatus {
    guard frames > scratch.capacity else { return source.output(sourceBus, time, frames, list) }
    var stamp = time.pointee
    var done = 0
    while done < frames {
      let count = Swift.min(frames - done, scratch.capacity)
      let status = source.output(sourceBus, &stamp, count, scratch.point(0, count))
      guard status == noErr else { return status }
      for channel in 0..<list.count {
        if let to = floats(list, channel), channel < scratch.channels {
          memcpy(to + done, scratch[channel], count * 4)
        }
      }
      done += count
      stamp.mSampleTime += Double(count)
    }
    return noErr
  }
}

/// A connection's change of the sample rate.
final class LinkResampler: @unchecked Sendable {
  let outputRate: Double
  private unowned let link: InputLink
  private let converter: AudioConverterRef
  private let input: PlanarMemory
  private var stamp = AudioTimeStamp()
  /// The destination's time behind the last frames; not a number before the first.
  private var end = Double.nan

  init?(_ link: InputLink, _ rate: Double) {
    let from = AVAudioFormat.auricleStandard(link.format.sampleRate, link.format.channelCount)
    let to = AVAudioFormat.auricleStandard(rate, link.format.channelCount)
    var converter: AudioConverterRef?
    guard AudioConverterNew(from.streamDescription, to.streamDescription, &converter) == noErr,
      let converter
    else { return nil }
    self.converter = converter
    self.link = link
    outputRate = rate
    input = PlanarMemory(channels: Int(link.format.channelCount), capacity: link.scratch.capacity)
  }
  deinit { AudioConverterDispose(converter) }

  func pull(
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
    _ list: UnsafeMutableAudioBufferListPointer
  ) -> OSStatus {
    let ratio = link.format.sampleRate / outputRate
    if end.isNaN {
      stamp = time.pointee
      stamp.mSampleTime = (time.pointee.mSampleTime * ratio).rounded()
    } else {
      // Where the destination's time leaps, that of the source does.
      stamp.mSampleTime += ((time.pointee.mSampleTime - end) * ratio).rounded()
    }
    end = time.pointee.mSampleTime + Double(frames)
    stamp.mHostTime = time.pointee.mHostTime
    var count = UInt32(frames)
    for channel in 0..<list.count { list[channel].mDataByteSize = count * 4 }
    let status = AudioConverterFillComplexBuffer(
      converter, provideLink, Unmanaged.passUnretained(self).toOpaque(), &count,
      list.unsafeMutablePointer, nil)
    if Int(count) < frames { clear(list, from: Int(count), frames - Int(count)) }
    for channel in 0..<list.count { list[channel].mDataByteSize = UInt32(frames * 4) }
    return status
  }
  fileprivate func provide(
    _ packets: UnsafeMutablePointer<UInt32>, _ data: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let count = Swift.min(Int(packets.pointee), input.capacity)
    let status = link.pullSource(&stamp, count, input.point(0, count))
    guard status == noErr else { return status }
    stamp.mSampleTime += Double(count)
    packets.pointee = UInt32(count)
    let list = UnsafeMutableAudioBufferListPointer(data)
    for channel in 0..<Swift.min(list.count, input.channels) { list[channel] = input.list[channel] }
    return noErr
  }
}

private func provideLink(
  _ converter: AudioConverterRef, _ packets: UnsafeMutablePointer<UInt32>,
  _ list: UnsafeMutablePointer<AudioBufferList>,
  _ descriptions: UnsafeMutablePointer<UnsafeMutablePointer<AudioStreamPacketDescription>?>?,
  _ userData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let userData else { return kAudio_ParamError }
  return Unmanaged<LinkResampler>.fromOpaque(userData)._withUnsafeGuaranteedRef {
    $0.provide(packets, list)
  }
}

/// A tap: frames of a bus in buffers, passed to a block on a queue.
final class Tap: @unchecked Sendable {
  private let format: AVAudioFormat
  private let frames: AVAudioFrameCount
  private let block: AVAudioNodeTapBlock
  private let queue = DispatchQueue(label: "org.auricle.tap")
  private let lock = RenderLock()
  private var free: [AVAudioPCMBuffer] = []
  private var full: [(buffer: AVAudioPCMBuffer, stamp: AudioTimeStamp)] = []
  private var present: AVAudioPCMBuffer?
  private var stamp = AudioTimeStamp()
  private let isRemoved = Atomic<Bool>(false)
  /// The thread that calls the block; 0 for none.
  private let caller = Atomic<UInt>(0)
  private let wake: any DispatchSourceUserDataAdd

  init(_ format: AVAudioFormat, _ frames: AVAudioFrameCount, _ block: @escaping AVAudioNodeTapBlock)
  {
    self.format = format
    self.frames = frames
    self.block = block
    wake = DispatchSource.makeUserDataAddSource(queue: queue)
    free.reserveCapacity(16)
    full.reserveCapacity(1024)
    for _ in 0..<4 {
      if let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames) {
        free.append(buffer)
      }
    }
    wake.setEventHandler { [weak self] in self?.deliver() }
    wake.resume()
  }
  func remove() {
    isRemoved.store(true, ordering: .releasing)
    wake.cancel()
  }

  /// Adds frames. Render thread.
  func write(
    _ time: UnsafePointer<AudioTimeStamp>, _ count: Int, _ list: UnsafeMutableAudioBufferListPointer
  ) {
    var done = 0
    while done < count {
      if present == nil {
        present =
          lock { free.popLast() } ?? AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames)
        stamp = time.pointee
        stamp.mSampleTime += Double(done)
        if stamp.mFlags.contains(.hostTimeValid) {
          stamp.mHostTime &+= AVAudioTime.hostTime(forSeconds: Double(done) / format.sampleRate)
        }
      }
      guard let buffer = present else { return }
      let part = Swift.min(count - done, Int(frames - buffer.frameLength))
      let start = Int(buffer.frameLength)
      for channel in 0..<buffer.list.count {
        let place = list.count == 1 ? 0 : channel
        guard let to = buffer.list[channel].mData else { continue }
        if place < list.count, let from = floats(list, place) {
          memcpy(to + start * 4, from + done, part * 4)
        }
      }
      buffer.frameLength += AVAudioFrameCount(part)
      done += part
      if buffer.frameLength == frames {
        lock { full.append((buffer, stamp)) }
        present = nil
        wake.add(data: 1)
      }
    }
  }
  /// Returns when the block has been called for all full buffers; in the block itself at once.
  func deliverAll() {
    guard caller.load(ordering: .relaxed) != UInt(pthread_self()) else { return }
    queue.sync { deliver() }
  }
  private func deliver() {
    caller.store(UInt(pthread_self()), ordering: .relaxed)
    defer { caller.store(0, ordering: .relaxed) }
    while !isRemoved.load(ordering: .acquiring),
      let next = lock({ full.isEmpty ? nil : full.removeFirst() })
    {
      block(next.buffer, AVAudioTime(stamp: next.stamp, sampleRate: format.sampleRate))
      if let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames) {
        lock { free.append(buffer) }
      }
    }
  }
}
