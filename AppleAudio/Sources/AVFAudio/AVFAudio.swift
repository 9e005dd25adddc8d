// Audio engines, files, players: the module and its re-exports.
// SPDX-License-Identifier: Apache-2.0

@_exported import AudioToolbox
@_exported import os
