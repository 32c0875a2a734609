// The page is complete without scripts. They add ways to look at it, and mark that they run.
document.documentElement.classList.add("scripted");
