// The hardware layer, whose functions are those of C.
// SPDX-License-Identifier: Apache-2.0

@_exported import CoreAudioTypes
