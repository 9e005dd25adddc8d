// The Component Manager, under the folder of the services.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_CORESERVICES_COMPONENTS_H
#define AURICLE_CORESERVICES_COMPONENTS_H

#include "../CarbonCore/Components.h"

#endif
