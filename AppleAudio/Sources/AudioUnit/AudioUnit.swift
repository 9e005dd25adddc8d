// The older name of the module that units are declared in.
// SPDX-License-Identifier: Apache-2.0

@_exported import AudioToolbox
