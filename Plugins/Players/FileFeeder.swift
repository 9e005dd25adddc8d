// A file player's read-ahead: regions of files become slices, on the player's own thread.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import Glibc
import Synchronization

/// The regions, buffers and thread of one file player.
///
/// The holder of the mutex reads: the thread, a host that primes, or an offline render.
///
/// @unchecked Sendable because all that changes is reached under the mutex, and the queue needs none.
@safe final class FileFeeder: @unchecked Sendable {
  typealias RegionPointer = UnsafeMutablePointer<ScheduledAudioFileRegion>
  typealias Ended = (region: RegionPointer, status: OSStatus)

  let schedule = PlayerSchedule()
  let mutex: UnsafeMutablePointer<pthread_mutex_t>
  /// Raised where there may be something to do for the thread; by the render thread too.
  let wake: UnsafeMutablePointer<sem_t>
  /// Signalled when the thread ends.
  let over: UnsafeMutablePointer<pthread_cond_t>
  private var files: [AudioFileHandle] = unsafe []
  private var bufferFrames: UInt32 = 0
  private var bufferCount: UInt32 = 0
  var buffers: UnsafeMutablePointer<FileBuffer>?
  var count = 0
  var frames = 0
  var channelCount = 0
  private(set) var sampleRate = 0.0
  /// The regions that are not over, in the order of playing.
  var regions: [FileRegion] = []
  private var lastNumber: UInt32 = 0
  var scratch: [Float] = []
  var ended: [Ended] = unsafe []
  var framesUnderWay = 0
  var thread = pthread_t()
  var hasThread = false
  private(set) var isEnding = false
  var isOver = false

  init() {
    unsafe mutex = .allocate(capacity: 1)
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe pthread_mutex_init(mutex, nil)
    unsafe wake = .allocate(capacity: 1)
    unsafe wake.initialize(to: sem_t())
    unsafe sem_init(wake, 0, 0)
    unsafe over = .allocate(capacity: 1)
    unsafe over.initialize(to: pthread_cond_t())
    unsafe pthread_cond_init(over, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
    unsafe sem_destroy(wake)
    unsafe wake.deallocate()
    unsafe pthread_cond_destroy(over)
    unsafe over.deallocate()
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return body()
  }
}

// The settings of a host. Context: control.
extension FileFeeder {
  /// The files of the regions to come.
  var fileIDs: [AudioFileHandle] {
    get { unsafe locked { unsafe files } }
    set { locked { unsafe files = unsafe newValue } }
  }

  /// Frames of a buffer, read at initialise; 0: as many as suit.
  var wantedFrames: UInt32 {
    get { locked { bufferFrames } }
    set { locked { bufferFrames = newValue } }
  }

  /// Number of buffers, read at initialise; 0: as many as suit.
  var wantedBuffers: UInt32 {
    get { locked { bufferCount } }
    set { locked { bufferCount = newValue } }
  }

  /// Adds a region of a known file; false for another file.
  func add(_ region: ScheduledAudioFileRegion) -> Bool {
    locked {
      guard let file = unsafe region.mAudioFile, unsafe files.contains(file) else { return false }
      lastNumber = lastNumber == .max ? 1 : lastNumber + 1
      unsafe insert(FileRegion(region, number: lastNumber))
      startThread()
      unsafe sem_post(wake)
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
          to: FileBuffer(channelCount: channelCount, frameCount: frames, wake: wake))
      }
      unsafe buffers = unsafe made
      unsafe sem_post(wake)
    }
  }

  /// Drops regions and start; the regions' completions are called as cancelled.
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

  /// Ends the thread; afterwards no file is read, and no completion is called but the one that is
  /// ending the player.
  func end() {
    locked {
      drop()
      isEnding = true
      unsafe sem_post(wake)
      guard hasThread, pthread_equal(thread, pthread_self()) == 0 else { return }
      while !isOver { unsafe pthread_cond_wait(over, mutex) }
    }
  }

  private func drop() {
    sweep()
    unsafe schedule.queue.pointee.clear()
    if let buffers = unsafe buffers {
      for index in 0..<count { unsafe buffers[index].release() }
    }
    framesUnderWay = 0
    for region in regions {
      unsafe ended.append((region.pointer, region.status != 0 ? region.status : -128))
    }
    regions.removeAll()
    unsafe sem_post(wake)
  }

  /// Offline: reads all that fits, so that no render is ahead of the file. Context: an offline render.
  ///
  /// - Returns: Frames that can be played before there is more to read.
  func catchUp() -> Int {
    locked {
      sweep()
      while readOn(duringRender: true) {}
      guard regions.contains(where: { !$0.isRead }) else { return .max }
      return unsafe max(1, framesUnderWay - schedule.queue.pointee.framesBegun)
    }
  }
}
