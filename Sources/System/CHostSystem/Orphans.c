// Processes whose parents have ended: they come to this process instead of the system's first.
// SPDX-License-Identifier: Apache-2.0
#include "Orphans.h"

#include <sys/prctl.h>

bool AuricleAdoptOrphans(bool adopts) {
  int before = 0;
  prctl(PR_GET_CHILD_SUBREAPER, &before, 0, 0, 0);
  prctl(PR_SET_CHILD_SUBREAPER, adopts ? 1 : 0, 0, 0, 0);
  return before != 0;
}
