// The interface of codecs that are found at run time, as the SDK's header has it.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../../../SDK/include/Auricle/AuricleCodec.h"
