// The modules that `import AuricleSDK` re-exports: Core Audio's C names, and the maths for render code.
// SPDX-License-Identifier: Apache-2.0

@_exported public import CAudioToolbox
@_exported public import RealtimeSupport
