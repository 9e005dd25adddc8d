// The receiver's side of the render thread: blocks from the ring into a line of time, and frames out at the reader's rate.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import DriftCompensation
import RealtimeSupport
import Synchronization

/// Reads a stream at a constant distance behind its newest frame.
///
/// As long as both clocks agree the samples come out bit for bit. When they have drifted apart by more than
/// two milliseconds, the speed follows from then on. Made and freed on a control thread, all else render.
@safe package struct PlayoutReader: ~Copyable {
  /// Keeps the ring and the board.
  private let feed: SoundFeed
  private let consumer: SPSCRingConsumer
  private let board: UnsafeMutablePointer<SoundBoard.Shared>
  private let channelCount: Int
  private let outputRate: Double
  /// Seconds beyond a packet and a slice.
  private let latency: Double
  /// The line of time: frames by their position, and whether each has come.
  private let line: UnsafeMutablePointer<Float>
  private let isThere: UnsafeMutablePointer<UInt8>
  private let capacity: Int
  private let scratch: UnsafeMutablePointer<Float>
  private let silence: UnsafeMutablePointer<Float>
  private var concealment: LossConcealment
  private var reader: SpeedReader
  private let maximumPush: Int
  /// Frames that the filter reads ahead.
  private let reach: Int

  // The stream.
  private var epoch: UInt32 = 0
  private var rate = 48_000.0
  private var packetFrames = 0
  private var first: Int64 = 0
  private var newest: Int64 = 0
  private var hasSound = false
  private var hasEnded = false
  private var arrivals = MinimumWindow()

  // The reader.
  private var isPlaying = false
  /// The next frame of the line for the filter, and the place that is read.
  private var next: Int64 = 0
  private var place = 0.0
  private var readings = MinimumWindow()
  /// Frames that were read since the start: the reader's clock, whatever the speed.
  private var frames = 0.0
  private var started: UInt64 = 0
  private var largestSlice = 0
  private var starved = 0
  private var isEngaged = false
  private var hasOffset = false
  private var offset = 0.0
  private var step = 1.0
  private let loop: UnsafeMutablePointer<DriftLoop>

  /// Allocates.
  ///
  /// - Parameters:
  ///   - latency: Seconds for the jitter of the network, beyond a packet and a slice.
  ///   - maximumFrames: The most frames that are read at once.
  package init(_ feed: SoundFeed, latency: Double, maximumFrames: Int) {
    self.feed = feed
    consumer = feed.ring.consumer
    unsafe board = feed.board.shared
    channelCount = feed.channelCount
    outputRate = feed.sampleRate
    self.latency = min(max(latency, 0.001), 2)
    var capacity = 1 << 14
    while Double(capacity) < 5 * max(feed.sampleRate, 48_000) { capacity <<= 1 }
    self.capacity = capacity
    unsafe line = Self.cleared(capacity * channelCount)
    unsafe isThere = .allocate(capacity: capacity)
    unsafe isThere.initialize(repeating: 0, count: capacity)
    unsafe scratch = Self.cleared(SoundLimits.mostFrames * channelCount)
    unsafe silence = Self.cleared(channelCount)
    concealment = LossConcealment(channelCount: channelCount, sampleRate: feed.sampleRate)
    maximumPush = 1024
    let quality = RateQuality(
      complexity: kAudioUnitSampleRateConverterComplexity_Normal, renderQuality: 64)
    reader = SpeedReader(
      quality, channelCount: channelCount, greatestStep: Self.greatestStep,
      maximumPush: maximumPush, ahead: 2 * maximumPush)
    reach = reader.reach
    unsafe loop = .allocate(capacity: 1)
    unsafe loop.initialize(to: DriftLoop(sampleRate: feed.sampleRate))
  }

  deinit {
    unsafe line.deallocate()
    unsafe isThere.deallocate()
    unsafe scratch.deallocate()
    unsafe silence.deallocate()
    unsafe loop.deallocate()
  }

  private static func cleared(_ count: Int) -> UnsafeMutablePointer<Float> {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
    return unsafe memory
  }

  /// The most frames of a stream for one of the reader.
  package static var greatestStep: Double { 4.2 }

  /// Forgets the stream's sound, and begins with the next that comes.
  @_noLocks package mutating func reset() { forget() }

  // MARK: In

  /// Moves all blocks of the ring to the line.
  @_noLocks private mutating func drain() {
    var block = SoundBlock()
    while consumer.pop(&block) {
      let count = Int(block.frameCount)
      if count > 0, count <= SoundLimits.mostFrames {
        guard unsafe consumer.read(into: scratch, count: count * channelCount * 4) else { return }
      }
      if block.epoch != epoch {
        forget()
        epoch = block.epoch
        rate = block.sampleRate
        packetFrames = Int(block.packetFrames)
        first = block.position
        newest = block.position
        hasEnded = false
      }
      if count == 0 { hasEnded = true } else { insert(block, count) }
    }
  }

  @_noLocks private mutating func forget() {
    unsafe isThere.update(repeating: 0, count: capacity)
    concealment.reset()
    reader.reset()
    restartLoop()
    (isPlaying, hasSound, isEngaged, hasOffset, starved) = (false, false, false, false, 0)
    (offset, step) = (0, 1)
    arrivals = MinimumWindow()
    readings = MinimumWindow()
  }

  @_noLocks private mutating func insert(_ block: SoundBlock, _ count: Int) {
    let end = block.position + Int64(count)
    // How old the newest frame is: of all packets, the fastest count.
    arrivals.add(Double(block.arrival) - Double(end) * 1e9 / rate, at: block.arrival)
    if isPlaying, end <= next {
      unsafe board.pointee.late.add(1, ordering: .relaxed)
      return
    }
    if !isPlaying, !hasSound { (first, newest) = (block.position, block.position) }
    let oldest = isPlaying ? next : first
    if end > oldest + Int64(capacity) {
      // It is further ahead than there is room for: nothing behind it is worth the wait.
      forget()
      first = block.position
      newest = block.position
      arrivals.add(Double(block.arrival) - Double(end) * 1e9 / rate, at: block.arrival)
    } else if !isPlaying, block.position < first {
      first = max(block.position, newest - Int64(capacity / 2))
    }
    hasSound = true
    newest = max(newest, end)
    let least = isPlaying ? next : first
    for frame in 0..<count where block.position + Int64(frame) >= least {
      let slot = slot(block.position + Int64(frame))
      for channel in 0..<channelCount {
        unsafe line[slot * channelCount + channel] = scratch[frame * channelCount + channel]
      }
      unsafe isThere[slot] = 1
    }
  }

  @_noLocks private func slot(_ position: Int64) -> Int { Int(position & Int64(capacity - 1)) }

  // MARK: Out

  /// Reads interleaved frames at a time (ns) of the clock that the blocks' times are of.
  @_noLocks package mutating func read(
    _ out: UnsafeMutablePointer<Float>, frameCount: Int, now: UInt64
  ) {
    drain()
    largestSlice = max(largestSlice, frameCount)
    if !isPlaying { begin(frameCount, now) }
    guard isPlaying else {
      unsafe out.update(repeating: 0, count: frameCount * channelCount)
      return
    }
    let target = correct(frameCount, now)
    let from = step
    for frame in 0..<frameCount {
      step = from + (target - from) * Double(frame + 1) / Double(frameCount)
      let usable = filterStep(step)
      let wanted = reader.missing(1, step: usable)
      if wanted > 0 { push(max(wanted, min(maximumPush, frameCount - frame))) }
      let reach = reader.aim(usable, isQuiet: false)
      for channel in 0..<channelCount {
        unsafe out[frame * channelCount + channel] = reader.sample(channel, reach: reach)
      }
      reader.advance(step)
      place += step
    }
    step = target
    endIfStarved(frameCount)
  }

  /// The speed that the filter is made for: near 1 it is that of 1, and the speed 1 itself needs none at first.
  @_noLocks private func filterStep(_ step: Double) -> Double {
    isEngaged && step < 1.06 ? min(step, 1 - 1e-12) : step
  }

  /// Frames between the newest that came and the place that is read.
  private var targetFrames: Double {
    @_noLocks get {
      latency * rate + Double(packetFrames) + Double(largestSlice) * rate / outputRate
        + Double(reach) * max(1, rate / outputRate) + 1
    }
  }

  /// The place that should be read at a time.
  @_noLocks private func wantedPlace(_ now: UInt64) -> Double {
    (Double(now) - arrivals.value) * rate * 1e-9 - targetFrames
  }

  /// Starts when the first frame is due.
  @_noLocks private mutating func begin(_ frameCount: Int, _ now: UInt64) {
    guard hasSound, !hasEnded || newest > first else { return }
    let wanted = wantedPlace(now)
    guard wanted.isFinite, wanted + Double(frameCount) * rate / outputRate > Double(first),
      wanted < Double(newest)
    else { return }
    isPlaying = true
    place = RealtimeMath.floor(wanted + 0.5)
    next = Int64(place)
    started = now
    frames = 0
    reader.reset()
    readings = MinimumWindow()
    step = rate / outputRate
    isEngaged = step != 1
  }

  /// Puts frames of the line into the filter.
  @_noLocks private mutating func push(_ count: Int) {
    reader.makeRoom(count)
    guard reader.canPush(count) else { return }
    for frame in 0..<count {
      let slot = slot(next)
      let isHere = unsafe isThere[slot] != 0 && next < newest
      unsafe isThere[slot] = 0
      let source = unsafe line + slot * channelCount
      if isHere, concealment.isTransparent {
        unsafe concealment.note(source)
        for channel in 0..<channelCount {
          unsafe reader.pushPointer(channel)[frame] = source[channel]
        }
      } else {
        if !isHere { miss() }
        unsafe concealment.next(isHere ? source : nil, silence)
        for channel in 0..<channelCount {
          unsafe reader.pushPointer(channel)[frame] = silence[channel]
        }
      }
      next += 1
    }
    reader.push(count, isSilent: false)
  }

  /// Counts a frame that is not there; one after the end of a stream is none that is missed.
  @_noLocks private mutating func miss() {
    let isNew = concealment.breakOff()
    guard next >= first else { return }
    let isStarving = next >= newest
    if isStarving { starved += 1 }
    if hasEnded, isStarving { return }
    if isNew {
      unsafe board.pointee.gaps.add(1, ordering: .relaxed)
      if isStarving { unsafe board.pointee.underflows.add(1, ordering: .relaxed) }
    }
    unsafe board.pointee.missingFrames.add(1, ordering: .relaxed)
  }

  /// Ends where nothing came for half a second; the next block begins anew.
  @_noLocks private mutating func endIfStarved(_ frameCount: Int) {
    if newest > next { starved = 0 }
    guard Double(starved) > rate / 2 || hasEnded && starved > concealment.fadeFrames + reach
    else { return }
    let (lasting, last) = (epoch, newest)
    let ended = hasEnded
    forget()
    (epoch, first, newest, hasEnded) = (lasting, last, last, ended)
  }

  // MARK: The clocks

  /// Compares both clocks; returns the speed that is to be moved to.
  @_noLocks private mutating func correct(_ frameCount: Int, _ now: UInt64) -> Double {
    let usual = rate / outputRate
    readings.add(Double(now) - frames * 1e9 / outputRate, at: now)
    // The moment of this slice as the most punctual ones have it: only clocks are smoothed, the place is what it is.
    let moment = frames * 1e9 / outputRate + readings.value
    let lead = moment - place * 1e9 / rate - arrivals.value
    frames += Double(frameCount)
    guard lead.isFinite else { return step }
    unsafe board.pointee.latency.store(Int(max(0, lead)), ordering: .relaxed)
    // Until so many packets came, the fastest of them is not known.
    guard now > started &+ 4_000_000_000 else { return step }
    let error = lead * rate * 1e-9 - targetFrames
    if abs(error) > 0.02 * rate + latency * rate / 2 || error < -latency * rate / 2 {
      jump(now)
      return usual
    }
    // The distance that there is stays: nothing glides for a few milliseconds' sake.
    if !hasOffset { (offset, hasOffset) = (error, true) }
    if !isEngaged, abs(error - offset) > 0.002 * rate { (isEngaged, offset) = (true, error) }
    guard isEngaged else { return usual }
    let ratio = follow(error - offset, Double(frameCount))
    unsafe board.pointee.drift.store(Int((ratio - 1) * 1e9), ordering: .relaxed)
    return usual * ratio
  }

  @_noLocks private mutating func follow(_ error: Double, _ frames: Double) -> Double {
    // Door out of checked code: the loop calls an exponential of the C library.
    let loop = unsafe loop
    return unsafe _unsafePerformance { unsafe loop.pointee.update(error: error, frames: frames) }
  }

  @_noLocks private func restartLoop() {
    let loop = unsafe loop
    unsafe _unsafePerformance { unsafe loop.pointee.reset() }
  }

  /// Goes to the place that should be read, with a fade.
  @_noLocks private mutating func jump(_ now: UInt64) {
    let wanted = wantedPlace(now)
    guard wanted.isFinite else { return }
    unsafe board.pointee.jumps.add(1, ordering: .relaxed)
    let backlog = Double(next) - place
    let target = Int64(RealtimeMath.floor(wanted + backlog + 0.5))
    while next < target, next < newest {
      unsafe isThere[slot(next)] = 0
      next += 1
    }
    next = target
    place = Double(target) - backlog
    _ = concealment.breakOff()
    restartLoop()
    started = now
    (hasOffset, offset) = (false, 0)
  }
}
