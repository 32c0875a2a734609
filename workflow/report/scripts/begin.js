// The page is complete without scripts. They add ways to look at it, and mark that they run.
"use strict";

document.documentElement.classList.add("scripted");
