// Stores, failures and kinds of files come with the packets.
// SPDX-License-Identifier: Apache-2.0

@_exported public import AudioFileSyntax
