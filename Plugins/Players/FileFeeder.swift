// What a file player reads ahead: regions of files become slices, on a thread of the player's own.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import Glibc
import Synchronization

/// The regions, buffers and thread of one file player.
///
/// Whoever holds the mutex reads: the thread, a host that primes, or an offline render.
///
/// @unchecked Sendable because all that changes is reached under the mutex, and the queue needs none.
@safe final class FileFeeder: @unchecked Sendable {
  typealias RegionPointer = UnsafeMutablePointer<ScheduledAudioFileRegion>
  typealias Ended = (region: RegionPointer, status: OSStatus)

  let schedule = PlayerSchedule()
  let mutex: UnsafeMutablePointer<pthread_mutex_t>
  let wake: UnsafeMutablePointer<pthread_cond_t>
  private var files: [AudioFileHandle] = unsafe []
  private var bufferFrames: UInt32 = 0
  private var bufferCount: UInt32 = 0
  private var buffers: UnsafeMutablePointer<FileBuffer>?
  private var count = 0
  private var frames = 0
  private var channelCount = 0
  private var sampleRate = 0.0
  private var waiting: [RegionPointer] = unsafe []
  private var current: RegionPointer?
  private var reader: RegionReader?
  private var scratch: [Float] = []
  /// Frames of the current region that were handed over.
  private var offset = 0
  private var lastBuffer = -1
  var ended: [Ended] = unsafe []
  private var heldEnds: [Int: Ended] = unsafe [:]
  private(set) var framesUnderWay = 0
  var thread = pthread_t()
  var hasThread = false
  private(set) var isEnding = false
  var isOver = false

  init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
    unsafe wake = .allocate(capacity: 1)
    unsafe wake.initialize(to: pthread_cond_t())
    unsafe pthread_cond_init(wake, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
    unsafe pthread_cond_destroy(wake)
    unsafe wake.deallocate()
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body()
  }
}

// What a host sets. Context: control.
extension FileFeeder {
  /// The files of the regions to come.
  var fileIDs: [AudioFileHandle] {
    get { unsafe locked { unsafe files } }
    set { locked { unsafe files = unsafe newValue } }
  }

  /// Frames of a buffer, taken at initialise; 0: as many as suit.
  var wantedFrames: UInt32 {
    get { locked { bufferFrames } }
    set { locked { bufferFrames = newValue } }
  }

  /// Buffers, taken at initialise; 0: as many as suit.
  var wantedBuffers: UInt32 {
    get { locked { bufferCount } }
    set { locked { bufferCount = newValue } }
  }

  /// Takes a region of a file that was given; false for another file.
  func add(_ region: ScheduledAudioFileRegion) -> Bool {
    locked {
      guard let file = unsafe region.mAudioFile, unsafe files.contains(file) else { return false }
      let copy = RegionPointer.allocate(capacity: 1)
      unsafe copy.initialize(to: region)
      unsafe waiting.append(copy)
      startThread()
      unsafe pthread_cond_signal(wake)
      return true
    }
  }

  /// Reads until so many frames are ready, or no more can be; false while there is no format.
  func prime(_ wanted: Int) -> Bool {
    locked {
      guard unsafe buffers != nil else { return false }
      sweep()
      while framesUnderWay < wanted, readOn() {}
      return true
    }
  }

  /// Makes buffers for a format.
  func open(_ format: RenderFormat) {
    locked {
      sampleRate = format.sampleRate
      channelCount = format.channelCount
      frames = bufferFrames == 0 ? 4096 : Int(min(max(bufferFrames, 64), 1 << 20))
      count = bufferCount == 0 ? 16 : Int(min(max(bufferCount, 2), 1024))
      let made = UnsafeMutablePointer<FileBuffer>.allocate(capacity: count)
      for index in 0..<count {
        unsafe (made + index).initialize(
          to: FileBuffer(channelCount: channelCount, frameCount: frames))
      }
      unsafe buffers = unsafe made
      unsafe pthread_cond_signal(wake)
    }
  }

  /// Drops regions and start; the regions' completions are told that they were cancelled.
  func reset() { locked { drop() } }

  /// Frees the buffers.
  func close() {
    locked {
      drop()
      if let buffers = unsafe buffers {
        unsafe buffers.deinitialize(count: count)
        unsafe buffers.deallocate()
      }
      unsafe buffers = nil
    }
  }

  /// Ends the thread; afterwards no file is read, and no completion is told but by the one that is
  /// ending the player.
  func end() {
    locked {
      drop()
      isEnding = true
      unsafe pthread_cond_broadcast(wake)
      guard hasThread, pthread_equal(thread, pthread_self()) == 0 else { return }
      while !isOver { unsafe pthread_cond_wait(wake, mutex) }
    }
  }

  private func drop() {
    let cancelled = OSStatus(-128)
    sweep()
    for index in 0..<count where unsafe heldEnds[index]?.status == 0 {
      unsafe heldEnds[index]?.status = cancelled
    }
    unsafe schedule.queue.pointee.clear()
    sweep()
    if let current = unsafe current { unsafe ended.append((current, cancelled)) }
    unsafe waiting.forEach { unsafe ended.append(($0, cancelled)) }
    unsafe waiting.removeAll()
    unsafe current = nil
    reader = nil
    unsafe pthread_cond_signal(wake)
  }

  /// Offline: reads all that fits, so that no render is ahead of the file. Context: an offline render.
  ///
  /// - Returns: Frames that can be played before there is more to read.
  func catchUp() -> Int {
    locked {
      sweep()
      while readOn() {}
      guard unsafe current != nil || !waiting.isEmpty else { return .max }
      return unsafe max(1, framesUnderWay - schedule.queue.pointee.framesBegun)
    }
  }
}

// Reading, under the mutex.
extension FileFeeder {
  /// Takes back the buffers that were played.
  func sweep() {
    guard let buffers = unsafe buffers else { return }
    for index in 0..<count {
      guard unsafe buffers[index].isUnderWay,
        unsafe buffers[index].isPlayed.load(ordering: .acquiring)
      else { continue }
      unsafe buffers[index].isUnderWay = false
      unsafe framesUnderWay -= Int(buffers[index].slice.pointee.mNumberFrames)
      if let end = unsafe heldEnds.removeValue(forKey: index) {
        unsafe ended.append(end)
        unsafe pthread_cond_signal(wake)
      }
    }
  }

  /// Fills one buffer; false if there is none, or nothing to read.
  func readOn() -> Bool {
    guard let buffers = unsafe buffers, !isEnding,
      let free = (0..<count).first(where: { unsafe !buffers[$0].isUnderWay })
    else { return false }
    if unsafe current == nil {
      guard unsafe !waiting.isEmpty else { return false }
      unsafe begin(waiting.removeFirst())
      return true
    }
    let channels = reader?.channelCount ?? 0
    let done = unsafe scratch.withUnsafeMutableBufferPointer { memory in
      guard let base = memory.baseAddress else { return 0 }
      return unsafe reader?.read(into: base, stride: frames, count: frames) ?? 0
    }
    if done > 0 {
      unsafe spread(channels, to: buffers[free].memory, done)
      let time = unsafe current.flatMap(Self.time).map { $0 + Double(offset) }
      unsafe buffers[free].prepare(buffers + free, frames: done, time: time)
      framesUnderWay += done
      offset += done
      lastBuffer = free
      unsafe schedule.queue.pointee.add(buffers[free].slice)
    }
    if reader?.isDone != false { finishRegion() }
    return true
  }

  private static func time(_ region: RegionPointer) -> Double? {
    let stamp = unsafe region.pointee.mTimeStamp
    return stamp.mFlags & kAudioTimeStampSampleTimeValid != 0 ? stamp.mSampleTime : nil
  }

  private func begin(_ region: RegionPointer) {
    unsafe current = unsafe region
    offset = 0
    lastBuffer = -1
    var status = OSStatus(kAudioUnitErr_InvalidFile)
    if let functions = FileFunctions.found {
      reader = unsafe RegionReader(
        functions, region.pointee, sampleRate: sampleRate, status: &status)
    }
    guard let channels = reader?.channelCount else {
      unsafe ended.append((region, status))
      unsafe current = nil
      unsafe pthread_cond_signal(wake)
      return
    }
    scratch = [Float](repeating: 0, count: channels * frames)
  }

  /// The region's end comes when its last buffer was played.
  private func finishRegion() {
    guard let region = unsafe current else { return }
    let end = unsafe (region, reader?.status ?? 0)
    reader = nil
    unsafe current = nil
    if lastBuffer >= 0, let buffers = unsafe buffers, unsafe buffers[lastBuffer].isUnderWay {
      unsafe heldEnds[lastBuffer] = unsafe end
    } else {
      unsafe ended.append(end)
      unsafe pthread_cond_signal(wake)
    }
  }

  /// Channels of the file to those of the output: one goes to the first two, others as far as both sides have them.
  private func spread(_ channels: Int, to target: UnsafeMutablePointer<Float>, _ done: Int) {
    unsafe scratch.withUnsafeBufferPointer { memory in
      guard let base = memory.baseAddress else { return }
      for channel in 0..<channelCount {
        let row = unsafe target + channel * frames
        let source = channels == 1 && channel < 2 ? 0 : channel
        if source < channels {
          unsafe row.update(from: base + source * frames, count: done)
        } else {
          unsafe row.update(repeating: 0, count: done)
        }
      }
    }
  }
}
