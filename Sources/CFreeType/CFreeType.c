#include "CFreeType.h"
