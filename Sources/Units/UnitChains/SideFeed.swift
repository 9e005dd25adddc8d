// The samples of a side chain's file: read ahead of each slice, so that render code only copies.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import PlugInGuard
import RealtimeSupport

/// Planar samples in memory of their own.
@safe final class PlanarMemory {
  let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let samples: UnsafeMutablePointer<Float>
  private let channelCount: Int
  private let frameCount: Int

  init(channelCount: Int, frameCount: Int) {
    self.channelCount = channelCount
    self.frameCount = frameCount
    unsafe samples = .allocate(capacity: max(1, channelCount * frameCount))
    unsafe samples.initialize(repeating: 0, count: max(1, channelCount * frameCount))
    unsafe rows = .allocate(capacity: max(1, channelCount))
    for channel in 0..<channelCount {
      unsafe (rows + channel).initialize(to: samples + channel * frameCount)
    }
  }

  deinit {
    unsafe samples.deallocate()
    unsafe rows.deallocate()
  }

  /// Sets all samples to zero.
  func clear() { unsafe samples.update(repeating: 0, count: channelCount * frameCount) }

  /// Sets a channel's samples from one frame up to another to zero.
  func clear(from start: Int, to end: Int) {
    guard start < end else { return }
    for channel in 0..<channelCount {
      unsafe (rows[channel] + start).update(repeating: 0, count: end - start)
    }
  }
}

/// The file of a side chain and the node that plays it.
@safe final class SideFeed {
  private let file: any SideFile
  private let loops: Bool
  /// Frames that are passed over at the start: those before the part of the input that is rendered.
  private let start: Int
  private let maximumFrames: Int
  private let memory: PlanarMemory
  private let unit: InternalUnit
  private let channelCount: Int
  private let path: String
  private let cursor: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private var isAtStart = true
  private var hasEnded = false

  init(
    _ file: any SideFile, path: String, loops: Bool, start: Int, unit: InternalUnit,
    channelCount: Int,
    maximumFrames: Int
  ) {
    self.file = file
    self.path = path
    self.loops = loops
    self.start = start
    self.maximumFrames = maximumFrames
    self.unit = unit
    self.channelCount = channelCount
    memory = PlanarMemory(channelCount: channelCount, frameCount: maximumFrames)
    unsafe cursor = .allocate(capacity: channelCount)
    unsafe cursor.initialize(from: memory.rows, count: channelCount)
  }

  deinit { unsafe cursor.deallocate() }

  /// Reads the frames of a slice; behind the file's end there is silence, or its start.
  func fill(_ frameCount: Int) throws(AuricleError) {
    if isAtStart { try skip() }
    guard !hasEnded else {
      unsafe unit.state.pointee.ready = nil
      return
    }
    var done = 0
    var isFresh = false
    while done < frameCount {
      for channel in 0..<channelCount {
        unsafe cursor[channel] = unsafe memory.rows[channel] + done
      }
      let count = try unsafe file.read(into: UnsafePointer(cursor), frameCount: frameCount - done)
      done += count
      if done >= frameCount { break }
      if !loops {
        hasEnded = done == 0
        memory.clear(from: done, to: frameCount)
        break
      }
      if isFresh, count == 0 {
        throw AuricleError(.badData, "\(path) has no sound in it: 0 frames to repeat")
      }
      try file.rewind()
      isFresh = true
    }
    unsafe unit.state.pointee.ready = unsafe hasEnded ? nil : memory.rows
  }

  /// Passes over the frames before the start, around and around where the file is repeated.
  private func skip() throws(AuricleError) {
    isAtStart = false
    var left = start
    var passed = 0
    while left > 0 {
      Heartbeat.enter(.read, unit: Heartbeat.noUnit)
      let count = try unsafe file.read(
        into: UnsafePointer(memory.rows), frameCount: min(left, maximumFrames))
      passed += count
      left -= count
      if count > 0 { continue }
      guard loops, passed > 0 else { return }
      try file.rewind()
      left %= passed
      passed = 0
    }
  }

  /// Is silent from now on.
  func end() { hasEnded = true }

  /// Starts again at the file's first frame, or where the part of the input begins.
  func rewind() throws(AuricleError) {
    hasEnded = false
    isAtStart = true
    try file.rewind()
  }
}
