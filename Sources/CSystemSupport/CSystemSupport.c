#include "CSystemSupport.h"
int auricle_placeholder(void) { return 0; }
