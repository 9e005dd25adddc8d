// Several devices side by side as one: the channels of the first, then those of the next.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc

/// One direction of several devices, at the clock of the ones that do not follow another.
///
/// Its owner sees interleaved float; each device uses its own format.
package final class GroupPort: PCMPort {
  private struct Lane {
    var port: any PCMPort
    var exchange: SampleExchange
    var channels: Range<Int>
  }

  private let ports: [any PCMPort]
  private var lanes: [Lane] = []
  private var channelCount = 0

  /// Puts ports of one direction side by side; at most one of them has a clock that counts.
  package init(_ ports: [any PCMPort]) { self.ports = ports }

  /// The names of all.
  package var name: String { ports.map(\.name).joined(separator: ", ") }
  /// Direction of the sound.
  package var direction: PCMDirection { ports.first?.direction ?? .playback }
  /// Whether all follow another.
  package var isFollower: Bool { ports.allSatisfy(\.isFollower) }

  /// The greatest held number of all.
  package var heldFrames: Int { ports.map(\.heldFrames).max() ?? 0 }

  /// The one whose progress counts; nil where all follow another.
  private var leader: (any PCMPort)? { ports.first { !$0.isFollower } }

  /// The rate, the period and the buffer are those of the one that counts.
  package func configure(_ request: PCMRequest) throws(AuricleError) -> PCMConfiguration {
    var request = request
    let lead = try leader?.configure(request)
    if let lead {
      request.sampleRate = lead.sampleRate
      request.periodFrames = lead.periodFrames
    }
    var buffer = lead?.bufferFrames ?? 0
    lanes = []
    channelCount = 0
    for port in ports {
      let made: PCMConfiguration
      if let lead, port === leader { made = lead } else { made = try port.configure(request) }
      let channels = channelCount..<(channelCount + made.channelCount)
      lanes.append(
        Lane(
          port: port, exchange: SampleExchange(made, frameCapacity: request.periodFrames),
          channels: channels))
      channelCount = channels.upperBound
      if lead == nil { buffer = max(buffer, made.bufferFrames) }
    }
    return PCMConfiguration(
      format: .native, isPlanar: false, channelCount: channelCount,
      sampleRate: request.sampleRate, periodFrames: request.periodFrames, bufferFrames: buffer)
  }

  /// Does something with all; the first status that is not 0.
  private func all(_ body: (any PCMPort) -> Int32) -> Int32 {
    for port in ports {
      let status = body(port)
      guard status == 0 else { return status }
    }
    return 0
  }

  /// Makes all ready.
  package func prepare() -> Int32 { all { $0.prepare() } }
  /// Starts all clocks.
  package func start() -> Int32 { all { $0.start() } }
  /// Waits for the leading device, after the followers have read their clocks.
  package func wait(frameCount: Int, timeout: UInt64) -> PCMWait {
    for port in ports where port.isFollower {
      _ = port.wait(frameCount: frameCount, timeout: timeout)
    }
    return leader?.wait(frameCount: frameCount, timeout: timeout) ?? .ready
  }
  /// Frames that can be transferred to or from all.
  package func available() -> Int { ports.reduce(Int.max) { min($0, $1.available()) } }

  /// Writes or reads all channels; as many frames as the one that counts does.
  package func transfer(_ block: PCMBlock, from first: Int, frameCount: Int) -> Int {
    guard let lead = lanes.firstIndex(where: { !$0.port.isFollower }) ?? lanes.indices.first else {
      return -Int(EBADFD)
    }
    let count = move(lanes[lead], block, first, frameCount)
    guard count > 0 else { return count }
    for index in lanes.indices where index != lead {
      let other = move(lanes[index], block, first, count)
      if other < 0 { return other }
    }
    return count
  }

  private func move(_ lane: Lane, _ block: PCMBlock, _ first: Int, _ frameCount: Int) -> Int {
    let frames = min(frameCount, lane.exchange.frameCapacity)
    let samples = unsafe block.address(frame: first).assumingMemoryBound(to: Float.self)
    let (width, own) = (channelCount, lane.channels.count)
    let theirs = unsafe lane.exchange.samples
    if direction == .playback {
      for frame in 0..<frames {
        for channel in 0..<own {
          unsafe theirs[frame * own + channel] =
            samples[frame * width + lane.channels.lowerBound + channel]
        }
      }
      lane.exchange.encode(frameCount: frames)
      return lane.port.transfer(lane.exchange.block, from: 0, frameCount: frames)
    }
    let count = lane.port.transfer(lane.exchange.block, from: 0, frameCount: frames)
    guard count > 0 else { return count }
    lane.exchange.decode(frameCount: count)
    for frame in 0..<count {
      for channel in 0..<own {
        unsafe samples[frame * width + lane.channels.lowerBound + channel] =
          theirs[frame * own + channel]
      }
    }
    return count
  }

  /// The state of the leading device.
  package func status() -> PCMStatus {
    (leader ?? ports.first)?.status() ?? PCMStatus(state: .open)
  }
  /// It starts anew instead.
  package func resume() -> Int32 { -ENOSYS }
  /// Stops all.
  package func drop() { for port in ports { port.drop() } }
  /// Closes all ports.
  package func close() { for port in ports { port.close() } }
  /// Ends a wait of the owner.
  package func wake() { for port in ports { port.wake() } }
}
