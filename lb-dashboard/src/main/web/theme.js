// A classic script that runs before the first paint, so that a chosen theme does not flash.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem('ballast-theme');
  } catch (e) {
    // Storage is disabled: the system's theme is used.
  }
  if (chosen === 'light' || chosen === 'dark') {
    document.documentElement.dataset.theme = chosen;
  }
})();
