// What a host sets of a receiving unit, and the link that follows from it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleSDK
import CAudioToolbox
import NetworkSound
import Synchronization

/// The settings and the link of one receiving unit.
///
/// A link is there while the unit is initialised, for a render with a clock, and a host has connected it.
final class ReceiveControl: Sendable {
  /// The settings.
  struct Settings {
    /// The sender, as `address:port` or `address`; empty for a unit that listens.
    var host = ""
    var password = ""
    var passwordFile = ""
    var isDisconnected = true
    /// The address with the port at which it listens, and the computer that may send there.
    var listens = "127.0.0.1"
    var sender = ""
    /// The SDP text or file of plain RTP; empty for the session layer.
    var description = ""
    /// Milliseconds for the jitter of the network.
    var latency = 60.0
  }

  private struct State {
    var settings = Settings()
    var link: ReceiverLink?
    var kernels = 0
    var format: (sampleRate: Double, channelCount: Int)?
  }

  private let state = Mutex(State())
  /// The counts and the status of the link.
  let board = SoundBoard()

  /// The settings. Setting them takes effect at the next connection.
  var settings: Settings {
    get { state.withLock { $0.settings } }
    set { state.withLock { $0.settings = newValue } }
  }

  /// Changes a setting.
  func change<Value>(_ path: WritableKeyPath<Settings, Value>, _ value: Value) {
    state.withLock { $0.settings[keyPath: path] = value }
  }

  /// A kernel begins; returns the link, if there is one.
  ///
  /// - Throws: A refusal with the reason why there can be none.
  func begin(_ format: RenderFormat) throws(UnitRefusal) -> ReceiverLink? {
    guard !format.isOffline else { return nil }
    return try state.withLock { state throws(UnitRefusal) in
      state.format = (format.sampleRate, format.channelCount)
      try Self.open(&state, board)
      state.kernels += 1
      return state.link
    }
  }

  /// A kernel that had begun ends.
  func finish() {
    state.withLock { state in
      state.kernels -= 1
      guard state.kernels == 0 else { return }
      Self.close(&state)
      state.format = nil
    }
  }

  /// Connects or disconnects; a unit that is initialised does it now.
  func setDisconnected(_ isDisconnected: Bool) throws(UnitRefusal) {
    try state.withLock { state throws(UnitRefusal) in
      state.settings.isDisconnected = isDisconnected
      Self.close(&state)
      do throws(UnitRefusal) {
        try Self.open(&state, board)
      } catch {
        state.settings.isDisconnected = true
        throw error
      }
    }
  }

  private static func close(_ state: inout State) {
    state.link?.end()
    state.link = nil
  }

  private static func open(_ state: inout State, _ board: SoundBoard) throws(UnitRefusal) {
    guard state.link == nil, !state.settings.isDisconnected, let format = state.format else {
      return
    }
    do throws(AuricleError) {
      let feed = SoundFeed(
        sampleRate: format.sampleRate, channelCount: format.channelCount, board: board)
      state.link = try ReceiverLink(setup(state.settings), feed)
    } catch { throw UnitRefusal(status: kAudioUnitErr_FailedInitialization, reason: error.message) }
  }

  private static func setup(_ settings: Settings) throws(AuricleError) -> ReceiverLink.Setup {
    var setup = ReceiverLink.Setup()
    setup.latency = settings.latency / 1000
    setup.password =
      settings.password.isEmpty
      ? try PasswordFile.password(settings.passwordFile) : settings.password
    if !settings.host.isEmpty, settings.description.isEmpty {
      setup.peer = try HostAndPort(settings.host).address()
      return setup
    }
    var place = try HostAndPort(settings.listens)
    if !settings.sender.isEmpty {
      setup.invited = [try PeerAddress.find(settings.sender, port: 0)]
    }
    if !settings.description.isEmpty {
      let description = try SoundDescription(reading: settings.description)
      (setup.plain, setup.plainKind) = (description.format, description.kind)
      place.port = description.port
    }
    setup.bound = try place.address()
    return setup
  }
}
