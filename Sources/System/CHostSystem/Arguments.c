// The arguments of this process, as the loader passes them to constructors.
// SPDX-License-Identifier: Apache-2.0
#include "Arguments.h"

static int argumentCount;
static char **argumentList;

__attribute__((constructor)) static void keepArguments(int count, char **list) {
  argumentCount = count;
  argumentList = list;
}

int AuricleArgumentCount(void) { return argumentCount; }

const char *AuricleArgument(int index) {
  return index >= 0 && index < argumentCount ? argumentList[index] : "";
}
