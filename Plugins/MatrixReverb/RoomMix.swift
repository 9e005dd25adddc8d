// The sum of the dry signal and of the returns of a reverb's two rooms.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CRealtime

/// Gains of the dry signal, of the early and of the late room, and their sum in each channel.
///
/// Outputs of the networks are orthogonal sums of all lines; each channel uses another.
///
/// Context: made and freed on a control thread, otherwise render.
@safe struct RoomMix: ~Copyable {
  /// Returns the output of a network for a channel.
  @_noLocks private static func row(_ channel: Int) -> Int {
    // 5, 10, 15, 4, 9, 14, 3, …: sixteen different ones, the plain sum of all lines last.
    (5 * (channel + 1)) & 15
  }

  private let channelCount: Int
  /// Three rows of an interval.
  private let gains: UnsafeMutablePointer<Float>
  private var areFlat = false

  /// Allocates. Context: control.
  init(channelCount: Int) {
    self.channelCount = channelCount
    unsafe gains = .allocate(capacity: 3 * ControlClock.interval)
    unsafe gains.initialize(repeating: 0, count: 3 * ControlClock.interval)
  }

  deinit { unsafe gains.deallocate() }

  /// Recomputes gains that jumped.
  @_noLocks mutating func reset() { areFlat = false }

  /// Sets the gains of a run.
  ///
  /// - Parameters:
  ///   - balance: How much of the wet signal is early and late; nil where the levels alone say it.
  ///   - early: The level of the early room.
  ///   - late: The level of the late room.
  @_noLocks mutating func setGains(
    _ count: Int, phase: Int, mix: MixGlide, balance: MixGlide?, early: ParameterGlide,
    late: ParameterGlide
  ) {
    let interval = ControlClock.interval
    let isSettled =
      mix.isSettled && early.isSettled && late.isSettled && (balance?.isSettled ?? true)
    if isSettled && areFlat { return }
    areFlat = isSettled
    for index in 0..<(isSettled ? interval : count) {
      let place = phase + index
      let wet = mix.wet(at: place)
      unsafe gains[index] = mix.dry(at: place)
      unsafe gains[interval + index] =
        wet * (balance?.dry(at: place) ?? 1) * early.value(at: place)
      unsafe gains[2 * interval + index] =
        wet * (balance?.wet(at: place) ?? 1) * late.value(at: place)
    }
  }

  /// Mixes a run of every channel in place; returns whether the rooms' returns are audible, unless that is
  /// known already.
  @_noLocks func process(
    _ slice: borrowing RenderSlice, _ frame: Int, _ count: Int,
    _ small: borrowing FeedbackDelayNetwork,
    _ large: borrowing FeedbackDelayNetwork, isLoud: Bool
  ) -> Bool {
    var isLoud = isLoud
    let stride = FeedbackDelayNetwork.outputStride
    for channel in 0..<channelCount {
      let row = Self.row(channel)
      let early = unsafe small.outputs + (row & 7) * stride
      let late = unsafe large.outputs + row * stride
      if channel >= FeedbackDelayNetwork.maximumLineCount {
        // Beyond sixteen channels the outputs are used in pairs; each is overwritten by the mix for
        // its next user, so that no two channels are the same.
        let other = (row + channel / FeedbackDelayNetwork.maximumLineCount) & 15
        let otherLate = unsafe large.outputs + other * stride
        for index in 0..<count {
          unsafe late[index] = (late[index] + otherLate[index]) * 0.70710678
        }
      }
      if channel < 2 && !isLoud {
        isLoud =
          unsafe SampleRun.exceeds(1e-8, early, count) || SampleRun.exceeds(1e-8, late, count)
      }
      unsafe AuricleMixRooms(slice.channel(channel) + frame, early, late, gains, count)
    }
    return isLoud
  }
}
