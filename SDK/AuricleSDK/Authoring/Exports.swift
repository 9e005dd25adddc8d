// What `import AuricleSDK` brings along: Core Audio's C names, and the maths for render code.
// SPDX-License-Identifier: Apache-2.0

@_exported public import CAudioToolbox
@_exported public import RealtimeSupport
