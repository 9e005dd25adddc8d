// The place of a crash, noted by the process that crashes.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CRASH_PLACE_H
#define AURICLE_CRASH_PLACE_H

/// From now on a fault of this process notes its library and the offset there in the heartbeat, and then ends the
/// process as before. So does a signal that the process sends itself, as `abort` does: the place is that of the call,
/// outside of the C and C++ libraries. A signal of another process notes nothing.
void AuricleNoteCrashes(void);

#endif
