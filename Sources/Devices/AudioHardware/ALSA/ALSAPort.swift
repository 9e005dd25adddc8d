// A port of ALSA: a card, or a plug-in of alsa-lib.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CALSA
import Glibc

/// One direction of an ALSA PCM.
@safe package final class ALSAPort: PCMPort {
  /// The PCM's name: `hw:1,0`, `default`.
  package let name: String
  /// Direction of the sound.
  package let direction: PCMDirection
  var pcm: OpaquePointer?
  var configuration: PCMConfiguration?
  var usesMemoryMap = false
  /// Frames written or read since it was prepared.
  private var framesDone: Int64 = 0
  private let event: Int32
  private var descriptors: [pollfd] = []

  /// Opens a PCM.
  ///
  /// - Throws: `.unavailable`, `.temporary` where it is busy, `.noPermission`.
  ///
  /// Context: control.
  package init(name: String, direction: PCMDirection) throws(AuricleError) {
    self.name = name
    self.direction = direction
    let event = auricle_event()
    self.event = event
    let stream = direction == .playback ? SND_PCM_STREAM_PLAYBACK : SND_PCM_STREAM_CAPTURE
    var opened: OpaquePointer?
    let status = unsafe ALSALibrary.open(name, stream, into: &opened)
    guard status == 0, let opened = unsafe opened else {
      Glibc.close(event)
      throw ALSAFailure.opening(name, direction, status)
    }
    unsafe pcm = opened
  }

  deinit {
    close()
    Glibc.close(event)
  }

  /// Makes it ready.
  package func prepare() -> Int32 {
    guard let pcm = unsafe pcm else { return -EBADFD }
    framesDone = 0
    return unsafe snd_pcm_prepare(pcm)
  }

  /// Starts the clock.
  package func start() -> Int32 {
    guard let pcm = unsafe pcm else { return -EBADFD }
    if unsafe snd_pcm_state(pcm) == SND_PCM_STATE_RUNNING { return 0 }
    return unsafe snd_pcm_start(pcm)
  }

  /// Waits for the descriptors, which are fetched each time: those of plug-ins change.
  package func wait(frameCount: Int, timeout: UInt64) -> PCMWait {
    guard let pcm = unsafe pcm else { return .ready }
    let room = unsafe snd_pcm_avail_update(pcm)
    if room < 0 || room >= frameCount { return .ready }
    let count = max(0, unsafe snd_pcm_poll_descriptors_count(pcm))
    if descriptors.count != Int(count) + 1 {
      descriptors = Array(repeating: pollfd(), count: Int(count) + 1)
    }
    descriptors[0] = pollfd(fd: event, events: Int16(POLLIN), revents: 0)
    let result = unsafe descriptors.withUnsafeMutableBufferPointer { buffer -> PCMWait in
      guard let all = buffer.baseAddress else { return .ready }
      let own = unsafe all + 1
      let filled = unsafe snd_pcm_poll_descriptors(pcm, own, UInt32(count))
      guard filled >= 0 else { return .ready }
      let milliseconds = Int32(clamping: (timeout + 999_999) / 1_000_000)
      let ready = unsafe poll(all, nfds_t(filled + 1), milliseconds)
      if ready == 0 { return .timedOut }
      if unsafe all.pointee.revents != 0 {
        var value: UInt64 = 0
        _ = unsafe read(event, &value, 8)
        return .woken
      }
      var events: UInt16 = 0
      unsafe _ = snd_pcm_poll_descriptors_revents(pcm, own, UInt32(filled), &events)
      return .ready
    }
    return result
  }

  /// Frames that can be transferred.
  package func available() -> Int {
    guard let pcm = unsafe pcm else { return -Int(EBADFD) }
    let room = unsafe snd_pcm_avail(pcm)
    if room >= 0 { return min(Int(room), configuration?.bufferFrames ?? Int(room)) }
    let state = unsafe snd_pcm_state(pcm)
    // Some plug-ins say another thing than the state does.
    switch state {
    case SND_PCM_STATE_XRUN: return -Int(EPIPE)
    case SND_PCM_STATE_SUSPENDED: return -Int(ESTRPIPE)
    case SND_PCM_STATE_DISCONNECTED: return -Int(ENODEV)
    default: return Int(room)
    }
  }

  /// Writes or reads.
  package func transfer(_ block: PCMBlock, from first: Int, frameCount: Int) -> Int {
    let count = move(block, first, frameCount)
    if count > 0 { framesDone += Int64(count) }
    return count
  }

  private func move(_ block: PCMBlock, _ first: Int, _ frameCount: Int) -> Int {
    guard let pcm = unsafe pcm else { return -Int(EBADFD) }
    let frames = snd_pcm_uframes_t(frameCount)
    guard block.isPlanar else {
      let data = unsafe block.address(frame: first)
      switch (direction, usesMemoryMap) {
      case (.playback, true): return Int(unsafe snd_pcm_mmap_writei(pcm, data, frames))
      case (.playback, false): return Int(unsafe snd_pcm_writei(pcm, data, frames))
      case (.capture, true): return Int(unsafe snd_pcm_mmap_readi(pcm, data, frames))
      case (.capture, false): return Int(unsafe snd_pcm_readi(pcm, data, frames))
      }
    }
    return unsafe withUnsafeTemporaryAllocation(
      of: UnsafeMutableRawPointer?.self, capacity: block.channelCount
    ) { rows in
      for channel in 0..<block.channelCount {
        unsafe rows.initializeElement(
          at: channel, to: block.address(frame: first, channel: channel))
      }
      guard let start = rows.baseAddress else { return 0 }
      switch (direction, usesMemoryMap) {
      case (.playback, true): return Int(unsafe snd_pcm_mmap_writen(pcm, start, frames))
      case (.playback, false): return Int(unsafe snd_pcm_writen(pcm, start, frames))
      case (.capture, true): return Int(unsafe snd_pcm_mmap_readn(pcm, start, frames))
      case (.capture, false): return Int(unsafe snd_pcm_readn(pcm, start, frames))
      }
    }
  }

  /// State, delay and position, with the driver's stamp of that.
  package func status() -> PCMStatus {
    guard let pcm = unsafe pcm else { return PCMStatus(state: .disconnected) }
    // The stamp first: later questions may move it.
    var room: snd_pcm_uframes_t = 0
    let stamp = unsafe auricle_alsa_stamp(pcm, &room)
    var delay: snd_pcm_sframes_t = 0
    let known = unsafe snd_pcm_delay(pcm, &delay) == 0
    let state: PCMState =
      switch unsafe snd_pcm_state(pcm) {
      case SND_PCM_STATE_OPEN, SND_PCM_STATE_SETUP: .open
      case SND_PCM_STATE_PREPARED: .prepared
      case SND_PCM_STATE_RUNNING, SND_PCM_STATE_DRAINING, SND_PCM_STATE_PAUSED: .running
      case SND_PCM_STATE_XRUN: .overrun
      case SND_PCM_STATE_SUSPENDED: .suspended
      default: .disconnected
      }
    var status = PCMStatus(state: state, delay: known ? Int(delay) : nil)
    guard stamp >= 0, let configuration else { return status }
    let held =
      direction == .capture ? Int64(room) : Int64(room) - Int64(configuration.bufferFrames)
    status.position = framesDone + held
    status.stamp = UInt64(stamp)
    return status
  }

  /// Resumes; the caller checks the state, which some plug-ins do not change.
  package func resume() -> Int32 {
    guard let pcm = unsafe pcm else { return -EBADFD }
    return unsafe snd_pcm_resume(pcm)
  }

  /// Stops at once.
  package func drop() {
    if let pcm = unsafe pcm { unsafe _ = snd_pcm_drop(pcm) }
  }

  /// Links two ports of one card.
  package func link(_ other: any PCMPort) -> Bool {
    guard let pcm = unsafe pcm, let other = (other as? ALSAPort), let second = unsafe other.pcm
    else { return false }
    return unsafe snd_pcm_link(pcm, second) == 0
  }

  /// Closes the device.
  package func close() {
    guard let pcm = unsafe pcm else { return }
    unsafe self.pcm = nil
    ALSALibrary.locked {
      unsafe _ = snd_pcm_drop(pcm)
      unsafe _ = snd_pcm_close(pcm)
    }
  }

  /// Ends a wait.
  package func wake() {
    var one: UInt64 = 1
    _ = unsafe write(event, &one, 8)
  }
}
