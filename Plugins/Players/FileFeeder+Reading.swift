// The assignment of a file player's buffers to regions: to the next ones played, and back from later ones.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import Glibc
import Synchronization

// All under the mutex.
extension FileFeeder {
  /// A region of a time goes before the first of a later time, one without to the end: as their slices do.
  func insert(_ region: FileRegion) {
    var place = regions.count
    if let time = region.time {
      place = regions.firstIndex { $0.time.map { $0 > time } ?? false } ?? place
    }
    regions.insert(region, at: place)
  }

  /// Reclaims the buffers that were played, or came back unplayed; ends regions.
  func sweep() {
    guard let buffers = unsafe buffers else { return }
    // Read before the buffers are: once it is settled, all that came back is seen.
    let isSettled = unsafe schedule.queue.pointee.isRecallSettled
    var isAny = false
    for index in 0..<count {
      guard unsafe buffers[index].isUnderWay,
        unsafe buffers[index].isPlayed.load(ordering: .acquiring)
      else { continue }
      unsafe framesUnderWay -= Int(buffers[index].slice.pointee.mNumberFrames)
      unsafe buffers[index].release()
      isAny = true
    }
    if isSettled {
      for region in regions where region.isRecalled {
        region.isRecalled = false
        // A buffer that has begun meanwhile is not returned.
        if region.buffersUnderWay > 0 { region.hasBegun = true }
        if !region.hasBegun { region.rewind() }
        isAny = true
      }
    }
    if isAny { reportEnds() }
  }

  /// Fills one buffer; false if there is none, or nothing to read.
  ///
  /// - Parameter isRendering: Whether this is the render thread, offline.
  func readOn(duringRender isRendering: Bool = false) -> Bool {
    guard let buffers = unsafe buffers, !isEnding,
      let place = regions.firstIndex(where: { !$0.isRead || $0.isRecalled })
    else { return false }
    let region = regions[place]
    if region.isRecalled {
      guard isRendering else { return false }
      withdraw(region)
      return true
    }
    guard let free = (0..<count).first(where: { unsafe !buffers[$0].isUnderWay }) else {
      return recall(behind: place, isRendering)
    }
    if region.reader == nil, !region.open(sampleRate: sampleRate) {
      reportEnds()
      return true
    }
    let channels = region.reader?.channelCount ?? 0
    if scratch.count < channels * frames {
      scratch = [Float](repeating: 0, count: channels * frames)
    }
    let done = unsafe scratch.withUnsafeMutableBufferPointer { memory in
      guard let base = memory.baseAddress else { return 0 }
      return unsafe region.reader?.read(into: base, stride: frames, count: frames) ?? 0
    }
    if done > 0 {
      unsafe spread(channels, to: buffers[free].memory, done)
      unsafe buffers[free].prepare(buffers + free, frames: done, of: region)
      framesUnderWay += done
      region.offset += done
      region.buffersUnderWay += 1
      unsafe schedule.queue.pointee.add(buffers[free].slice)
    }
    if region.reader?.isDone != false {
      region.status = region.reader?.status ?? 0
      region.reader = nil
      region.isRead = true
      reportEnds()
    }
    return true
  }

  /// Recalls the buffers of the last region to play, where a region has none left; returns whether they are
  /// here.
  private func recall(behind place: Int, _ isRendering: Bool) -> Bool {
    let behind = regions[(place + 1)...]
    guard !behind.contains(where: { $0.isRecalled }),
      let last = behind.last(where: { $0.buffersUnderWay > 0 && !$0.hasBegun })
    else { return false }
    last.isRecalled = true
    // A player whose time has not begun is silent: nothing audible is cut off.
    let time = unsafe schedule.queue.pointee.playTime.load(ordering: .relaxed)
    guard isRendering || time < 0 else {
      unsafe schedule.queue.pointee.askBack(last.number)
      return false
    }
    withdraw(last)
    return true
  }

  private func withdraw(_ region: FileRegion) {
    unsafe schedule.queue.pointee.askBack(region.number)
    unsafe schedule.queue.pointee.withdrawNow()
    sweep()
  }

  /// A region's end comes when its last buffer was played.
  private func reportEnds() {
    var isAny = false
    regions.removeAll { region in
      guard region.isRead, region.buffersUnderWay == 0, !region.isRecalled else { return false }
      unsafe ended.append((region.pointer, region.status))
      isAny = true
      return true
    }
    if isAny { unsafe sem_post(wake) }
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
