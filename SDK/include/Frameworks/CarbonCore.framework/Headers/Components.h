// The Component Manager, under the path in the frameworks that some base classes name.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_FRAMEWORKS_COMPONENTS_H
#define AURICLE_FRAMEWORKS_COMPONENTS_H

#include "../../../CarbonCore/Components.h"

#endif
