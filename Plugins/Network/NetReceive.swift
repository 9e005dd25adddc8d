// The receiving unit: plays what a sender sends over the network.
// SPDX-License-Identifier: Apache-2.0

public import AuricleSDK
import CAudioToolbox
import NetworkSound
import RealtimeSupport
import Synchronization

/// The saved state of a receiving unit: its settings but the password, and not that it is connected.
struct ReceiveModel: UnitModel {
  let control = ReceiveControl()

  init() {}

  func save(to state: UnitState) {
    let settings = control.settings
    state.set("host", string: settings.host)
    state.set("listen", string: settings.listens)
    state.set("from", string: settings.sender)
    state.set("sdp", string: settings.description)
    state.set("latency", integer: Int32(settings.latency))
    state.set("password-file", string: settings.passwordFile)
  }

  init(restoring state: UnitState, version: Int32) {
    var settings = control.settings
    settings.host = state.string("host") ?? ""
    settings.listens = state.string("listen") ?? settings.listens
    settings.sender = state.string("from") ?? ""
    settings.description = state.string("sdp") ?? ""
    if let latency = state.integer("latency"), (1...2000).contains(latency) {
      settings.latency = Double(latency)
    }
    settings.passwordFile = state.string("password-file") ?? ""
    control.settings = settings
  }
}

/// A receiver that calls a sender, or listens to one that was named.
@safe struct NetReceive: GeneratorUnit, ~Copyable {
  typealias State = ReceiveModel

  static let component = Component(
    "Auricle: Net Receive", subtype: "nrcv", manufacturer: "appl",
    summary: "Plays what another program or machine sends over the network.",
    tags: ["Generators", "Network"])

  struct Parameters: ParameterSet {
    @Meter(kAUNetReceiveParam_Status, "status", 0...5, unit: networkStatusUnit) var status: Float
  }

  static func configure(_ definition: inout UnitDefinition) {
    definition.parameters[0].valueNames = networkStatusNames
  }

  private let parameters: Parameters
  private let control: ReceiveControl
  private let hasBegun: Bool
  /// The board of the control, which outlives this.
  private let board: UnsafeMutablePointer<SoundBoard.Shared>
  private let reader: UnsafeMutablePointer<PlayoutReader>?
  private let scratch: UnsafeMutablePointer<Float>
  private let channelCount: Int
  private var underflows = 0

  init(_ setup: UnitSetup<Self>) throws(UnitRefusal) {
    parameters = setup.parameters
    control = setup.state.control
    channelCount = setup.channelCount
    hasBegun = !setup.format.isOffline
    unsafe board = control.board.shared
    if let link = try control.begin(setup.format) {
      unsafe reader = .allocate(capacity: 1)
      unsafe reader?.initialize(
        to: PlayoutReader(
          link.feed, latency: link.latency, maximumFrames: setup.maximumFrames))
    } else {
      unsafe reader = nil
    }
    let count = max(1, setup.maximumFrames * channelCount)
    unsafe scratch = .allocate(capacity: count)
    unsafe scratch.initialize(repeating: 0, count: count)
  }

  deinit {
    unsafe reader?.deinitialize(count: 1)
    unsafe reader?.deallocate()
    unsafe scratch.deallocate()
    if hasBegun { control.finish() }
  }

  @_noLocks mutating func reset() { unsafe reader?.pointee.reset() }

  @_noLocks mutating func process(_ slice: RenderSlice) {
    let count = slice.frameCount
    if let reader = unsafe reader {
      unsafe reader.pointee.read(scratch, frameCount: count, now: RenderClock.nanoseconds())
      for channel in 0..<channelCount {
        let samples = unsafe slice.channel(channel)
        for frame in 0..<count {
          unsafe samples[frame] = scratch[frame * channelCount + channel]
        }
      }
    } else {
      for channel in 0..<channelCount {
        unsafe slice.channel(channel).update(repeating: 0, count: count)
      }
      slice.markOutputSilent()
    }
    showStatus()
  }

  /// Shows an underflow for a slice, else what the link is.
  @_noLocks private mutating func showStatus() {
    let lost = unsafe board.pointee.underflows.load(ordering: .relaxed)
    let status = unsafe board.pointee.status.load(ordering: .relaxed)
    let isNew = lost != underflows && status == kAUNetStatus_Connected
    underflows = lost
    parameters.status = Float(isNew ? kAUNetStatus_Underflow : status)
  }
}

/// Makes one receiving unit; the factory function of the component. Context: control.
@c(AuricleNetReceiveFactory)
public func netReceiveFactory(_ request: ComponentRequest) -> ComponentInterface? {
  unsafe makeUnit(NetReceive.self, request) { unsafe render(NetReceive.self, $0, $1) }
}
