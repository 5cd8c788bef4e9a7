#pragma once

#include "embedded.h"

/// What is inside `belfry-dev` besides.
struct embedded_files workshop_files(void);
