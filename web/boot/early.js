// Runs first, on any browser: says in words what is missing when the programs cannot start.
(function () {
  "use strict";
  function say(text) {
    var boot = document.getElementById("boot");
    if (!boot && document.body) {
      boot = document.body.appendChild(document.createElement("p"));
      boot.id = "boot";
      boot.setAttribute("role", "alert");
    }
    if (boot) {
      boot.textContent = text;
      boot.setAttribute("data-state", "failed");
    } else {
      document.addEventListener("DOMContentLoaded", function () {
        say(text);
      });
    }
  }
  window.heddleBootFailed = say;
  // A link holds another scenario than the first picture shows.
  if (location.hash.length > 1) document.documentElement.setAttribute("data-link", "");
  // The page's program has failed; `text` is the scenario, if there is one.
  window.heddlePanicked = function (what, text) {
    say("Heddle stopped: " + what + " This is our mistake. Reload the page to go on. ");
    if (typeof text !== "string") return;
    var save = document.createElement("a");
    save.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    save.download = "heddle-report.toml";
    save.textContent = "Save the scenario";
    document.getElementById("boot").appendChild(save);
  };
  if (!("noModule" in HTMLScriptElement.prototype)) {
    say("Heddle cannot start: this browser does not know JavaScript modules. Any browser of the last five years does.");
  } else if (typeof WebAssembly !== "object") {
    say("Heddle cannot start: WebAssembly is missing or switched off in this browser. Heddle computes everything in the page and needs it.");
  } else if (typeof Worker !== "function") {
    say("Heddle cannot start: this browser has no web workers, or they are switched off. Heddle computes everything in one.");
  }
  // A script that does not arrive reports at its element, in the capture phase only.
  window.addEventListener(
    "error",
    function (event) {
      var from = event.target;
      if (from && from.tagName === "SCRIPT") {
        say("Heddle cannot start: a part of the page did not arrive (" + from.getAttribute("src") + "). Reload the page; if that does not help, the site is incomplete.");
      }
    },
    true,
  );
})();
