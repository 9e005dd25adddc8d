// Writing from a render thread: into a ring, which a separate thread empties into the file.
// SPDX-License-Identifier: Apache-2.0

package import AudioFilePackets
import AudioTypes
package import CAudioToolbox
import Glibc
import HostSystem
import RealtimeSupport
import Synchronization

/// The render thread's end of the ring; it lives as long as the writer that made it.
@safe package struct AsyncWriteEnd: ~Copyable {
  private let producer: SPSCRingProducer
  private let capacity: Int
  private let bufferCount: Int
  private let frameSize: Int
  /// Posted when frames are in the ring.
  private let arrivals: RenderSignalWords
  fileprivate let failure = Atomic<Int32>(0)
  /// Whether frames ever came.
  fileprivate let isUsed = Atomic<Bool>(false)

  fileprivate init(
    _ ring: SPSCRing, _ samples: SampleFormat, _ arrivals: RenderSignalWords
  ) {
    self.arrivals = arrivals
    producer = ring.producer
    capacity = ring.capacity
    bufferCount = samples.bufferCount
    frameSize = samples.byteCount(frameCount: 1)
  }

  /// Copies frames into the ring, all or none.
  ///
  /// - Returns: The thread's error since; -66569 for more than the ring holds, -66570 while it is full, -50 for a list
  ///   that does not hold the frames.
  ///
  /// Context: render.
  @_noLocks package borrowing func write(
    _ list: UnsafePointer<AudioBufferList>, frameCount: UInt32
  ) -> OSStatus {
    let met = failure.load(ordering: .acquiring)
    guard met == 0 else { return met }
    guard frameCount > 0 else { return noErr }
    isUsed.store(true, ordering: .relaxed)
    let list = unsafe UnsafeMutablePointer(mutating: list)
    guard unsafe list.bufferCount == bufferCount else { return kAudio_ParamError }
    let size = Int(frameCount) &* frameSize
    var index = 0
    while index < bufferCount {
      let buffer = unsafe list.buffers + index
      guard unsafe buffer.pointee.mData != nil, unsafe Int(buffer.pointee.mDataByteSize) >= size
      else { return kAudio_ParamError }
      index += 1
    }
    let whole = size &* bufferCount &+ 8
    guard whole <= capacity else { return kExtAudioFileError_AsyncWriteTooLarge }
    guard whole <= producer.availableToWrite else {
      return kExtAudioFileError_AsyncWriteBufferOverflow
    }
    var head = Int64(frameCount)
    unsafe _ = producer.write(&head, count: 8)
    index = 0
    while index < bufferCount {
      if let data = unsafe (list.buffers + index).pointee.mData {
        unsafe _ = producer.write(data, count: size)
      }
      index += 1
    }
    arrivals.post()
    return noErr
  }
}

/// Owns the ring and the thread that writes its content.
///
/// @unchecked Sendable because the thread alone uses the consumer and the scratch memory, and the file by its lock.
@safe package final class AsyncWriter: @unchecked Sendable {
  /// The render thread's end.
  package let end: UnsafeMutablePointer<AsyncWriteEnd>
  private let ring: SPSCRing
  private let file: ExtendedFile
  private let samples: SampleFormat
  private let memory: UnsafeMutableRawPointer
  private let list: UnsafeMutablePointer<AudioBufferList>
  private let stops = Atomic<Bool>(false)
  private let arrivals = RenderSignal()
  private var thread = pthread_t()

  /// Seconds that the ring holds, and bytes at least.
  private static let ringSeconds = 2.0
  private static let ringSize = 1 << 20

  /// Makes ring and thread for a file that is written in linear PCM.
  ///
  /// - Throws: -66563 without such a format, -66565 for a file that is read.
  ///
  /// Context: control.
  package init(_ file: ExtendedFile) throws(AudioFileFailure) {
    guard file.isWriting else { throw .order }
    guard let samples = file.clientSamples else { throw .clientFormat }
    self.file = file
    self.samples = samples
    let second =
      file.clientFormat.mSampleRate * Double(samples.byteCount(frameCount: samples.bufferCount))
    ring = SPSCRing(
      minimumCapacity: max(Self.ringSize, Int(min(second * Self.ringSeconds, 0x1p28))))
    unsafe end = .allocate(capacity: 1)
    unsafe end.initialize(to: AsyncWriteEnd(ring, samples, arrivals.words))
    unsafe memory = .allocate(byteCount: ring.capacity, alignment: 64)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: ring.capacity)
    let size = AudioBufferList.byteSize(bufferCount: samples.bufferCount)
    unsafe list = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      .assumingMemoryBound(to: AudioBufferList.self)
    // All pages of the ring are there before the render thread touches them.
    unsafe _ = ring.producer.write(memory, count: ring.capacity)
    unsafe _ = ring.consumer.read(into: memory, count: ring.capacity)
    try start()
  }

  deinit {
    unsafe end.deinitialize(count: 1)
    unsafe end.deallocate()
    unsafe memory.deallocate()
    unsafe UnsafeMutableRawPointer(list).deallocate()
  }

  /// Whether the render thread ever wrote; before, it only made the ring.
  package var isUsed: Bool { unsafe end.pointee.isUsed.load(ordering: .relaxed) }

  private func start() throws(AudioFileFailure) {
    guard let made = startThread({ self.run() }) else {
      throw AudioFileFailure(kAudio_MemFullError)
    }
    thread = made
  }

  /// Writes the content of the ring, and ends the thread; nobody writes into the ring any more.
  ///
  /// - Throws: The failure of the thread.
  package func stop() throws(AudioFileFailure) {
    stops.store(true, ordering: .releasing)
    arrivals.post()
    pthread_join(thread, nil)
    let met = unsafe end.pointee.failure.load(ordering: .acquiring)
    guard met == 0 else { throw AudioFileFailure(met) }
  }

  private func run() {
    while true {
      let mark = arrivals.mark
      // Loaded first: frames that were written before the end are written still.
      let isLast = stops.load(ordering: .acquiring)
      while writeNext() {}
      if isLast { return }
      arrivals.wait(since: mark, nanoseconds: 3_600_000_000_000)
    }
  }

  /// Writes the next frames of the ring; false when there are none.
  private func writeNext() -> Bool {
    var count: Int64 = 0
    guard unsafe ring.consumer.read(into: &count, count: 8) else { return false }
    let size = samples.byteCount(frameCount: Int(count))
    // The frames follow their number at once.
    while unsafe !ring.consumer.read(into: memory, count: size * samples.bufferCount) {
      sched_yield()
    }
    guard unsafe end.pointee.failure.load(ordering: .relaxed) == 0 else { return true }
    unsafe list.pointee.mNumberBuffers = UInt32(samples.bufferCount)
    for index in 0..<samples.bufferCount {
      unsafe (list.buffers + index).initialize(
        to: AudioBuffer(
          mNumberChannels: UInt32(samples.channelsPerBuffer), mDataByteSize: UInt32(size),
          mData: memory + index * size))
    }
    do throws(AudioFileFailure) {
      try file.locked { (file) throws(AudioFileFailure) in
        try unsafe file.write(list, frameCount: UInt32(count))
      }
    } catch {
      unsafe end.pointee.failure.store(error.status, ordering: .releasing)
    }
    return true
  }
}
