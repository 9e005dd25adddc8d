// What a host sets of a sending unit, and the link that follows from it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleSDK
import CAudioToolbox
import NetworkSound
import Synchronization

/// The settings and the link of one sending unit.
///
/// A link is there while the unit is initialised, for a render with a clock, and a host has connected it.
final class SendControl: Sendable {
  /// The settings.
  struct Settings {
    var port = UInt32(HostAndPort.usualPort)
    var formatIndex = 0
    var serviceName = "AUNetSend"
    var password = ""
    var passwordFile = ""
    var isDisconnected = true
    /// The address at which it listens.
    var listens = "127.0.0.1"
    /// Hosts that get plain RTP, with blanks between.
    var destinations = ""
  }

  private struct State {
    var settings = Settings()
    var link: SenderLink?
    /// Kernels that are alive, and what the last one was made for.
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

  /// The description of what plain receivers get, as SDP; empty without a link.
  var description: String {
    state.withLock { state in
      guard let link = state.link,
        let first = state.settings.destinations.split(separator: " ").first,
        let place = try? HostAndPort(String(first))
      else { return "" }
      return SoundDescription(
        host: place.host, port: place.port, kind: SoundFormat.dynamicKind, format: link.format
      ).text
    }
  }

  /// A kernel begins; returns the link, if there is one.
  ///
  /// - Throws: A refusal with the reason why there can be none.
  func begin(_ format: RenderFormat) throws(UnitRefusal) -> SenderLink? {
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
    let settings = state.settings
    var setup = SenderLink.Setup(
      try SendFormats.format(
        settings.formatIndex, sampleRate: format.sampleRate, channelCount: format.channelCount))
    do throws(AuricleError) {
      setup.password =
        settings.password.isEmpty
        ? try PasswordFile.password(settings.passwordFile) : settings.password
      var place = try HostAndPort(settings.listens)
      place.port = UInt16(clamping: settings.port)
      setup.bound = try place.address()
      // What nobody else can call is announced to nobody.
      if setup.bound?.isLoopback == false { setup.announcedName = settings.serviceName }
      for text in settings.destinations.split(separator: " ") {
        setup.plain.append(try HostAndPort(String(text)).address())
      }
      state.link = try SenderLink(setup, board: board)
    } catch { throw UnitRefusal(status: kAudioUnitErr_FailedInitialization, reason: error.message) }
  }
}
