// Runs before the first paint, as a classic script, so that a chosen theme does not flash.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('ballast-theme');
  } catch (e) {
    // Storage is off: the system's theme is used.
  }
  if (chosen === 'light' || chosen === 'dark') {
    document.documentElement.dataset.theme = chosen;
  }
})();
