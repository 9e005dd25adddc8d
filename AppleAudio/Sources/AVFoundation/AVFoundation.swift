// The audio side of AVFoundation.
// SPDX-License-Identifier: Apache-2.0

@_exported import AVFAudio
