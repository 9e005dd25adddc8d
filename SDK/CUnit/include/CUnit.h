// The face of the helper to SwiftPM: its header is with the others.
// SPDX-License-Identifier: Apache-2.0
#include <Auricle/AuricleUnit.h>
