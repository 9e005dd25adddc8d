// The choices of the units that shift the pitch: where a voice's formants go, and how long the windows are.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// Where the resonances of a voice go when its pitch moves.
enum Formants: String, ParameterChoice { case shifted, kept }

/// The length of the windows: short ones are coarser, and make the sound much sooner.
enum Windows: String, ParameterChoice { case long, short }

/// Parameters of these units that Core Audio does not have.
enum PitchParameter {
  static let formants: UInt32 = 64_100
  static let windows: UInt32 = 64_101
}
