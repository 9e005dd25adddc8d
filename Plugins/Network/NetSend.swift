// The sending unit: passes its input on, and sends it over the network.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import NetworkSound
import RealtimeSupport
import Synchronization

/// The saved state of a sending unit: its settings but the password, and not that it is connected.
struct SendModel: UnitModel {
  let control = SendControl()

  init() {}

  func save(to state: UnitState) {
    let settings = control.settings
    state.set("port", integer: Int32(settings.port))
    state.set("format", integer: Int32(settings.formatIndex))
    state.set("name", string: settings.serviceName)
    state.set("listen", string: settings.listens)
    state.set("to", string: settings.destinations)
    state.set("password-file", string: settings.passwordFile)
  }

  init(restoring state: UnitState, version: Int32) {
    var settings = control.settings
    if let port = state.integer("port"), (1...65_535).contains(port) {
      settings.port = UInt32(port)
    }
    if let index = state.integer("format"), (0...13).contains(index) {
      settings.formatIndex = Int(index)
    }
    settings.serviceName = state.string("name") ?? settings.serviceName
    settings.listens = state.string("listen") ?? settings.listens
    settings.destinations = state.string("to") ?? ""
    settings.passwordFile = state.string("password-file") ?? ""
    control.settings = settings
  }
}

/// A sender to receivers that call its port, and of plain RTP to hosts by their names.
@safe struct NetSend: EffectUnit, ~Copyable {
  typealias State = SendModel

  static let component = Component(
    "Auricle: Net Send", subtype: "nsnd", manufacturer: "appl",
    summary: "Passes sound on, and sends it over the network.", tags: ["Effects", "Network"])

  struct Parameters: ParameterSet {
    @Meter(kAUNetSendParam_Status, "status", 0...5, unit: networkStatusUnit) var status: Float
  }

  static func configure(_ definition: inout UnitDefinition) {
    definition.parameters[0].valueNames = networkStatusNames
  }

  private let parameters: Parameters
  private let control: SendControl
  private let hasBegun: Bool
  /// The board of the control, which outlives this.
  private let board: UnsafeMutablePointer<SoundBoard.Shared>
  private let feed: UnsafeMutablePointer<SenderFeed>?
  private let scratch: UnsafeMutablePointer<Float>
  private let channelCount: Int

  init(_ setup: UnitSetup<Self>) throws(UnitRefusal) {
    parameters = setup.parameters
    control = setup.state.control
    channelCount = setup.channelCount
    hasBegun = !setup.format.isOffline
    unsafe board = control.board.shared
    if let link = try control.begin(setup.format) {
      unsafe feed = .allocate(capacity: 1)
      unsafe feed?.initialize(to: SenderFeed(link))
    } else {
      unsafe feed = nil
    }
    let count = max(1, setup.maximumFrames * channelCount)
    unsafe scratch = .allocate(capacity: count)
    unsafe scratch.initialize(repeating: 0, count: count)
  }

  deinit {
    unsafe feed?.deinitialize(count: 1)
    unsafe feed?.deallocate()
    unsafe scratch.deallocate()
    if hasBegun { control.finish() }
  }

  @_noLocks mutating func reset() {}

  @_noLocks mutating func process(_ slice: RenderSlice) {
    if let feed = unsafe feed {
      for channel in 0..<channelCount {
        let samples = unsafe slice.channel(channel)
        for frame in 0..<slice.frameCount {
          unsafe scratch[frame * channelCount + channel] = samples[frame]
        }
      }
      unsafe feed.pointee.write(
        scratch, frameCount: slice.frameCount, now: RenderClock.nanoseconds())
    }
    parameters.status = unsafe Float(board.pointee.status.load(ordering: .relaxed))
  }
}

/// Makes one sending unit; the factory function of the component. Context: control.
@c(AuricleNetSendFactory)
public func netSendFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(NetSend.self, request) { unsafe render(NetSend.self, $0, $1) }
}
