// The toolbox: functions of C, and units of version 3.
// SPDX-License-Identifier: Apache-2.0

@_exported import CoreAudio
@_exported import CoreMIDI
